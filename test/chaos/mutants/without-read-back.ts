/** Removes the search for doubtful posts: the bot posts again without looking. */
import type { Delivery } from '../../../src/outbox/delivery.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';

export function withoutReadBack(store: RequestStore): RequestStore {
  return {
    ...store,
    update: (entry, expected) => store.update({ ...entry, record: withoutDoubtful(entry.record) }, expected),
  };
}

const withoutDoubtful = (record: RequestRecord): RequestRecord => ({
  ...record,
  messages: record.messages.map(asOwed),
});

function asOwed<T extends { delivery: Delivery }>(told: T): T {
  const { delivery } = told;
  if (delivery.status !== 'doubtful') return told;
  const { tries, notBefore } = delivery;
  return { ...told, delivery: { status: 'owed', tries, notBefore } };
}
