/** A word or two for each state, with an emoji in front. */

import type { Summary } from '../../requests/model/approvals/approval.ts';
import { summarize, summarizeAt } from '../../requests/model/facts/summary.ts';
import type { RequestRecord, Step } from '../../requests/model/record.ts';
import type { State } from '../../requests/model/states.ts';
import { mention } from './text.ts';

export const LABELS: Record<State, string> = {
  awaiting_approval: ':raised_hand: Awaiting approval',
  queued: ':hourglass_flowing_sand: Queued',
  calling: ':hourglass_flowing_sand: Being sent',
  under_review: ':mag: In review',
  unknown: ':grey_question: Outcome unknown',
  canceled: ':white_check_mark: Cancelled',
  approved: ':white_check_mark: Approved',
  denied: ':no_entry: Denied',
  sent: ':white_check_mark: Sent',
  failed: ':x: Refused',
  declined: ':no_entry: Declined',
  withdrawn: ':leftwards_arrow_with_hook: Withdrawn',
  already_canceled: ':fast_forward: Already cancelled',
  expired: ':hourglass: Expired',
  not_sent: ':x: Stopped',
  closed: ':lock: Closed',
};

/** What a person records is about the order, and not about a review of which nothing may be known. */
const LABELS_IF_RECORDED: Record<State, string> = {
  ...LABELS,
  approved: ':white_check_mark: Cancelled',
  denied: ':no_entry: Not cancelled',
};

/** It failed without a refusal: it became known later that no call was received. */
export const NOT_RECEIVED = ':x: Not received';

const HOW: Record<NonNullable<Summary['how']>, string> = {
  accepted: ':inbox_tray: Accepted',
  not_received: NOT_RECEIVED,
  not_asked: ':x: Not sent',
};

export const label = (record: RequestRecord): string => labelOf(summarize(record));

export const stepLabel = (record: RequestRecord, step: Step): string => labelOf(summarizeAt(record, step));

export function labelOf({ state, how, recordedBy }: Summary): string {
  if (how) return HOW[how];
  return (recordedBy === undefined ? LABELS : LABELS_IF_RECORDED)[state];
}

export const recordedNote = (record: RequestRecord): string => recordedNoteOf(summarize(record));

/** Behind a label: what a person recorded is not the word of the order service. */
export const recordedNoteOf = ({ recordedBy }: Summary): string =>
  recordedBy === undefined ? '' : ` · recorded by ${mention(recordedBy)}`;
