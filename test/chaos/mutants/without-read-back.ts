/** A bot that looks for nothing: a post of which nobody knows whether it came through is simply made again. */
import type { Delivery } from '../../../src/requests/model/messages/delivery.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';

export function withoutReadBack(store: RequestStore): RequestStore {
  return {
    ...store,
    update: (entry, expected) => store.update({ ...entry, record: withoutDoubt(entry.record) }, expected),
  };
}

function withoutDoubt(record: RequestRecord): RequestRecord {
  const { card, steps, notifications, approval } = record;
  const approvalMessage = approval?.approvalMessage;
  return {
    ...record,
    card: sure(card),
    steps: steps.map((step) => (step.reply ? { ...step, reply: sure(step.reply) } : step)),
    notifications: notifications.map(sure),
    ...(approval && approvalMessage
      ? { approval: { ...approval, approvalMessage: sure(approvalMessage) } }
      : {}),
  };
}

function sure<T extends { delivery: Delivery }>(told: T): T {
  const { delivery } = told;
  if (delivery.status !== 'doubtful') return told;
  const { tries, notBefore } = delivery;
  return { ...told, delivery: { status: 'owed', tries, notBefore } };
}
