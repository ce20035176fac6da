/** What the notifications channel reads of an event that nobody asked for. Pure. */
import { serviceStatus } from '../../requests/cause.ts';
import type { Notice } from '../../requests/notice.ts';
import type { Message } from './card.ts';
import { escaped, section, time } from './text.ts';
import { WORDS } from './words.ts';

/** The word of the service, as it came: the interface lists four of them. */
export function noticeMessage({ event, kind, at }: Notice): Message {
  const status = serviceStatus(event.status) ?? event.status;
  const text =
    `:mailbox_with_mail: The order service announced that a request about ${WORDS[kind].noun} ` +
    `${escaped(event.target)} is *${escaped(status)}* (${time(at)}). Nobody asked for it through Countermand.`;
  return { text, blocks: [section(text)] };
}
