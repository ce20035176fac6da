import type { MessageSeen } from '../../view-model/messages.ts';
import type { MessageRef } from '../actions.ts';
import { useNavigation } from '../navigation.ts';
import { Popover } from '../popover.tsx';
import { useSelf } from '../self.ts';
import { EmojiPicker } from './emoji-picker.tsx';

/** The actions on a message: react, reply in its thread, and the menu with the app's shortcuts. */
export function MessageActions(props: {
  message: MessageSeen;
  where: MessageRef;
  toggle: (name: string) => void;
  isInThread: boolean;
}) {
  const { message, where, toggle, isInThread } = props;
  const { open } = useNavigation();
  return (
    <div className="message-actions">
      {['white_check_mark', 'x'].map((name) => (
        <button
          key={name}
          type="button"
          className="plain"
          aria-label={`React with ${name}`}
          title={`React with :${name}:`}
          onClick={() => toggle(name)}
        >
          {name === 'x' ? '❌' : '✅'}
        </button>
      ))}
      <EmojiPicker pick={toggle} />
      {!isInThread && (
        <button
          type="button"
          className="plain"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => open({ thread: message.reply_to ?? message.ts })}
        >
          💬
        </button>
      )}
      <MessageMenu message={message} where={where} />
    </div>
  );
}

function MessageMenu({ message, where }: { message: MessageSeen; where: MessageRef }) {
  const { me, actions, menu } = useSelf();
  const shortcuts = menu.shortcuts.filter(({ type }) => type === 'message');
  const mayDelete =
    message.author.id === me.id || me.roles.some((role) => role === 'admin' || role === 'owner');
  if (shortcuts.length === 0 && !mayDelete) return null;
  return (
    <Popover label="More actions" face="⋮" className="menu-popover">
      {(close) => {
        const item = (label: string, action: () => Promise<unknown>, description = '') => (
          <button
            key={label}
            type="button"
            title={description}
            onClick={() => {
              close();
              void action();
            }}
          >
            {label}
          </button>
        );
        return (
          <>
            {shortcuts.map(({ name, description, callback_id }) =>
              item(name, () => actions.messageShortcut(callback_id, where), description),
            )}
            {mayDelete && item('Delete message', () => actions.deleteMessage(where))}
          </>
        );
      }}
    </Popover>
  );
}
