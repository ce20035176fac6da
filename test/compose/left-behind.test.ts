/** Workspaces that no installation in use serves: an operator reads of their data. */
import { expect, test } from 'vitest';
import type { Adapters } from '../../src/compose/adapters.ts';
import { warnOfLeftBehind } from '../../src/compose/scheduled-tasks.ts';
import { SILENT } from '../../src/outbox/ports.ts';

/**
 * T1 and T2 have a connection.
 *
 * @param stored the ids with an installation by OAuth that is stored, and maybe not in use
 */
const storedIn = (stored: readonly string[]): Adapters =>
  ({
    connections: { ids: () => ['T1', 'T2'].values() },
    installations: { has: async (id: string) => stored.includes(id), ids: () => stored.values() },
  }) as unknown as Adapters;

/** The installations in use: that of SLACK_BOT_TOKEN, in T2. */
const IN_USE = {
  installed: async ({ workspace }: { workspace: string }) =>
    workspace === 'T2' ? { generation: 'g', workspaces: ['T2'] } : undefined,
  servedBy: async () => undefined,
};

test('an operator reads of each connection and installation that is not in use, once', async () => {
  const warned: unknown[] = [];
  const log = { ...SILENT, warn: (fields: object) => void warned.push(fields) };
  const stopping = new AbortController();
  await warnOfLeftBehind(storedIn(['T1', 'E1']), IN_USE, log, stopping.signal);
  expect(warned).toEqual([{ workspace: 'T1' }, { organization: 'E1' }]);
  stopping.abort();
  await warnOfLeftBehind(storedIn(['T1']), IN_USE, log, stopping.signal);
  expect(warned).toHaveLength(2);
});
