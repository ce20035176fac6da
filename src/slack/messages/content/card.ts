/** The card: the one message that always shows the truth about a request. */

import type { types } from '@slack/bolt';
import { approvalMessageOf } from '../../../requests/model/facts/messages.ts';
import { asChannelReads } from '../../../requests/model/facts/reasons.ts';
import { endedByMistake } from '../../../requests/model/facts/refusal.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { deedOf, KIND_COPY } from '../../blocks/kind-copy.ts';
import { label, recordedNote } from '../../blocks/labels.ts';
import { code, context, escaped, LIMITS, type Message, plain, section, truncate } from '../../blocks/text.ts';
import { awaiting, decisionText, howToVote } from '../sentences/approval-texts.ts';
import { happened, sentence } from '../sentences/sentences.ts';
import {
  earlierRequests,
  linkLines,
  quote,
  reasonsElsewhere,
  requestedBy,
  titleOf,
} from '../sentences/summary.ts';
import { buttons } from './buttons.ts';

/**
 * @param addresses what admins have set; none where people of another company read
 * @param approvers mentions of those who can vote on this card, if it has just to be posted
 */
export function card(whole: RequestRecord, addresses?: Addresses, approvers?: string): Message {
  const record = asChannelReads(whole);
  const step = currentStep(record);
  if (endedByMistake(record)) return mistaken(record);
  const said = approvers === undefined ? sentence(record, step) : awaiting(record, approvers);
  const state = `*${label(record)}*${recordedNote(record)}\n${said}${wordNote(record)}${slotNote(record)}`;
  const decision = decisionText(record);
  return {
    text: truncate(`${escaped(deedOf(record))}: ${said}`, LIMITS.messageText),
    blocks: [
      { type: 'header', text: plain(deedOf(record), LIMITS.headerText) },
      section(state),
      ...(record.inSharedChannel ? [context(reasonsElsewhere(record))] : quote(record.reason)),
      context(
        [...linkLines(record, addresses), requestedBy(record), ...(decision ? [decision] : [])].join('\n'),
      ),
      ...voting(record),
      ...buttons(record),
    ],
  };
}

/** One line: the rest, which helps nobody but the requester, is told to them. */
function mistaken(record: RequestRecord): Message {
  const line = `${titleOf(record)} · ${label(record)} · ${requestedBy(record)}`;
  return {
    text: truncate(`${escaped(deedOf(record))}: ${happened(record)}`, LIMITS.messageText),
    blocks: [context(line)],
  };
}

/** The facts for approvers, on a card that people vote on. */
function voting(record: RequestRecord): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval || approvalMessageOf(record)) return [];
  return [...earlierRequests(record), context(howToVote(approval))];
}

/** The status word of the service, if the interface does not list it. */
function wordNote({ word }: RequestRecord): string {
  return word === undefined ? '' : `\nThe order service reports the status ${code(word)}.`;
}

function slotNote({ holdsSlot, state, kind }: RequestRecord): string {
  if (holdsSlot || !STATES[state].slot) return '';
  return `\nThe order service reopened this request while another request for the same ${KIND_COPY[kind].noun} is open.`;
}
