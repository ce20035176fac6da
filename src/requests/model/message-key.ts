/** Names each message that a request can have in Slack, and finds its delivery in the record. */
import { z } from 'zod';
import type { Delivery, Destination } from './delivery.ts';
import type { RequestRecord } from './record.ts';

/** `n`: the number of the step or of the notification. */
export const MessageKey = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({ type: z.literal('approval_message') }),
  z.object({ type: z.literal('reply'), n: z.number() }),
  z.object({ type: z.literal('notification'), n: z.number() }),
]);
export type MessageKey = z.infer<typeof MessageKey>;

/** Returns the current destination of a reply. */
export function destinationOfReply(
  { steps }: RequestRecord,
  messageKey: MessageKey,
): Destination | undefined {
  return messageKey.type === 'reply' ? steps.find(({ n }) => n === messageKey.n)?.reply?.to : undefined;
}

/** Returns the record with a new destination for the reply of step `n`. */
export function withDestination(record: RequestRecord, n: number, to: Destination): RequestRecord {
  const steps = record.steps.map((step) =>
    step.n === n && step.reply ? { ...step, reply: { ...step.reply, to } } : step,
  );
  return { ...record, steps };
}

/** Lists all messages of the record, the most important first. */
export function messageKeysOf({ approval, steps, notifications }: RequestRecord): MessageKey[] {
  return [
    { type: 'card' },
    ...(approval?.approvalMessage ? [{ type: 'approval_message' } as const] : []),
    ...steps.flatMap(({ n, reply }) => (reply ? [{ type: 'reply', n } as const] : [])),
    ...notifications.map(({ n }) => ({ type: 'notification', n }) as const),
  ];
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

/** @returns undefined if the record has no such message */
export function deliveryOf(
  { card, approval, steps, notifications }: RequestRecord,
  messageKey: MessageKey,
): Delivery | undefined {
  switch (messageKey.type) {
    case 'card':
      return card.delivery;
    case 'approval_message':
      return approval?.approvalMessage?.delivery;
    case 'reply':
      return steps.find(({ n }) => n === messageKey.n)?.reply?.delivery;
    case 'notification':
      return notifications.find(({ n }) => n === messageKey.n)?.delivery;
  }
}
