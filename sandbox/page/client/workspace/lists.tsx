/** The left side of the page: workspaces, conversations, and the person to act as. */
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { PersonSeen, WorkspaceSeen } from '../../view-model/people.ts';
import type { ConversationSeen, WorkspaceViewModel } from '../../view-model/workspace.ts';
import { HOME, useNavigation } from '../navigation.ts';
import { useEscape } from '../overlays.tsx';

export function Sidebar({ viewModel, isOnHome }: { viewModel: WorkspaceViewModel; isOnHome: boolean }) {
  const open = isOnHome ? undefined : viewModel.open?.conversation.id;
  const channels = viewModel.conversations.filter(({ kind }) => kind === 'public' || kind === 'private');
  const people = viewModel.conversations.filter(({ kind }) => kind === 'im');
  const apps = viewModel.conversations.filter(({ kind }) => kind === 'app');
  return (
    <nav className="sidebar" aria-label="Workspace">
      <p className="team" aria-hidden="true">
        {viewModel.me.team}
      </p>
      <ActAs me={viewModel.me} people={viewModel.people} />
      <Conversations title="Channels" of={channels} open={open} />
      <Conversations title="Direct messages" of={people} open={open} />
      <Conversations title="Apps" of={apps} open={open}>
        {viewModel.app && (
          <Entry id={HOME} isOpen={isOnHome}>
            <span>Countermand, Home</span>
          </Entry>
        )}
      </Conversations>
      {viewModel.installUrl && <Install url={viewModel.installUrl} />}
    </nav>
  );
}

/** Opens the install page in a new tab, as Slack opens such pages outside its client. */
const Install = ({ url }: { url: string }) => (
  <p className="install">
    Countermand is not installed in this workspace.
    <a className="button" href={url} target="_blank" rel="noreferrer">
      Install Countermand
    </a>
  </p>
);

function ActAs({ me, people }: { me: PersonSeen; people: PersonSeen[] }) {
  const { open } = useNavigation();
  const teams = [...new Set(people.map(({ team }) => team))];
  return (
    <label className="act-as">
      <span>Act as</span>
      <select value={me.id} onChange={({ target }) => open({ as: target.value })}>
        {teams.map((team) => (
          <optgroup key={team} label={team}>
            {people
              .filter((each) => each.team === team)
              .map(({ id, real_name, roles }) => (
                <option key={id} value={id}>
                  {[real_name, ...roles].join(' · ')}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function Conversations(props: {
  title: string;
  of: ConversationSeen[];
  open: string | undefined;
  children?: ReactNode;
}) {
  if (props.of.length === 0 && !props.children) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <ul className="list">
        {props.children}
        {props.of.map((each) => (
          <Entry key={each.id} id={each.id} isOpen={each.id === props.open} isUnread={each.isUnread}>
            <span>{nameOf(each)}</span>
            <Marks {...each} />
          </Entry>
        ))}
      </ul>
    </section>
  );
}

function Entry(props: { id: string; isOpen: boolean; isUnread?: boolean; children: ReactNode }) {
  const { open } = useNavigation();
  return (
    <li>
      <button
        type="button"
        className={props.isUnread ? 'unread' : ''}
        aria-current={props.isOpen ? 'page' : undefined}
        onClick={() => open({ conversation: props.id })}
      >
        {props.children}
      </button>
    </li>
  );
}

const nameOf = ({ name, kind }: ConversationSeen) => (kind === 'private' ? name.replace('#', '🔒') : name);

function Marks({ isShared, isArchived, isUnread, mentions }: ConversationSeen) {
  return (
    <span className="row">
      {isShared && <span title="Shared with another company">🤝</span>}
      {isArchived && <span title="Archived">📦</span>}
      {mentions > 0 && (
        <span className="badge mentions">
          {mentions}
          <span className="for-readers"> unread mentions</span>
        </span>
      )}
      {isUnread && mentions === 0 && (
        <span>
          <span aria-hidden="true">●</span>
          <span className="for-readers"> unread</span>
        </span>
      )}
    </span>
  );
}

/** The workspace switcher. Each workspace has a different person to act as. */
export function WorkspaceRail({ workspaces, current }: { workspaces: WorkspaceSeen[]; current: string }) {
  const { enter } = useNavigation();
  return (
    <nav className="rail" aria-label="Workspaces">
      <ul className="list">
        {workspaces.map(({ id, name, as, isInstalled }) => (
          <li key={id}>
            <button
              type="button"
              title={name}
              aria-current={id === current ? 'true' : undefined}
              className={isInstalled ? '' : 'without-app'}
              onClick={() => enter(as)}
            >
              <span aria-hidden="true">{initials(name)}</span>
              <span className="for-readers">{isInstalled ? name : `${name}, without Countermand`}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export const initials = (name: string) =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2);

/**
 * The lists of workspaces and channels. In a narrow page a button unfolds them, until something is chosen; the title of the
 * page, for screen readers, is always there.
 */
export function FoldingLists({ team, children }: { team: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const { place } = useNavigation();
  const id = useId();
  useEscape('list', () => setOpen(false), isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the person goes anywhere
  useEffect(() => setOpen(false), [place]);
  return (
    <>
      <header className="page-title">
        <h1 className="for-readers">{team}</h1>
        <button
          type="button"
          className="fold-lists"
          aria-label="Channels"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '×' : '☰'}
        </button>
      </header>
      <div id={id} className={isOpen ? 'lists' : 'lists folded'}>
        {children}
      </div>
    </>
  );
}
