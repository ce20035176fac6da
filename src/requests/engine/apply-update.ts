/** Applies an update of a message: the card, the approval message, a reply or a notification. */

import { retryAt, type UpdateResult } from '../../outbox/delivery.ts';
import { afterLateUpdate, afterUpdate, type Upkeep, updatedLater } from '../../outbox/upkeep.ts';
import { withReply } from '../model/changes/deliveries.ts';
import { withEvidence } from '../model/changes/notify.ts';
import { withSharingSeen } from '../model/changes/sharing.ts';
import type { MessageKey } from '../model/message.ts';
import type { RequestRecord } from '../model/record.ts';
import type { ResultContext } from './apply-posting.ts';
import { withApprovalMessage, withoutApprovalMessage, withoutCard } from './lost-messages.ts';

/** Applies an update of a message. */
export function applyUpdate(
  record: RequestRecord,
  messageKey: MessageKey,
  result: UpdateResult,
  context: ResultContext,
): RequestRecord {
  if (messageKey.type === 'notification') return applyEdit(record, messageKey.n, result, context.now);
  if (result.type === 'gone') return withoutMessage(record, messageKey, result.code, context);
  const { rendered, claim, now, timings } = context;
  const given = { ...timings, rendered, startedAt: claim.startedAt, now };
  const updated = withUpkeep(record, messageKey, (message) => afterUpdate(message, result, given));
  if (result.type !== 'posted' && result.type !== 'kept') return updated;
  const isSeen = messageKey.type === 'approval_message' && result.type === 'posted';
  return withSharingSeen(isSeen ? withEvidence(updated, 'update', now) : updated, result, now);
}

/** Nobody can see the message any more. A later change of the service has a reply of its own then. */
function withoutMessage(
  record: RequestRecord,
  messageKey: Exclude<MessageKey, { type: 'notification' }>,
  code: string,
  { now }: ResultContext,
): RequestRecord {
  switch (messageKey.type) {
    case 'card':
      return withoutCard(record, code, now);
    case 'approval_message': {
      if (!record.approval?.approvalMessage) return record;
      const later = withUpkeep(record, messageKey, (message) => updatedLater(message, now));
      return withoutApprovalMessage(later, code, now);
    }
    case 'reply':
      return withReply(record, messageKey.n, ({ summary: _gone, ...reply }) => reply);
  }
}

/** Changes the upkeep of a message that is kept up to date. A notification is changed by an edit (applyEdit). */
function withUpkeep(
  record: RequestRecord,
  messageKey: MessageKey,
  change: <U extends Upkeep>(message: U) => U,
): RequestRecord {
  switch (messageKey.type) {
    case 'card':
      return { ...record, card: change(record.card) };
    case 'approval_message': {
      const { approvalMessage } = record.approval ?? {};
      return approvalMessage ? withApprovalMessage(record, change(approvalMessage)) : record;
    }
    case 'reply':
      return withReply(record, messageKey.n, (reply) =>
        reply.summary ? { ...reply, summary: change(reply.summary) } : reply,
      );
    case 'notification':
      return record;
  }
}

/** Applies an update whose claim was taken over. */
export const applyLateUpdate = (
  record: RequestRecord,
  messageKey: MessageKey,
  result: UpdateResult,
  { now, timings }: ResultContext,
): RequestRecord =>
  withUpkeep(record, messageKey, (message) => afterLateUpdate(message, result, { ...timings, now }));

/**
 * Applies the result of changing notification `n`. Each attempt writes the same, so doubt counts as delay; where nobody
 * can see the message any more, or Slack does not let it be changed, nothing is left to do.
 */
function applyEdit(record: RequestRecord, n: number, result: UpdateResult, now: number): RequestRecord {
  const notifications = record.notifications.map((notification) => {
    const { edit, ...rest } = notification;
    if (notification.n !== n || !edit) return notification;
    if (result.type !== 'later' && result.type !== 'doubtful') return rest;
    const tries = edit.tries + 1;
    const retryAfterMs = result.type === 'later' ? result.retryAfterMs : undefined;
    return { ...rest, edit: { tries, notBefore: retryAt(now, tries, retryAfterMs) } };
  });
  return { ...record, notifications };
}
