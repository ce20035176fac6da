/** Adds notifications to a record, and keeps the problem of its approvers. */

import { owed } from '../../../outbox/delivery.ts';
import { type ApproversProblem, CLEARED_BY, type Evidence } from '../approvals/problems.ts';
import type { NotificationContent, RequestNotification } from '../notification.ts';
import type { RequestRecord } from '../record.ts';

/** Adds a notification to the record. */
export function withNotification(
  record: RequestRecord,
  about: NotificationContent,
  now: number,
): RequestRecord {
  const notification: RequestNotification = {
    ...about,
    n: record.notifications.length + 1,
    at: now,
    delivery: owed(now),
  };
  return { ...record, notifications: [...record.notifications, notification] };
}

/** Owes a change of all notifications of a type, which say something else by now. */
export function withEdit(
  record: RequestRecord,
  type: NotificationContent['type'],
  now: number,
): RequestRecord {
  const edit = { tries: 0, notBefore: now };
  const notifications = record.notifications.map((each) => (each.type === type ? { ...each, edit } : each));
  return { ...record, notifications };
}

/** Sets or clears the current problem of the approvers. An admin is notified of each problem once. */
export function withProblem(
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (!approval || approval.problem === problem) return record;
  const { problem: _before, ...rest } = approval;
  const next = {
    ...record,
    revision: record.revision + 1,
    approval: { ...rest, ...(problem ? { problem } : {}) },
  };
  const isKnown = record.notifications.some(
    (notification) =>
      notification.type === 'alarm' && notification.problem === problem && notification.at >= approval.since,
  );
  return problem && !isKnown ? withNotification(next, { type: 'alarm', problem }, now) : next;
}

/** Clears the approver problem if this evidence shows that it is fixed. */
export function withEvidence(record: RequestRecord, evidence: Evidence, now: number): RequestRecord {
  const { problem } = record.approval ?? {};
  return problem && CLEARED_BY[problem].includes(evidence) ? withProblem(record, undefined, now) : record;
}
