/** Workspaces that no installation in use serves: which data of them may be removed, and which an operator reads of. */
import { expect, test } from 'vitest';
import type { Adapters } from '../../src/compose/adapters.ts';
import { isLeftBehind, warnOfLeftBehind } from '../../src/compose/stored-data.ts';
import { SILENT } from '../../src/outbox/ports.ts';

/**
 * Each workspace has a connection.
 *
 * @param stored the ids with an installation by OAuth that is stored, and maybe not in use
 */
function storedIn(stored: readonly string[], organization?: string): Adapters {
  const counted = (count: number) => ({ count: async () => count });
  const connections = { ...counted(1), ids: () => ['T1', 'T2'].values() };
  const [requests, notices, auditEntries, settings] = [0, 0, 0, 0].map(counted);
  return {
    connections,
    installations: { has: async (id: string) => stored.includes(id), ids: () => stored.values() },
    organizations: { of: async () => organization },
    storage: { connections, requests, notices, auditEntries, settings },
  } as unknown as Adapters;
}

/** The installations in use: that of SLACK_BOT_TOKEN, in T2. */
const IN_USE = {
  installed: async ({ workspace }: { workspace: string }) =>
    workspace === 'T2' ? { generation: 'g', workspaces: ['T2'] } : undefined,
  servedBy: async () => undefined,
};

test.each([
  ['of a workspace that nothing serves', 'T1', [], undefined, true],
  ['of a workspace that the installation in use serves', 'T2', [], undefined, false],
  ['of a workspace whose installation by OAuth is stored', 'T1', ['T1'], undefined, false],
  ['of a workspace whose organization has a stored installation', 'T1', ['E1'], 'E1', false],
  ['of a workspace whose organization has none any more', 'T1', [], 'E1', true],
])('data %s', async (_of, workspace, stored, organization, isLeft) => {
  expect(await isLeftBehind(storedIn(stored, organization), IN_USE, workspace)).toBe(isLeft);
});

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
