import { nameToEmoji } from 'gemoji';

/** Slack's names that differ from those of gemoji. */
const ALSO: Record<string, string> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  thinking_face: '🤔',
  hugging_face: '🤗',
  robot_face: '🤖',
  simple_smile: '🙂',
};

const KNOWN: ReadonlyMap<string, string> = new Map(Object.entries({ ...nameToEmoji, ...ALSO }));

/** Returns the character for an emoji's name, with or without a skin tone; undefined if it is unknown. */
function emojiFor(name: string): string | undefined {
  const [plain = ''] = name.split('::');
  return KNOWN.get(plain);
}

/** An emoji by its name; an unknown one is shown as `:name:`, as in Slack. */
export function Emoji({ name }: { name: string }) {
  const character = emojiFor(name);
  if (!character) return <>{`:${name}:`}</>;
  return (
    <span role="img" aria-label={name} className="emoji">
      {character}
    </span>
  );
}
