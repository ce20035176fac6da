import type { MessageSeen } from '../../view-model/messages.ts';
import { Composer } from '../composer/composer.tsx';
import { useEscape } from '../escape.ts';
import { useNavigation } from '../navigation.ts';
import { useSelf } from '../self.ts';
import { Message } from './message.tsx';
import { useAtTheEnd } from './use-at-the-end.ts';

/** The open conversation. */
export function Conversation({ messages }: { messages: MessageSeen[] }) {
  const { conversation, actions } = useSelf();
  const shown = messages.filter(({ reply_to, isBroadcast }) => reply_to === undefined || isBroadcast);
  return (
    <main className="column" aria-label={conversation.name}>
      <header className="row">
        <h2>{conversation.name}</h2>
        {conversation.isShared && <span className="badge">Shared with another company</span>}
        {conversation.isArchived && <span className="badge">Archived</span>}
      </header>
      <MessageList messages={shown} />
      {conversation.isArchived && <p className="notice quiet">This channel is archived.</p>}
      {!conversation.isArchived && conversation.isMember && (
        <Composer label={`Message ${conversation.name}`} isFirst />
      )}
      {!conversation.isMember && (
        <p className="notice quiet">
          You are not in this channel.{' '}
          <button type="button" className="button" onClick={() => actions.join(conversation.id)}>
            Join {conversation.name}
          </button>
        </p>
      )}
    </main>
  );
}

/** A list of messages, which follows new ones. */
function MessageList(props: { messages: MessageSeen[]; isInThread?: boolean }) {
  const { messages, isInThread = false } = props;
  const { me } = useSelf();
  const { place } = useNavigation();
  const newest = messages.at(-1);
  const list = useAtTheEnd(newest?.ts, newest?.author.id === me.id, isInThread ? undefined : place.thread);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="messages scroll" ref={list} role="log" aria-label="Messages" tabIndex={0}>
      {messages.length === 0 && <p className="notice quiet">No messages yet.</p>}
      {messages.map((message) => (
        <Message key={message.ts} message={message} isInThread={isInThread} />
      ))}
    </div>
  );
}

/** The thread pane: a message with its replies. */
export function Thread({ parent, messages }: { parent: string; messages: MessageSeen[] }) {
  const { conversation } = useSelf();
  const { open } = useNavigation();
  useEscape('thread', () => open({}));
  const shown = messages.filter(({ ts, reply_to }) => ts === parent || reply_to === parent);
  return (
    <aside className="thread column" aria-label="Thread">
      <header className="row">
        <h2>Thread</h2>
        <span className="grow quiet">{conversation.name}</span>
        <button type="button" aria-label="Close thread" onClick={() => open({})}>
          ×
        </button>
      </header>
      <MessageList messages={shown} isInThread />
      {conversation.isMember && !conversation.isArchived && <Composer label="Reply" thread_ts={parent} />}
    </aside>
  );
}
