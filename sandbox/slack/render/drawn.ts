/** Splits texts into the parts that Slack draws: plain text, links, mentions, emoji, dates and formatted text. */
import { RichText, type RichTextElement, type RichTextPart } from '../blocks/text.ts';
import { richTextOf } from './mrkdwn.ts';

/** A part of a text. `kind`: `text`, or what Slack draws in its place. */
export type Drawn = { kind: string; text: string };

/** Returns the parts of all texts in blocks or a view: plain_text, mrkdwn and rich_text. */
export function drawnIn(value: unknown): Drawn[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, text, verbatim, emoji } = value as Record<string, unknown>;
  if (type === 'mrkdwn') return drawMrkdwn(String(text), verbatim === true);
  if (type === 'plain_text') return emoji === false ? plain(String(text)) : withEmoji(String(text));
  if (type === 'rich_text')
    return RichText.parse(value).elements.flatMap((element) => drawElement(element, plain));
  return Object.values(value).flatMap(drawnIn);
}

/** @param verbatim whether Slack leaves alone what only looks like a link or a mention */
export function drawMrkdwn(text: string, verbatim: boolean): Drawn[] {
  return richTextOf(text).flatMap((element) => drawElement(element, verbatim ? plain : withReferences));
}

const plain = (text: string): Drawn[] => [{ kind: 'text', text }];

const split = (text: string, pattern: RegExp, kind: string): Drawn[] =>
  text.split(pattern).flatMap((part, n) => (part ? [{ kind: n % 2 === 1 ? kind : 'text', text: part }] : []));

const withEmoji = (text: string): Drawn[] => split(text, /(:[\w+-]+:)/, 'emoji');

/** https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing */
const LOOKS_LIKE_A_REFERENCE =
  /((?:https?:\/\/|mailto:|tel:)[^\s<>|]+|www\.[^\s<>|]+|[\w.+-]+@[\w-]+\.[\w.]+|@(?:here|channel|everyone)|(?<!\S)#[a-z][\w-]*)/;

const withReferences = (text: string): Drawn[] => split(text, LOOKS_LIKE_A_REFERENCE, 'link');

const KINDS = { rich_text_quote: 'quote', rich_text_preformatted: 'code', rich_text_section: 'text' };

/** @param drawText draws text that has no formatting of its own, such as code */
function drawElement({ type, elements }: RichTextElement, drawText: (text: string) => Drawn[]): Drawn[] {
  return elements.flatMap((part) => {
    const kind = styleOf(part) ?? KINDS[type];
    const drawn = part.type === 'text' && kind !== 'code' ? drawText(part.text) : [drawPart(part)];
    // Emoji and references keep their own kind.
    return drawn.map((each) => (each.kind === 'text' ? { ...each, kind } : each));
  });
}

const styleOf = ({ style = {} }: RichTextPart): string | undefined =>
  (['code', 'bold', 'italic', 'strike'] as const).find((each) => style[each]);

function drawPart(part: RichTextPart): Drawn {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'link':
      return { kind: `link to ${part.url}`, text: part.text ?? '' };
    case 'user':
      return { kind: 'mention', text: part.user_id };
    case 'usergroup':
      return { kind: 'mention', text: part.usergroup_id };
    case 'channel':
      return { kind: 'mention', text: part.channel_id };
    case 'broadcast':
      return { kind: 'mention', text: part.range };
    case 'emoji':
      return { kind: 'emoji', text: `:${part.name}:` };
    case 'date':
      return { kind: 'date', text: `${part.timestamp} ${part.format}` };
  }
}
