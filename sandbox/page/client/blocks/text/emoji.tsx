import { nameToEmoji } from 'gemoji';

/** Slack's names where they are not those of the list. */
const ALSO: Record<string, string> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  thinking_face: '🤔',
  hugging_face: '🤗',
  robot_face: '🤖',
  simple_smile: '🙂',
};

const KNOWN: ReadonlyMap<string, string> = new Map(Object.entries({ ...nameToEmoji, ...ALSO }));

/** The character for an emoji's name, with a skin tone or without; undefined where none is known. */
export function emojiFor(name: string): string | undefined {
  const [plain = ''] = name.split('::');
  return KNOWN.get(plain);
}

/** An emoji by its name; one that is not known stands as `:name:`, as in Slack. */
export function Emoji({ name }: { name: string }) {
  const character = emojiFor(name);
  if (!character) return <>{`:${name}:`}</>;
  return (
    <span role="img" aria-label={name} className="emoji">
      {character}
    </span>
  );
}
