import { gemoji } from 'gemoji';
import { useState } from 'react';
import { Emoji } from '../blocks/text/emoji.tsx';
import { Popover } from '../popover.tsx';

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

/** A button that opens a choice of emoji, with a search by name. */
export function EmojiPicker({ pick }: { pick: (name: string) => void }) {
  return (
    <Popover label="Add reaction" face="☺">
      {(close) => (
        <Choice
          pick={(name) => {
            close();
            pick(name);
          }}
        />
      )}
    </Popover>
  );
}

function Choice({ pick }: { pick: (name: string) => void }) {
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

/** Returns the names that match the search; the frequent ones without a search. */
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
