/** The card: the one message that always shows the truth about a request. Pure. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../requests/record.ts';
import { STATES } from '../../requests/states.ts';
import { buttons } from './buttons.ts';
import { label } from './labels.ts';
import { LIMITS, truncate } from './limits.ts';
import { sentence } from './sentences.ts';
import { context, escaped, mention, plain, section, time } from './text.ts';
import { deedOf } from './words.ts';

export type Message = { text: string; blocks: types.KnownBlock[] };

export function card(record: RequestRecord): Message {
  const step = currentStep(record);
  const state = `*${label(record)}*\n${sentence(record, step)}${wordNote(record)}${slotNote(record)}`;
  return {
    text: truncate(`${escaped(deedOf(record))}: ${sentence(record, step)}`, LIMITS.messageText),
    blocks: [
      { type: 'header', text: plain(deedOf(record), LIMITS.headerText) },
      section(state),
      ...(record.reason ? [quote(record.reason)] : []),
      context(`Asked by ${mention(record.asker)} · ${time(record.askedAt)} · request \`${record.id}\``),
      ...buttons(record),
    ],
  };
}

/** What the service said in a word of its own, as it came. */
function wordNote({ word }: RequestRecord): string {
  return word === undefined ? '' : `\nThe order service calls it “${escaped(word)}”.`;
}

function slotNote({ holdsSlot, state }: RequestRecord): string {
  if (holdsSlot || !STATES[state].slot) return '';
  return '\nIt was reopened by the order service while another request for the same target is open.';
}

/** What a person typed goes into rich text, where nothing of it is taken for markup. */
function quote(reason: string): types.RichTextBlock {
  const text = truncate(reason, LIMITS.sectionText);
  return { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }] };
}
