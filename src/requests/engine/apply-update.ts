/** Applies an update of a message of a request. */

import type { UpdateResult } from '../../outbox/delivery.ts';
import { afterLateUpdate, afterUpdate, type Upkeep, updatedLater } from '../../outbox/upkeep.ts';
import { withMessage } from '../model/changes/messages.ts';
import { withEvidence } from '../model/changes/notify.ts';
import { withSharingSeen } from '../model/changes/sharing.ts';
import { messageOf } from '../model/facts/messages.ts';
import type { RequestMessage } from '../model/message.ts';
import type { RequestRecord } from '../model/record.ts';
import type { ResultContext } from './apply-posting.ts';
import { withoutApprovalMessage, withoutCard } from './lost-messages.ts';

/** Applies an update of a message. */
export function applyUpdate(
  record: RequestRecord,
  messageKey: string,
  result: UpdateResult,
  context: ResultContext,
): RequestRecord {
  const message = messageOf(record, messageKey);
  if (!message) return record;
  if (result.type === 'gone') return withoutMessage(record, message, result.code, context);
  const { rendered, claim, now, timings } = context;
  const given = { ...timings, rendered, startedAt: claim.startedAt, now };
  const updated = withUpkeep(record, messageKey, (upkeep) => afterUpdate(upkeep, result, given));
  if (result.type !== 'posted' && result.type !== 'kept') return updated;
  const isSeen = message.type === 'approval' && result.type === 'posted';
  return withSharingSeen(isSeen ? withEvidence(updated, 'update', now) : updated, result, now);
}

/** Nobody can see the message any more. A later change of the service has a reply of its own then. */
function withoutMessage(
  record: RequestRecord,
  { type, key }: RequestMessage,
  code: string,
  { now }: ResultContext,
): RequestRecord {
  switch (type) {
    case 'card':
      return withoutCard(record, code, now);
    case 'approval':
      return withoutApprovalMessage(
        withUpkeep(record, key, (upkeep) => updatedLater(upkeep, now)),
        code,
        now,
      );
    default:
      return withMessage(record, key, ({ upkeep: _gone, ...message }) => message);
  }
}

/** Changes the upkeep of a message, if it is kept up to date. */
const withUpkeep = (
  record: RequestRecord,
  messageKey: string,
  change: <U extends Upkeep>(upkeep: U) => U,
): RequestRecord =>
  withMessage(record, messageKey, (message) =>
    message.upkeep ? { ...message, upkeep: change(message.upkeep) } : message,
  );

/** Applies an update whose claim was taken over. */
export const applyLateUpdate = (
  record: RequestRecord,
  messageKey: string,
  result: UpdateResult,
  { now, timings }: ResultContext,
): RequestRecord =>
  withUpkeep(record, messageKey, (upkeep) => afterLateUpdate(upkeep, result, { ...timings, now }));
