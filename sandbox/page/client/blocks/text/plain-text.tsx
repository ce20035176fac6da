import { Fragment } from 'react';
import type { TextObject } from '../../../../slack/blocks/text.ts';
import { Emoji } from './emoji.tsx';
import { Mrkdwn } from './mrkdwn.tsx';

/** Plain text, with emoji rendered. */
export function PlainText({ text }: { text: string }) {
  const parts = text.split(/:([\w+-]+):/);
  return (
    <span className="text">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which is drawn anew when it changes
        <Fragment key={index}>{index % 2 === 1 ? <Emoji name={part} /> : part}</Fragment>
      ))}
    </span>
  );
}

/** A text object of either kind. */
export function Text({ type, text }: TextObject) {
  return type === 'mrkdwn' ? <Mrkdwn text={text} /> : <PlainText text={text} />;
}
