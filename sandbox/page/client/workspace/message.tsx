/** A message with its actions. The thread pane leaves out the link to the thread. */
import { useContext } from 'react';
import type { MessageRef } from '../../../slack/people/context.ts';
import type { MessageSeen } from '../../view-model/messages.ts';
import { withoutCode } from '../api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { Emoji, NamesContext } from '../blocks/references.tsx';
import { SurfaceContext, surfaceIn } from '../blocks/surface.tsx';
import { Mrkdwn } from '../blocks/text.tsx';
import { useNavigation } from '../navigation.ts';
import { useSelf } from '../self.ts';
import { initials } from './lists.tsx';
import { MessageActions } from './message-actions.tsx';

export function Message({ message, isInThread = false }: { message: MessageSeen; isInThread?: boolean }) {
  const { me, conversation, actions } = useSelf();
  const where = { channel: conversation.id, ts: message.ts };
  const { author, ts } = message;

  function toggle(name: string) {
    const isMine = message.reactions.some((each) => each.name === name && each.users.includes(me.id));
    void (isMine ? actions.unreact(name, where) : actions.react(name, where));
  }

  return (
    <article
      // The message takes the focus first, and its actions after that; otherwise each message would have many tab stops.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      data-ts={ts}
      className={`message ${message.isOnlyVisibleToYou ? 'only-you' : ''}`}
      aria-label={`${author.name}, ${shortTime(ts)}`}
    >
      <Avatar author={author} />
      <div className="grow">
        {message.isOnlyVisibleToYou && <p className="small">👁 Only visible to you</p>}
        <p className="row">
          <strong>{author.name}</strong>
          {author.isApp && <span className="badge">APP</span>}
          {author.company && <span className="badge">{author.company}</span>}
          <time className="small" title={FULL.format(Number(ts) * 1000)}>
            {shortTime(ts)}
          </time>
        </p>
        <Content message={message} where={where} />
        <Reactions message={message} toggle={toggle} />
        {!isInThread && <ThreadLink message={message} />}
      </div>
      {!message.isOnlyVisibleToYou && !message.isTombstone && conversation.isMember && (
        <MessageActions message={message} where={where} toggle={toggle} isInThread={isInThread} />
      )}
    </article>
  );
}

function Content({ message, where }: { message: MessageSeen; where: MessageRef }) {
  const { actions } = useSelf();
  // Only the client knows what was entered in the elements of a message.
  const surface = surfaceIn(where, actions, message.offers, {});
  return (
    <div className={message.isTombstone ? 'quiet' : ''}>
      {message.blocks?.length ? (
        <SurfaceContext value={surface}>
          <Blocks blocks={message.blocks} />
        </SurfaceContext>
      ) : (
        <Mrkdwn text={message.isOnlyVisibleToYou ? withoutCode(message.text) : message.text} />
      )}
    </div>
  );
}

function ThreadLink({ message: { ts, replies } }: { message: MessageSeen }) {
  const { place, open } = useNavigation();
  if (!replies) return null;
  const { count, latest } = replies;
  return (
    <button
      type="button"
      className="thread-link"
      aria-current={place.thread === ts ? 'true' : undefined}
      onClick={() => open({ thread: ts })}
    >
      {count} {count === 1 ? 'reply' : 'replies'}{' '}
      <span className="quiet">Last reply {shortTime(latest)}</span>
    </button>
  );
}

const SHORT = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' });
const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' });

/** `4:05 PM`, of a message's timestamp */
const shortTime = (ts: string): string => SHORT.format(Number(ts) * 1000);

const COLOURS = ['#2f6f8f', '#7a4b94', '#2d7d5a', '#a0522d', '#8c2f4f', '#4a5a9a', '#6b6b1f', '#94543a'];

/** The avatar of the app, or of a person: initials on a colour of their own. */
function Avatar({ author: { id, name, isApp } }: { author: MessageSeen['author'] }) {
  return (
    <span className="avatar" style={isApp ? {} : { background: colourOf(id) }} aria-hidden="true">
      {initials(name).slice(0, isApp ? 1 : 2)}
    </span>
  );
}

function colourOf(id: string): string {
  const sum = [...id].reduce((total, each) => total + (each.codePointAt(0) ?? 0), 0);
  return COLOURS[sum % COLOURS.length] ?? '#555555';
}

/** The reactions to a message. Pressing one's own reaction again removes it. */
function Reactions({ message, toggle }: { message: MessageSeen; toggle: (name: string) => void }) {
  const { me } = useSelf();
  const { users: names } = useContext(NamesContext);
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions list" aria-label="Reactions">
      {message.reactions.map(({ name, users }) => {
        const who = users.map((id) => names[id] ?? id).join(', ');
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={users.includes(me.id)}
              aria-label={`${name}: ${users.length}, ${who}`}
              title={`${who} reacted with :${name}:`}
              onClick={() => toggle(name)}
            >
              <Emoji name={name} /> {users.length}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
