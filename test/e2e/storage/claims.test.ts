/** The names under which a bot claims effects. */
import { expect, test } from 'vitest';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

test('no two runs of the loop claim under one name, which begins with that of their process', async () => {
  const owners = new Map<string, Set<string>>();
  const requests = (store: RequestStore): RequestStore => ({
    ...store,
    update(entry, ...rest) {
      const { id, claim } = entry.record;
      if (claim) owners.set(id, (owners.get(id) ?? new Set()).add(claim.owner));
      return store.update(entry, ...rest);
    },
  });
  const harness = await startHarness({ overrides: { replica: 'one', storage: withRequests(requests) } });
  for (const order of ['A-1001', 'A-1002']) {
    await harness.cancelOrder(order);
    await harness.reply(order, /is cancelled/);
  }
  const [first = new Set(), second = new Set()] = owners.values();
  expect(owners.size).toBe(2);
  for (const owner of [...first, ...second]) expect(owner).toMatch(/^one\b/);
  expect(first.isDisjointFrom(second)).toBe(true);
});
