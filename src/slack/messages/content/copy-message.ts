/** The text that takes the place of a second copy of a message. */

import { type Message, section } from '../../blocks/text.ts';

/** @param link to the message that stays */
export function copyMessage(link: string | undefined): Message {
  const there = link ? `<${link}|the other one>` : 'the other one';
  const text = `This message was posted twice by mistake. Please use ${there}: buttons and reactions count there.`;
  return { text, blocks: [section(text)] };
}
