import { Fragment } from 'react';
import type { TextObject } from '../../../../slack/blocks/text.ts';
import { Emoji } from './emoji.tsx';
import { Mrkdwn } from './mrkdwn.tsx';

/** Plain text. `emoji`: whether names of emoji are drawn as such. */
export function PlainText({ text, emoji = true }: { text: string; emoji?: boolean }) {
  const parts = emoji ? text.split(/:([\w+-]+):/) : [text];
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
export function Text(shown: TextObject) {
  return shown.type === 'mrkdwn' ? <Mrkdwn text={shown.text} /> : <PlainText {...shown} />;
}
