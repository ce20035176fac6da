import type { ReactNode } from 'react';
import type { PersonSeen } from '../../view-model/people.ts';
import type { ConversationSeen, WorkspaceViewModel } from '../../view-model/workspace.ts';
import { HOME, useNavigation } from '../navigation.ts';

/** The conversations of the workspace, and the person to act as. */
export function Sidebar({ viewModel, isOnHome }: { viewModel: WorkspaceViewModel; isOnHome: boolean }) {
  const open = isOnHome ? undefined : viewModel.open?.conversation.id;
  const channels = viewModel.conversations.filter(({ kind }) => kind === 'public' || kind === 'private');
  const people = viewModel.conversations.filter(({ kind }) => kind === 'im');
  const apps = viewModel.conversations.filter(({ kind }) => kind === 'app');
  return (
    <nav className="sidebar" aria-label="Workspace">
      <p className="team" aria-hidden="true">
        {viewModel.team}
      </p>
      <ActAs me={viewModel.me} people={viewModel.people} />
      <Conversations title="Channels" of={channels} open={open} />
      <Conversations title="Direct messages" of={people} open={open} />
      <Conversations title="Apps" of={apps} open={open}>
        {viewModel.app && <HomeTab isOpen={isOnHome} />}
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

function HomeTab({ isOpen }: { isOpen: boolean }) {
  const { open } = useNavigation();
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => open({ conversation: HOME })}
      >
        <span>Home of Countermand</span>
      </button>
    </li>
  );
}

function Conversations(props: {
  title: string;
  of: ConversationSeen[];
  open: string | undefined;
  /** Further entries, before these. */
  children?: ReactNode;
}) {
  const { open } = useNavigation();
  if (props.of.length === 0 && !props.children) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <ul className="list">
        {props.children}
        {props.of.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              className={each.isUnread ? 'unread' : ''}
              aria-current={each.id === props.open ? 'page' : undefined}
              onClick={() => open({ conversation: each.id })}
            >
              <span>{nameOf(each)}</span>
              <Marks conversation={each} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = ({ name, kind }: ConversationSeen) => (kind === 'private' ? name.replace('#', '🔒') : name);

function Marks({
  conversation: { isShared, isArchived, isUnread, mentions },
}: {
  conversation: ConversationSeen;
}) {
  return (
    <span className="row">
      {isShared && <span title="Shared with another company">🤝</span>}
      {isArchived && <span title="Archived">📦</span>}
      {mentions > 0 && (
        <span className="mentions">
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
