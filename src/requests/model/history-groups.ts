/** Sorts requests into the groups by which a person filters the history. */
import type { State } from './states.ts';

/** `unfinished`: something can still happen to the request by itself. The other groups follow from its state. */
export const HISTORY_GROUPS = [
  'open',
  'unknown',
  'canceled',
  'sent',
  'refused',
  'ended',
  'unfinished',
] as const;
export type HistoryGroup = (typeof HISTORY_GROUPS)[number];

export const GROUPS_OF: Readonly<Record<State, readonly [HistoryGroup, ...HistoryGroup[]]>> = {
  awaiting_approval: ['open'],
  queued: ['open'],
  calling: ['open'],
  under_review: ['open'],
  unknown: ['open', 'unknown'],
  canceled: ['canceled'],
  approved: ['canceled'],
  already_canceled: ['canceled'],
  sent: ['sent'],
  denied: ['refused'],
  failed: ['refused'],
  declined: ['refused'],
  withdrawn: ['ended'],
  expired: ['ended'],
  not_sent: ['ended'],
  closed: ['ended'],
};
