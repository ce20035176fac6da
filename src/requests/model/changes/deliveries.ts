/** Changes the delivery of one message in its record. */
import type { Delivery, Destination } from '../../../outbox/delivery.ts';
import type { MessageKey } from '../message.ts';
import type { Reply, RequestRecord } from '../record.ts';

/** Returns the record with another message as the reply of step `n`, which may show an older state. */
export function withReplyAt(record: RequestRecord, n: number, to: Destination): RequestRecord {
  return withReply(record, n, ({ summary, ...reply }) => ({
    ...reply,
    to,
    ...(summary && { summary: { ...summary, shown: 0 } }),
  }));
}

/** Returns the record with the reply of step `n` changed, if it has one. */
export function withReply(record: RequestRecord, n: number, change: (reply: Reply) => Reply): RequestRecord {
  const steps = record.steps.map((step) =>
    step.n === n && step.reply ? { ...step, reply: change(step.reply) } : step,
  );
  return { ...record, steps };
}

/** Returns the record with the delivery of one message changed. */
export function withDelivery(
  record: RequestRecord,
  messageKey: MessageKey,
  change: (delivery: Delivery) => Delivery,
): RequestRecord {
  const changed = <T extends { delivery: Delivery }>(tracked: T): T => ({
    ...tracked,
    delivery: change(tracked.delivery),
  });
  const { card, approval, notifications } = record;
  switch (messageKey.type) {
    case 'card':
      return { ...record, card: changed(card) };
    case 'approval_message': {
      const { approvalMessage } = approval ?? {};
      return approval && approvalMessage
        ? { ...record, approval: { ...approval, approvalMessage: changed(approvalMessage) } }
        : record;
    }
    case 'reply':
      return withReply(record, messageKey.n, changed);
    case 'notification':
      return {
        ...record,
        notifications: notifications.map((notification) =>
          notification.n === messageKey.n ? changed(notification) : notification,
        ),
      };
  }
}
