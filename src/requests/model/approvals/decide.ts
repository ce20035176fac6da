/** Carries out what the votes have decided. Pure. */
import { withNote } from '../notification.ts';
import type { RequestRecord } from '../record.ts';
import { transition } from '../transition.ts';
import { BUTTON, counted, type Verdict } from './votes.ts';

/**
 * @param reason why it was denied, where that was asked for
 * @param now epoch milliseconds
 * @returns the record approved or declined; the same one where approval is not awaited any more
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
  // The button has asked for a reason; after a reaction the thread asks for one.
  return choice === 'no' && source !== BUTTON ? withNote(done, { type: 'why' }, now) : done;
}
