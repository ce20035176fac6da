/** Use case: a person who declined a request by a reaction gives the reason. */
import type { RecordRef } from '../../../outbox/record-store.ts';
import type { RequestRecord } from '../../model/record.ts';
import { withNote, withNotesOutdated } from '../../model/record-notes.ts';
import { type ChangeDeps, changeRecord, type RequestChange } from '../../store/change-record.ts';

export type ReasonGiven =
  | { type: 'given'; record: RequestRecord }
  | { type: 'not_found' }
  /** Only a person who declined the request may give a reason, and only once. */
  | { type: 'not_theirs' }
  | { type: 'too_late' };

type Giving = RecordRef & { by: string };

/**
 * Adds the reason to the decision. The requester is notified, and the message with the button is changed. The same reason once
 * more changes nothing.
 *
 * @throws if the storage is unavailable
 */
export async function giveReason(
  deps: ChangeDeps,
  { reason, ...giving }: Giving & { reason: string },
): Promise<ReasonGiven> {
  const given = await changeRecord(deps, giving, (record, now): RequestChange<ReasonGiven> => {
    const result = mayGive(record, giving.by);
    const { approval } = record;
    // The form was submitted again, because its answer was late.
    if (result.type === 'too_late' && approval?.decision?.reason === reason)
      return { record, result: { type: 'given', record } };
    if (result.type !== 'given' || !approval?.decision) return { record, result };
    const decision = { ...approval.decision, reason, reasonAt: now };
    const withReason = { ...record, approval: { ...approval, decision } };
    const shown = { ...withReason, revision: record.revision + 1 };
    const next = withNote(withNotesOutdated(shown, 'reason_wanted', now), { type: 'reason' }, now);
    return { record: next, result: { type: 'given', record: next } };
  });
  return given ?? { type: 'not_found' };
}

/** Whether a reason would be accepted, without giving one. @throws if the storage is unavailable */
export async function mayGiveReason(
  { store }: Pick<ChangeDeps, 'store'>,
  { by, ...ref }: Giving,
): Promise<ReasonGiven> {
  const found = await store.get(ref);
  return found ? mayGive(found.record, by) : { type: 'not_found' };
}

function mayGive(record: RequestRecord, by: string): ReasonGiven {
  const { decision } = record.approval ?? {};
  if (!decision) return { type: 'not_found' };
  if (!decision.by.includes(by)) return { type: 'not_theirs' };
  return decision.choice === 'yes' || decision.reason ? { type: 'too_late' } : { type: 'given', record };
}
