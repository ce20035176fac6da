/** Applies an update of the card, the approval message or a notification. */
import { withEvidence } from '../model/changes/notify.ts';
import { withSharingSeen } from '../model/changes/sharing.ts';
import { retryAt, type UpdateResult } from '../model/messages/delivery.ts';
import type { MessageKey, TrackedMessage } from '../model/messages/message.ts';
import type { RequestRecord } from '../model/record.ts';
import type { ResultContext } from './apply-posting.ts';
import { withApprovalMessage, withoutApprovalMessage, withoutCard } from './lost-messages.ts';

/** Applies an update of a message. Repeating one does no harm, so doubt counts as delay. */
export function applyUpdate(
  record: RequestRecord,
  messageKey: MessageKey,
  result: UpdateResult,
  context: ResultContext,
): RequestRecord {
  if (messageKey.type === 'notification') return applyEdit(record, messageKey.n, result, context.now);
  const isApprovalMessage = messageKey.type === 'approval_message';
  const message = trackedMessageOf(record, messageKey);
  if (!message) return record;
  const withMessage = (changed: TrackedMessage) => withTrackedMessage(record, messageKey, changed);
  switch (result.type) {
    case 'posted':
    case 'kept': {
      const updated = withMessage({
        ...refreshed(message, context),
        shown: context.rendered,
        updateTries: 0,
      });
      const seen =
        isApprovalMessage && result.type === 'posted'
          ? withEvidence(updated, 'update', context.now)
          : updated;
      return withSharingSeen(seen, result, context.now);
    }
    case 'gone':
      if (!isApprovalMessage) return withoutCard(record, result.code, context.now);
      return withoutApprovalMessage(
        withMessage(updatedLater(message, context.now)),
        result.code,
        context.now,
      );
    case 'later':
      return withMessage(updatedLater(message, context.now, result.retryAfterMs));
    case 'doubtful':
      return withMessage(
        refreshedAfter(updatedLater(message, context.now), context.now + context.timings.appearMs),
      );
  }
}

/** @returns undefined for a reply or a notification, which show no revision of the record */
function trackedMessageOf(
  { approval, card }: RequestRecord,
  { type }: MessageKey,
): TrackedMessage | undefined {
  if (type === 'card') return card;
  return type === 'approval_message' ? approval?.approvalMessage : undefined;
}

const withTrackedMessage = (
  record: RequestRecord,
  messageKey: MessageKey,
  message: TrackedMessage,
): RequestRecord =>
  messageKey.type === 'approval_message'
    ? withApprovalMessage(record, message)
    : { ...record, card: message };

/** Owes one more update: an earlier one may still arrive until then, and overwrite newer content. */
function refreshedAfter(message: TrackedMessage, at: number): TrackedMessage {
  return { ...message, refreshAt: Math.max(message.refreshAt ?? 0, at) };
}

/** Fulfils the extra update if this one began late enough. */
function refreshed({ refreshAt, ...message }: TrackedMessage, { claim }: ResultContext): TrackedMessage {
  const isDone = refreshAt === undefined || claim.startedAt >= refreshAt;
  return isDone ? message : { ...message, refreshAt };
}

function updatedLater(message: TrackedMessage, now: number, retryAfterMs?: number): TrackedMessage {
  const updateTries = message.updateTries + 1;
  return { ...message, updateTries, updateAt: retryAt(now, updateTries, retryAfterMs) };
}

/** Applies an update whose claim was taken over: it may have overwritten newer content, or may do so soon. */
export function applyLateUpdate(
  record: RequestRecord,
  messageKey: MessageKey,
  { type }: UpdateResult,
  { now, timings }: ResultContext,
): RequestRecord {
  const message = trackedMessageOf(record, messageKey);
  if (!message) return record;
  const shownAnew = { ...message, shown: 0 };
  const owing = type === 'doubtful' ? refreshedAfter(shownAnew, now + timings.appearMs) : shownAnew;
  return withTrackedMessage(record, messageKey, owing);
}

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
