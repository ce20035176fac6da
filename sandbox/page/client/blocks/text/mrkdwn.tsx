import { Fragment, type ReactNode } from 'react';
import { type Node, NodeType, parse } from 'slack-message-parser';
import { Emoji } from './emoji.tsx';
import { Link } from './link.tsx';
import { Mention } from './mention.tsx';
import { formatSlackDate } from './slack-date.ts';

/** Text with Slack's formatting, mentions and links. */
export function Mrkdwn({ text }: { text: string }) {
  return <span className="text">{draw(parse(text))}</span>;
}

/** Unescapes `&lt;`, `&gt;` and `&amp;`, the only characters that Slack escapes. */
const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function draw(node: Node): ReactNode {
  switch (node.type) {
    case NodeType.Text:
      return unescaped(node.text);
    case NodeType.Root:
      return drawAll(node.children);
    case NodeType.Bold:
      return <strong>{drawAll(node.children)}</strong>;
    case NodeType.Italic:
      return <em>{drawAll(node.children)}</em>;
    case NodeType.Strike:
      return <s>{drawAll(node.children)}</s>;
    case NodeType.Quote:
      return <blockquote>{drawAll(node.children)}</blockquote>;
    case NodeType.Code:
      return <code>{unescaped(node.text)}</code>;
    case NodeType.PreText:
      return <pre>{unescaped(node.text)}</pre>;
    case NodeType.Emoji:
      return <Emoji name={node.name} />;
    default:
      return drawReference(node);
  }
}

const drawAll = (nodes: Node[]) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which is drawn anew when it changes
  nodes.map((node, index) => <Fragment key={index}>{draw(node)}</Fragment>);

function drawReference(node: Node): ReactNode {
  switch (node.type) {
    case NodeType.UserLink:
      return <Mention of="user" id={node.userID} />;
    case NodeType.ChannelLink:
      return <Mention of="channel" id={node.channelID} />;
    case NodeType.URL:
      return <Link url={unescaped(node.url)}>{node.label ? drawAll(node.label) : undefined}</Link>;
    case NodeType.Command:
      return drawCommand(node);
    default:
      return node.source;
  }
}

function drawCommand({ name, arguments: given, label, source }: Extract<Node, { type: NodeType.Command }>) {
  if (name === 'date') return <time>{formatSlackDate(Number(given[0]), given[1] ?? '')}</time>;
  if (name === 'subteam') return <Mention of="group" id={given[0] ?? ''} />;
  if (['here', 'channel', 'everyone'].includes(name)) return <Mention of="broadcast" id={name} />;
  return label ? drawAll(label) : source;
}
