/** Splits texts into the parts that Slack draws: plain text, links, mentions, emoji, dates and formatted text. */
import { type Node, NodeType, parse } from 'slack-message-parser';
import { unescaped } from '../../lib/unescaped.ts';
import { RichText, type RichTextBlock, type RichTextPart } from '../blocks/text.ts';

/** A part of a text. `kind`: `text`, or what Slack draws in its place. */
export type Drawn = { kind: string; text: string };

/** Returns the parts of all texts in blocks or a view: plain_text, mrkdwn and rich_text. */
export function drawnIn(value: unknown): Drawn[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, text, verbatim, emoji } = value as Record<string, unknown>;
  if (type === 'mrkdwn') return drawMrkdwn(String(text), verbatim === true);
  if (type === 'plain_text') return emoji === false ? plain(String(text)) : withEmoji(String(text));
  if (type === 'rich_text') return RichText.parse(value).elements.flatMap(drawRichText);
  return Object.values(value).flatMap(drawnIn);
}

/** @param verbatim whether Slack leaves alone what only looks like a link or a mention */
export function drawMrkdwn(text: string, verbatim: boolean): Drawn[] {
  return drawNode(parse(text), verbatim);
}

const plain = (text: string): Drawn[] => [{ kind: 'text', text }];

const split = (text: string, pattern: RegExp, kind: string): Drawn[] =>
  text.split(pattern).flatMap((part, n) => (part ? [{ kind: n % 2 === 1 ? kind : 'text', text: part }] : []));

const withEmoji = (text: string): Drawn[] => split(text, /(:[\w+-]+:)/, 'emoji');

/** https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing */
const LOOKS_LIKE_A_REFERENCE =
  /((?:https?:\/\/|mailto:|tel:)[^\s<>|]+|www\.[^\s<>|]+|[\w.+-]+@[\w-]+\.[\w.]+|@(?:here|channel|everyone)|(?<!\S)#[a-z][\w-]*)/;

const NAMES: Partial<Record<NodeType, string>> = {
  [NodeType.Bold]: 'bold',
  [NodeType.Italic]: 'italic',
  [NodeType.Strike]: 'strike',
  [NodeType.Quote]: 'quote',
};

function drawNode(node: Node, verbatim: boolean): Drawn[] {
  switch (node.type) {
    case NodeType.Text: {
      const text = unescaped(node.text);
      return verbatim ? plain(text) : split(text, LOOKS_LIKE_A_REFERENCE, 'link');
    }
    case NodeType.Root:
      return node.children.flatMap((child) => drawNode(child, verbatim));
    case NodeType.Bold:
    case NodeType.Italic:
    case NodeType.Strike:
    case NodeType.Quote:
      return node.children.flatMap((child) => drawNode(child, verbatim)).map(styled(NAMES[node.type]));
    case NodeType.Code:
    case NodeType.PreText:
      return [{ kind: 'code', text: unescaped(node.text) }];
    case NodeType.Emoji:
      return [{ kind: 'emoji', text: `:${node.name}:` }];
    case NodeType.UserLink:
      return [{ kind: 'mention', text: node.userID }];
    case NodeType.ChannelLink:
      return [{ kind: 'mention', text: node.channelID }];
    case NodeType.URL:
      return [
        {
          kind: `link to ${unescaped(node.url)}`,
          text: unescaped(node.source.split('|')[1]?.slice(0, -1) ?? ''),
        },
      ];
    case NodeType.Command:
      return [
        { kind: node.name === 'date' ? 'date' : 'mention', text: node.arguments.join(' ') || node.name },
      ];
  }
}

/** Gives plain text the kind of its formatting; emoji and references keep their own. */
const styled =
  (style: string | undefined) =>
  (part: Drawn): Drawn =>
    part.kind === 'text' ? { ...part, kind: style ?? part.kind } : part;

function drawRichText(element: RichTextBlock['elements'][number]): Drawn[] {
  if (element.type === 'rich_text_list')
    return element.elements.flatMap((item) => item.elements.map(drawPart));
  const kind = { rich_text_quote: 'quote', rich_text_preformatted: 'code', rich_text_section: undefined };
  return element.elements.map(drawPart).map(styled(kind[element.type]));
}

function drawPart(part: RichTextPart): Drawn {
  const { code, bold, italic, strike } = part.style ?? {};
  switch (part.type) {
    case 'text':
      return {
        kind: (code && 'code') || (bold && 'bold') || (italic && 'italic') || (strike && 'strike') || 'text',
        text: part.text,
      };
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
