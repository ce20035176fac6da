import { nameToEmoji } from 'gemoji';

/** Slack's names where they are not those of the list. */
const ALSO: Record<string, string> = { thumbsup: '👍', thumbsdown: '👎', large_green_circle: '🟢' };

/** The character for an emoji's name, with a skin tone or without; undefined where none is known. */
export function emojiFor(name: string): string | undefined {
  const [plain = ''] = name.split('::');
  return nameToEmoji[plain] ?? ALSO[plain];
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
