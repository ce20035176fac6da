import type { MessageSeen } from '../../view-model/messages.ts';
import { Emoji } from '../blocks/text/emoji.tsx';
import { useNames } from '../blocks/text/names.ts';
import { useSelf } from '../self.ts';

/** The reactions to a message. Pressing one's own reaction again removes it. */
export function Reactions({ message, toggle }: { message: MessageSeen; toggle: (name: string) => void }) {
  const { me } = useSelf();
  const { users: names } = useNames();
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
