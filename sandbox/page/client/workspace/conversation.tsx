/** The open conversation and its thread, whose lists follow new messages unless the person has scrolled up. */
import { useLayoutEffect, useRef } from 'react';
import type { MessageSeen } from '../../view-model/messages.ts';
import { useNavigation } from '../navigation.ts';
import { useEscape } from '../overlays.tsx';
import { useSelf } from '../self.ts';
import { Composer } from './composer.tsx';
import { Message } from './message.tsx';

export function Conversation({ messages }: { messages: MessageSeen[] }) {
  const { conversation, actions } = useSelf();
  const shown = messages.filter(({ reply_to }) => reply_to === undefined);
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

/** The distance from the end, in pixels, within which the list counts as scrolled to its end. */
const NEAR = 60;

/**
 * Keeps a list scrolled to its end, for each new message and while the list grows or its column narrows, unless the person
 * has scrolled up. A thread that covers its conversation begins at its message, which is nowhere else in view.
 * @param isOwn whether the newest message is the person's own, which is shown wherever they have scrolled to
 * @param opened the `ts` of the message whose thread is open: it stays in view when the thread narrows the list
 */
function useAtTheEnd(newest: string | undefined, isOwn: boolean, opened: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // The scroll position when the list was last moved to its end: a new message may come before the event of a person's scrolling,
  // which is then seen by the position alone.
  const end = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new message
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const hasScrolledUp = !isNearEnd(element) && element.scrollTop < end.current - NEAR;
    if (isOwn || (isAtEnd.current && !hasScrolledUp)) toEnd(element, end);
    else isAtEnd.current = false;
  }, [newest]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element || !coversConversation(element)) return;
    element.scrollTo({ top: 0 });
    isAtEnd.current = isNearEnd(element);
  }, []);

  useLayoutEffect(() => {
    const element = list.current;
    const card = opened && element?.querySelector(`[data-ts="${CSS.escape(opened)}"]`);
    if (!element || !card) return;
    if (isAtEnd.current) toEnd(element, end);
    card.scrollIntoView({ block: 'nearest' });
    isAtEnd.current = isNearEnd(element);
  }, [opened]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      isAtEnd.current = isNearEnd(element);
    };
    const follow = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd(element, end);
    });
    const watch = () => {
      for (const each of [element, ...element.children]) follow.observe(each);
    };
    const children = new MutationObserver(watch);
    element.addEventListener('scroll', note);
    children.observe(element, { childList: true });
    watch();
    return () => {
      element.removeEventListener('scroll', note);
      children.disconnect();
      follow.disconnect();
    };
  }, []);

  return list;
}

function toEnd(element: HTMLElement, end: { current: number }): void {
  element.scrollTo({ top: element.scrollHeight });
  end.current = element.scrollTop;
}

function coversConversation(element: HTMLElement): boolean {
  const thread = element.closest<HTMLElement>('.thread');
  return thread !== null && thread.offsetWidth === thread.parentElement?.clientWidth;
}

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR;
