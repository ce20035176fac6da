import type { MessageSeen } from '../../view-model/messages.ts';
import type { MessageRef } from '../actions.ts';
import { useNavigation } from '../navigation.ts';
import { Menu, type MenuItem } from '../popover.tsx';
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
    <div className="floating">
      {['white_check_mark', 'x'].map((name) => (
        <button
          key={name}
          type="button"
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
  const mayDelete =
    message.author.id === me.id || me.roles.some((role) => role === 'admin' || role === 'owner');
  const items: MenuItem[] = menu.shortcuts
    .filter(({ type }) => type === 'message')
    .map(({ name, description, callback_id }) => ({
      key: callback_id,
      label: name,
      description,
      action: () => actions.messageShortcut(callback_id, where),
    }));
  if (mayDelete)
    items.push({ key: 'delete', label: 'Delete message', action: () => actions.deleteMessage(where) });
  return items.length > 0 && <Menu label="More actions" face="⋮" items={items} />;
}
