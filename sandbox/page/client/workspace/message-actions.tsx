/** The actions on a message: react, reply in its thread, and the menu with the app's shortcuts. */
import { gemoji } from 'gemoji';
import { useState } from 'react';
import type { MessageRef } from '../../../slack/people/context.ts';
import type { MessageSeen } from '../../view-model/messages.ts';
import { Emoji } from '../blocks/references.tsx';
import { useNavigation } from '../navigation.ts';
import { Menu, Popover } from '../overlays.tsx';
import { shortcutItems, useSelf } from '../self.ts';

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
  const items = shortcutItems(menu, 'message', (id) => actions.messageShortcut(id, where));
  if (mayDelete)
    items.push({ key: 'delete', label: 'Delete message', action: () => actions.deleteMessage(where) });
  return items.length > 0 && <Menu label="More actions" face="⋮" items={items} />;
}

const USUAL = [
  'white_check_mark',
  'x',
  '+1',
  '-1',
  'eyes',
  'raised_hands',
  'heart',
  'tada',
  'pray',
  'rocket',
];
const MOST = 60;

function EmojiPicker({ pick }: { pick: (name: string) => void }) {
  return (
    <Popover label="Add reaction" face="☺">
      {(close) => (
        <EmojiChoice
          pick={(name) => {
            close();
            pick(name);
          }}
        />
      )}
    </Popover>
  );
}

function EmojiChoice({ pick }: { pick: (name: string) => void }) {
  const [sought, setSought] = useState('');
  return (
    <>
      <input
        type="search"
        aria-label="Search emoji"
        placeholder="Search emoji"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
        autoFocus
        value={sought}
        onChange={({ target }) => setSought(target.value)}
      />
      <span className="emoji-grid">
        {emojiNames(sought).map((name) => (
          <button key={name} type="button" title={`:${name}:`} onClick={() => pick(name)}>
            <Emoji name={name} />
          </button>
        ))}
      </span>
    </>
  );
}

function emojiNames(sought: string): string[] {
  const wanted = sought.trim().toLowerCase().replaceAll(':', '').replaceAll(' ', '_');
  if (wanted === '') return USUAL;
  const fits = ({ names, tags }: (typeof gemoji)[number]) =>
    [...names, ...tags].some((each) => each.startsWith(wanted));
  return gemoji
    .filter(fits)
    .flatMap(({ names }) => names.slice(0, 1))
    .slice(0, MOST);
}
