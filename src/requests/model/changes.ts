/** Changes a record by an act of a person: a pause, a decision, an action that came too late. */
import { BUTTON, counted, type Verdict } from './approvals/votes.ts';
import { isSamePause, type Pause } from './pause.ts';
import type { LateAction, RequestRecord } from './record.ts';
import { withNote } from './record-notes.ts';
import { STATES } from './states.ts';
import { transition } from './transition.ts';

/**
 * Shows on a request that sending is paused, or is not any more.
 *
 * @param pause as the settings have it; undefined: sending is not paused
 * @returns the same record if it shows that already, or if nothing of it waits to be sent
 */
export function withPause(record: RequestRecord, pause: Pause | undefined, now: number): RequestRecord {
  if (!STATES[record.state].beforeCall || isSamePause(record.paused, pause)) return record;
  const { paused: _before, ...rest } = record;
  const seen = { ...rest, revision: rest.revision + 1 };
  return pause ? { ...seen, paused: pause } : withConfirmationFrom(seen, now);
}

/** Begins the wait for a confirmation anew: that the votes were not confirmed during the pause is no fault to report. */
function withConfirmationFrom(record: RequestRecord, now: number): RequestRecord {
  const { approval } = record;
  if (!approval?.confirmation) return record;
  return {
    ...record,
    approval: { ...approval, confirmation: { ...approval.confirmation, since: now, notBefore: now } },
  };
}

/** The number of late actions that are kept: older ones are dropped. */
const MOST_LATE_ACTIONS = 20;

/** An action that comes too late, with the state that the request is in by then. */
export function lateAction(
  { state }: RequestRecord,
  { by, action }: Pick<LateAction, 'by' | 'action'>,
  now: number,
): LateAction {
  return { at: now, by, action, state };
}

/** Notes a late action. @returns the same record if it is noted already: a person may press a button again and again */
export function withLateAction(record: RequestRecord, late: LateAction): RequestRecord {
  const { by, action, state } = late;
  const isKnown = record.lateActions.some(
    (other) => other.by === by && other.action === action && other.state === state,
  );
  return isKnown
    ? record
    : { ...record, lateActions: [...record.lateActions, late].slice(-MOST_LATE_ACTIONS) };
}

/**
 * Applies the decision of the approvers.
 *
 * @param reason why the request was declined, if a reason was asked for
 * @param now epoch milliseconds
 * @returns the record approved or declined; the same record if it no longer awaits approval
 */
export function decided(
  record: RequestRecord,
  { choice, by }: Extract<Verdict, { type: 'decided' }>,
  now: number,
  reason?: string,
): RequestRecord {
  const { approval } = record;
  const moved = approval && transition(record, { type: 'decision', choice, by }, now);
  if (!moved) return record;
  const last = counted(approval).findLast((vote) => by.includes(vote.by));
  const source = last?.source ?? BUTTON;
  const decision = { choice, by, at: now, source, ...(reason ? { reason } : {}) };
  const done = { ...moved, approval: { ...approval, decision } };
  // The button has asked for a reason already; after a reaction the bot asks for one.
  return choice === 'no' && source !== BUTTON ? withNote(done, { type: 'reason_wanted' }, now) : done;
}
