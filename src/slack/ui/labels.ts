/** A word or two for each state, with an emoji in front. */
import { isAccepted } from '../../requests/cause.ts';
import { isRecorded } from '../../requests/correction.ts';
import { currentStep, type RequestRecord, type Step } from '../../requests/record.ts';
import { refusalAt } from '../../requests/refusal.ts';
import type { State } from '../../requests/states.ts';
import { mention } from './text.ts';

export const LABELS: Record<State, string> = {
  awaiting_approval: ':raised_hand: Awaiting approval',
  queued: ':hourglass_flowing_sand: On its way',
  calling: ':hourglass_flowing_sand: Being sent',
  under_review: ':mag: In review',
  unknown: ':grey_question: Outcome unknown',
  canceled: ':white_check_mark: Cancelled',
  approved: ':white_check_mark: Approved',
  denied: ':no_entry: Denied',
  sent: ':white_check_mark: Sent',
  failed: ':x: Refused',
  declined: ':no_entry: Denied by the approvers',
  withdrawn: ':leftwards_arrow_with_hook: Withdrawn',
  already_canceled: ':fast_forward: Already cancelled',
  expired: ':hourglass: Expired',
  not_sent: ':x: Stopped',
  closed: ':lock: Released',
};

/** Of the outcomes that a person can record: what they said of the order or offer. */
const RECORDED: Partial<Record<State, string>> = {
  canceled: ':white_check_mark: Cancelled',
  approved: ':white_check_mark: Cancelled',
  denied: ':no_entry: Not cancelled',
};

const WAITING = ':hourglass_flowing_sand: Waiting';
/** The service has it, and did not say that it reviews it. */
const ACCEPTED = ':inbox_tray: Accepted';
/** It failed without a refusal: it became known later that no call was received. */
export const NOT_RECEIVED = ':x: Not received';

export function label(record: RequestRecord): string {
  return record.state === 'queued' && record.call.waiting ? WAITING : stepLabel(record, currentStep(record));
}

export function stepLabel(record: RequestRecord, step: Step): string {
  if (isRecorded(step)) return RECORDED[step.state] ?? LABELS[step.state];
  if (step.state === 'under_review' && isAccepted(step.cause)) return ACCEPTED;
  if (step.state === 'failed' && !refusalAt(record, step.n)) return NOT_RECEIVED;
  return LABELS[step.state];
}

/** Behind a label: what a person recorded is not the word of the order service. */
export function recordedNote(record: RequestRecord): string {
  const step = currentStep(record);
  return isRecorded(step) && step.cause.type === 'person' ? ` · recorded by ${mention(step.cause.by)}` : '';
}
