/** Changes one message in its record. */
import type { Delivery } from '../../../outbox/delivery.ts';
import type { ApprovalMessage, RequestMessage } from '../message.ts';
import type { RequestRecord } from '../record.ts';

/** Returns the record with one message changed, if it has that. */
export const withMessage = (
  record: RequestRecord,
  key: string,
  change: (message: RequestMessage) => RequestMessage,
): RequestRecord => ({
  ...record,
  messages: record.messages.map((message) => (message.key === key ? change(message) : message)),
});

export const withDelivery = (
  record: RequestRecord,
  key: string,
  change: (delivery: Delivery) => Delivery,
): RequestRecord =>
  withMessage(record, key, (message) => ({ ...message, delivery: change(message.delivery) }));

/** Returns the record with another approval message, or without one. */
export function withApprovalMessage(
  record: RequestRecord,
  message: ApprovalMessage | undefined,
): RequestRecord {
  const [card, ...others] = record.messages.filter(({ type }) => type !== 'approval');
  return { ...record, messages: [...(card ? [card] : []), ...(message ? [message] : []), ...others] };
}
