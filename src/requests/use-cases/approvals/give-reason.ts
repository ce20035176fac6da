/** Use case: a person who declined a request gives the reason, which a reaction does not have. */
import type { RecordRef } from '../../../outbox/record-store.ts';
import type { RequestRecord } from '../../model/record.ts';
import { isCardGone } from '../../model/record-messages.ts';
import { withNote, withQuestionsOutdated } from '../../model/record-notes.ts';
import type { Directory } from '../../ports/ports.ts';
import { type ChangeDeps, changeRequest, type RequestChange } from '../../store/writes.ts';
import { findMember, type NotAllowed } from '../who-may.ts';

export type ReasonGiven =
  | { type: 'given'; record: RequestRecord }
  | { type: 'not_found' }
  /** Only a person who declined the request may give a reason, and only once. */
  | { type: 'not_theirs' }
  | { type: 'too_late' }
  /** The person was a full member when they declined, and is none any more. */
  | NotAllowed;

type GiveReasonDeps = ChangeDeps & { directory: Directory };

type Giving = RecordRef & { by: string };

/**
 * Adds the reason to the decision. The requester is told, and the message with the button is updated. The same reason, given once
 * more, changes nothing.
 */
export async function giveReason(
  deps: GiveReasonDeps,
  { by, reason, ...ref }: Giving & { reason: string },
): Promise<ReasonGiven> {
  const given = await changeRequest(deps, ref, (record, now) => addReason(deps, record, { by, reason }, now));
  return given ?? { type: 'not_found' };
}

/** Adds the reason to a record, if the person may give it. @throws if Slack can't say who the person is */
export async function addReason(
  deps: Pick<GiveReasonDeps, 'directory'>,
  record: RequestRecord,
  { by, reason }: { by: string; reason: string },
  now: number,
): Promise<RequestChange<ReasonGiven>> {
  const result = await mayGive(deps, record, by);
  const { approval } = record;
  // The form was submitted again, because its answer was late.
  if (result.type === 'too_late' && approval?.decision?.reason === reason)
    return { record, result: { type: 'given', record } };
  if (result.type !== 'given' || !approval?.decision) return { record, result };
  const decision = { ...approval.decision, reason, reasonAt: now };
  const shown = { ...record, revision: record.revision + 1, approval: { ...approval, decision } };
  const told = withQuestionsOutdated(shown, now);
  const to = isCardGone(record) ? 'requester' : undefined;
  const next = withNote(told, { type: 'reason' }, now, to);
  return { record: next, result: { type: 'given', record: next } };
}

/** Whether a reason would be accepted, without giving one. */
export async function mayGiveReason(
  deps: Pick<GiveReasonDeps, 'store' | 'directory'>,
  { by, ...ref }: Giving,
): Promise<ReasonGiven> {
  const found = await deps.store.get(ref);
  return found ? mayGive(deps, found.record, by) : { type: 'not_found' };
}

async function mayGive(
  { directory }: Pick<GiveReasonDeps, 'directory'>,
  record: RequestRecord,
  by: string,
): Promise<ReasonGiven> {
  const { decision } = record.approval ?? {};
  if (!decision) return { type: 'not_found' };
  if (!decision.by.includes(by)) return { type: 'not_theirs' };
  if (decision.choice === 'yes' || decision.reason) return { type: 'too_late' };
  const giver = await findMember(directory, record.workspace, by);
  return giver.type === 'not_allowed' ? giver : { type: 'given', record };
}
