/** What a step says in the card's thread, or to the asker alone. Pure. */
import { asChannelReads } from '../../requests/model/facts/reasons.ts';
import type { RequestRecord, Step } from '../../requests/model/record.ts';
import { LIMITS, truncate } from '../blocks/limits.ts';
import { section } from '../blocks/text.ts';
import type { Message } from './card.ts';
import { directText, replyText } from './sentences/sentences.ts';

export function reply(record: RequestRecord, step: Step): Message {
  const text = step.reply?.to === 'asker' ? directText(record, step) : threadText(record, step);
  return { text: truncate(text, LIMITS.messageText), blocks: [section(text)] };
}

/** As the channel of the thread may read it. */
function threadText(record: RequestRecord, step: Step): string {
  const shown = asChannelReads(record);
  return replyText(shown, shown.steps.find(({ n }) => n === step.n) ?? step);
}
