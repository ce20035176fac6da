/** The card: the one message that always shows the truth about a request. */

import type { types } from '@slack/bolt';
import { asChannelReads } from '../../../requests/model/reasons.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { approvalMessageOf } from '../../../requests/model/record-messages.ts';
import { endedByMistake } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { deedOf, KIND_COPY } from '../../blocks/kind-copy.ts';
import { code, context, escaped, LIMITS, type Message, section, truncate } from '../../blocks/text.ts';
import { awaiting, howToVote } from '../sentences/approval-texts.ts';
import { cardLine, happened, sentence } from '../sentences/sentences.ts';
import {
  earlierRequests,
  linkLines,
  quote,
  reasonsElsewhere,
  requestedBy,
  shortQuote,
} from '../sentences/summary.ts';
import { buttons } from './buttons.ts';
import { footer, heading, headingOf } from './heading.ts';

/**
 * @param addresses what admins have set; none where people of another company read
 * @param approvers mentions of those who can vote on this card, if it has just to be posted
 */
export function card(whole: RequestRecord, addresses?: Addresses, approvers?: string): Message {
  const record = asChannelReads(whole);
  const said = approvers === undefined ? spoken(record) : awaiting(record, approvers);
  return {
    text: truncate(`${escaped(deedOf(record))}: ${said}`, LIMITS.messageText),
    // One line: the rest, which helps nobody but the requester, is told to them.
    blocks: endedByMistake(record)
      ? [context(`${headingOf(record)} · ${requestedBy(record)}`)]
      : blocksOf(record, addresses, approvers),
  };
}

/** For notifications and screen readers, which know no heading, footer and thread. */
const spoken = (record: RequestRecord): string =>
  endedByMistake(record) ? happened(record) : sentence(record, currentStep(record));

function blocksOf(
  record: RequestRecord,
  addresses: Addresses | undefined,
  approvers: string | undefined,
): types.KnownBlock[] {
  const line = approvers === undefined ? cardLine(record) : awaiting(record, approvers);
  const lines = [line, wordNote(record), slotNote(record)].filter((each) => each !== undefined);
  const isOpen = STATES[record.state].slot;
  const texts = isOpen ? lines : [headingOf(record), ...lines];
  const reason = isOpen ? quote(record) : shortQuote(record);
  return [
    ...(isOpen ? heading(record) : []),
    ...(texts.length > 0 ? [section(texts.join('\n'))] : []),
    ...(record.inSharedChannel ? [context(reasonsElsewhere(record))] : reason),
    context([...linkLines(record, addresses), footer(record)].join('\n')),
    ...voting(record),
    ...buttons(record),
  ];
}

/** The facts for approvers, on a card that people vote on. */
function voting(record: RequestRecord): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval || approvalMessageOf(record)) return [];
  return [...earlierRequests(record), context(howToVote(approval))];
}

/** The status word of the service, if the interface does not list it. */
const wordNote = ({ word }: RequestRecord): string | undefined =>
  word === undefined ? undefined : `The order service reports the status ${code(word)}.`;

const slotNote = ({ holdsSlot, state, kind }: RequestRecord): string | undefined =>
  holdsSlot || !STATES[state].slot
    ? undefined
    : `The order service reopened this request while another request for the same ${KIND_COPY[kind].noun} is open.`;
