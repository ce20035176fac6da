/** Texts: plain, and with Slack's formatting, emoji, mentions and links. */
import { Fragment, type ReactNode } from 'react';
import type { RichTextElement, RichTextPart, TextObject } from '../../../slack/blocks/text.ts';
import { richTextOf } from '../../../slack/render/mrkdwn.ts';
import { Emoji, Link, Mention } from './references.tsx';
import { formatSlackDate } from './slack-date.ts';

export function Text(shown: TextObject) {
  return shown.type === 'mrkdwn' ? <Mrkdwn text={shown.text} /> : <PlainText {...shown} />;
}

/** Plain text. `emoji`: whether names of emoji are drawn as such. */
export function PlainText({ text, emoji = true }: { text: string; emoji?: boolean }) {
  const parts = emoji ? text.split(/:([\w+-]+):/) : [text];
  return (
    <span className="text">
      {inOrder(parts, (part, index) => (index % 2 === 1 ? <Emoji name={part} /> : part))}
    </span>
  );
}

export function Mrkdwn({ text }: { text: string }) {
  return <span className="text">{inOrder(richTextOf(text), drawElement)}</span>;
}

/** A rich_text block, whose texts are not parsed. */
export function RichText({ elements }: { elements: RichTextElement[] }) {
  return inOrder(elements, (each) => <div className="text">{drawElement(each)}</div>);
}

/** Draws the parts of one text or block. The index is their key, because all of them are drawn again when it changes. */
export const inOrder = <T,>(all: readonly T[], drawOne: (each: T, index: number) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  all.map((each, index) => <Fragment key={index}>{drawOne(each, index)}</Fragment>);

function drawElement({ type, elements }: RichTextElement): ReactNode {
  const parts = inOrder<RichTextPart>(elements, (part) => styled(part, drawPart(part)));
  if (type === 'rich_text_quote') return <blockquote>{parts}</blockquote>;
  return type === 'rich_text_preformatted' ? <pre>{parts}</pre> : parts;
}

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
  return all;
}
