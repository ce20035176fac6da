/** A word or two for each state, with an emoji in front. */
import type { RequestRecord, Step } from '../../requests/record.ts';
import type { State } from '../../requests/states.ts';

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
  overtaken: ':fast_forward: Overtaken',
  lapsed: ':hourglass: Lapsed',
  not_sent: ':x: Stopped',
  closed: ':lock: Released',
};

export function label({ state, call }: Pick<RequestRecord, 'state' | 'call'>): string {
  return state === 'queued' && call.waiting ? ':hourglass_flowing_sand: Waiting' : LABELS[state];
}

export function stepLabel({ state }: Step): string {
  return LABELS[state];
}
