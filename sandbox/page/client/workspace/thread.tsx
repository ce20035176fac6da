import type { MessageSeen } from '../../view-model/messages.ts';
import { Composer } from '../composer/composer.tsx';
import { useEscape } from '../escape.ts';
import { useNavigation } from '../navigation.ts';
import { useSelf } from '../self.ts';
import { MessageList } from './conversation.tsx';

/** The thread pane: a message with its replies. */
export function Thread({ parent, messages }: { parent: string; messages: MessageSeen[] }) {
  const { conversation } = useSelf();
  const { open } = useNavigation();
  useEscape('thread', () => open({}));
  const shown = messages.filter(({ ts, reply_to }) => ts === parent || reply_to === parent);
  return (
    <aside className="thread column" aria-label="Thread">
      <header>
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
