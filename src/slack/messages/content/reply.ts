/** The reply of a step, in the card's thread or to the requester alone. */
import { asChannelReads } from '../../../requests/model/facts/reasons.ts';
import type { RequestRecord, Step } from '../../../requests/model/record.ts';
import { LIMITS, type Message, mentions, type NamePeople, section, truncate } from '../../blocks/text.ts';
import { directText, replyText } from '../sentences/sentences.ts';

export function reply(record: RequestRecord, step: Step, people: NamePeople = mentions): Message {
  const text =
    step.reply?.to === 'requester' ? directText(record, step, people) : threadText(record, step, people);
  return { text: truncate(text, LIMITS.messageText), blocks: [section(text)] };
}

/** The text for the readers of the thread's channel. */
function threadText(record: RequestRecord, step: Step, people: NamePeople): string {
  const shown = asChannelReads(record);
  return replyText(shown, shown.steps.find(({ n }) => n === step.n) ?? step, people);
}
