/** Parses mrkdwn into the elements of rich text, so that both are drawn alike. */
import { type Node, NodeType, parse } from 'slack-message-parser';
import { unescaped } from '../../lib/unescaped.ts';
import type { RichTextElement, RichTextPart } from '../blocks/text.ts';

type Style = RichTextPart['style'];

export const richTextOf = (mrkdwn: string): RichTextElement[] => parse(mrkdwn).children.map(elementOf);

function elementOf(node: Node): RichTextElement {
  if (node.type === NodeType.Quote) return { type: 'rich_text_quote', elements: partsOf(node) };
  if (node.type === NodeType.PreText)
    return { type: 'rich_text_preformatted', elements: [{ type: 'text', text: unescaped(node.text) }] };
  return { type: 'rich_text_section', elements: partsOf(node) };
}

function partsOf(node: Node, style: Style = {}): RichTextPart[] {
  const within = (added: Style) => (child: Node) => partsOf(child, { ...style, ...added });
  switch (node.type) {
    case NodeType.Root:
    case NodeType.Quote:
      return node.children.flatMap(within({}));
    case NodeType.Bold:
      return node.children.flatMap(within({ bold: true }));
    case NodeType.Italic:
      return node.children.flatMap(within({ italic: true }));
    case NodeType.Strike:
      return node.children.flatMap(within({ strike: true }));
    case NodeType.Code:
      return [{ type: 'text', text: unescaped(node.text), style: { ...style, code: true } }];
    case NodeType.Text:
    case NodeType.PreText:
      return [{ type: 'text', text: unescaped(node.text), style }];
    case NodeType.Emoji:
      return [{ type: 'emoji', name: node.name, style }];
    default:
      return [referenceOf(node, style)];
  }
}

type Reference = Extract<
  Node,
  { type: NodeType.UserLink | NodeType.ChannelLink | NodeType.URL | NodeType.Command }
>;

/** Reads a part in angle brackets: `<@U0ANA00001>`, `<https://a.test|a label>`. A label is taken as it is written. */
function referenceOf(node: Reference, style: Style): RichTextPart {
  const label = node.label && { text: unescaped(node.source.slice(node.source.indexOf('|') + 1, -1)) };
  switch (node.type) {
    case NodeType.UserLink:
      return { type: 'user', user_id: node.userID, style };
    case NodeType.ChannelLink:
      return { type: 'channel', channel_id: node.channelID, style };
    case NodeType.URL:
      return { type: 'link', url: unescaped(node.url), ...label, style };
    case NodeType.Command:
      return commandOf(node, label?.text, style);
  }
}

const RANGES = ['here', 'channel', 'everyone'] as const;

function commandOf(
  { name, arguments: [first = '', format = ''], source }: Extract<Node, { type: NodeType.Command }>,
  label: string | undefined,
  style: Style,
): RichTextPart {
  if (name === 'date') return { type: 'date', timestamp: Number(first), format, fallback: label, style };
  if (name === 'subteam') return { type: 'usergroup', usergroup_id: first, style };
  const range = RANGES.find((each) => each === name);
  return range ? { type: 'broadcast', range, style } : { type: 'text', text: label ?? source, style };
}
