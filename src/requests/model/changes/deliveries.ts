/** Changes the delivery of one message in its record. */
import type { Delivery, Destination } from '../messages/delivery.ts';
import type { MessageKey } from '../messages/message.ts';
import type { RequestRecord } from '../record.ts';

/** Returns the record with a new destination for the reply of step `n`. */
export function withDestination(record: RequestRecord, n: number, to: Destination): RequestRecord {
  const steps = record.steps.map((step) =>
    step.n === n && step.reply ? { ...step, reply: { ...step.reply, to } } : step,
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
  const { card, approval, steps, notifications } = record;
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
      return {
        ...record,
        steps: steps.map((step) =>
          step.n === messageKey.n && step.reply ? { ...step, reply: changed(step.reply) } : step,
        ),
      };
    case 'notification':
      return {
        ...record,
        notifications: notifications.map((notification) =>
          notification.n === messageKey.n ? changed(notification) : notification,
        ),
      };
  }
}
