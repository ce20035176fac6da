/** Use case: whoever denied a request by a reaction says why. */
import { type Change, type ChangeDeps, changeRecord } from '../change-record.ts';
import { withNote } from '../notes.ts';
import type { RecordRef } from '../record-store.ts';

export type ReasonGiven =
  | { type: 'given' }
  | { type: 'not_found' }
  /** Only one of those who denied it may say why, and once. */
  | { type: 'not_theirs' }
  | { type: 'too_late' };

/** @throws where the storage is away */
export async function giveReason(
  deps: ChangeDeps,
  { by, reason, ...ref }: RecordRef & { by: string; reason: string },
): Promise<ReasonGiven> {
  const given = await changeRecord(deps, ref, (record, now): Change<ReasonGiven> => {
    const { approval } = record;
    const { decision } = approval ?? {};
    if (!approval || !decision) return { record, result: { type: 'not_found' } };
    if (!decision.by.includes(by)) return { record, result: { type: 'not_theirs' } };
    if (decision.choice === 'yes' || decision.reason) return { record, result: { type: 'too_late' } };
    const told = { ...record, approval: { ...approval, decision: { ...decision, reason } } };
    const next = withNote({ ...told, revision: record.revision + 1 }, { type: 'reason' }, now);
    return { record: next, result: { type: 'given' } };
  });
  return given ?? { type: 'not_found' };
}
