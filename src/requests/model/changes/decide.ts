/** Applies the decision of the votes to the record. */

import { BUTTON, counted, type Verdict } from '../approvals/votes.ts';
import type { RequestRecord } from '../record.ts';
import { transition } from '../transition.ts';
import { withNote } from './notify.ts';

/**
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
