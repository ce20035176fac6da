/** Notes in the history of a request that an action of a person came too late. */
import type { LateAction, RequestRecord } from '../record.ts';

/** Older ones are dropped. */
const MOST_KEPT = 20;

export function lateAction(
  { state }: RequestRecord,
  { by, action }: Pick<LateAction, 'by' | 'action'>,
  now: number,
): LateAction {
  return { at: now, by, action, state };
}

/** @returns the same record if it says this already: a person may press a button again and again */
export function withLateAction(record: RequestRecord, late: LateAction): RequestRecord {
  const { by, action, state } = late;
  const isKnown = record.lateActions.some(
    (other) => other.by === by && other.action === action && other.state === state,
  );
  return isKnown ? record : { ...record, lateActions: [...record.lateActions, late].slice(-MOST_KEPT) };
}
