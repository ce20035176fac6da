/** Whether anything is stored about a workspace: what `isKnown` overlooks, no operator can purge or export. */
import { expect, test } from 'vitest';
import { isKnown } from '../../src/cli/command.ts';

/** Adapters that store something in this one place. */
function storedIn(place?: string) {
  const counted = (name: string) => [name, { count: async () => (name === place ? 1 : 0) }];
  return {
    installations: { has: async () => place === 'installations' },
    storage: Object.fromEntries(
      ['connections', 'requests', 'notices', 'auditEntries', 'settings'].map(counted),
    ),
  } as never;
}

test.each(['connections', 'installations', 'requests', 'notices', 'auditEntries', 'settings'])(
  'a workspace of which only %s are left is known',
  async (place) => expect(await isKnown(storedIn(place), 'T1')).toBe(true),
);

test('a workspace of which nothing is left is not known', async () => {
  expect(await isKnown(storedIn(), 'T1')).toBe(false);
});
