import type { ReactNode } from 'react';
import type { RichTextBlock, RichTextPart } from '../../../slack/blocks/text.ts';
import { formatSlackDate } from './slack-date.ts';
import { Emoji, inOrder, Link, Mention } from './text.tsx';

type Element = RichTextBlock['elements'][number];

/** A rich_text block, whose texts are not parsed. */
export function RichText({ elements }: { elements: Element[] }) {
  return inOrder(elements, drawElement);
}

function drawElement(element: Element): ReactNode {
  switch (element.type) {
    case 'rich_text_section':
      return <div className="text">{parts(element.elements)}</div>;
    case 'rich_text_quote':
      return <blockquote className="text">{parts(element.elements)}</blockquote>;
    case 'rich_text_preformatted':
      return <pre>{parts(element.elements)}</pre>;
    case 'rich_text_list': {
      const items = inOrder(element.elements, (item) => <li className="text">{parts(item.elements)}</li>);
      return element.style === 'ordered' ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

const parts = (all: RichTextPart[]) => inOrder(all, (part) => styled(part, drawPart(part)));

function drawPart(part: RichTextPart): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'link':
      return <Link url={part.url}>{part.text}</Link>;
    case 'user':
      return <Mention of="user" id={part.user_id} />;
    case 'usergroup':
      return <Mention of="group" id={part.usergroup_id} />;
    case 'channel':
      return <Mention of="channel" id={part.channel_id} />;
    case 'broadcast':
      return <Mention of="broadcast" id={part.range} />;
    case 'emoji':
      return <Emoji name={part.name} />;
    case 'date':
      return <time>{formatSlackDate(part.timestamp, part.format)}</time>;
  }
}

function styled({ style = {} }: RichTextPart, drawn: ReactNode): ReactNode {
  let all = drawn;
  if (style.code) all = <code>{all}</code>;
  if (style.bold) all = <strong>{all}</strong>;
  if (style.italic) all = <em>{all}</em>;
  if (style.strike) all = <s>{all}</s>;
  if (style.underline) all = <u>{all}</u>;
  return all;
}
