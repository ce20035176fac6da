import { expect, test } from 'vitest';
import { checkConnections } from '../../src/cli/doctor/addresses.ts';

type Row = { token: string; tokenKind?: 'rest' | 'graphql' } | 'disconnected' | 'unreadable';

/** What doctor says of the connections, where the order service accepts each token. */
async function findings(...rows: Row[]) {
  const connections = {
    async *ids() {
      yield* rows.keys().map((n) => `T${n}`);
    },
    async find(workspace: string) {
      const row = rows[Number(workspace.slice(1))];
      if (row === 'unreadable') throw new Error('sealed by another key');
      return typeof row === 'object' ? { workspace, ...row } : row;
    },
    token: async (row: Row) => (typeof row === 'object' ? row.token : undefined),
  };
  const checkToken = async (token: string) => ({ type: token === 't' ? 'accepted' : 'refused' });
  const storage = { unsignedEvents: { get: async () => undefined } };
  const found = await checkConnections({ connections, checkToken, storage } as never);
  return found.map(({ status, text }) => `${status}: ${text}`);
}

test('the token of each connected workspace is checked', async () => {
  expect(await findings({ token: 't' }, 'disconnected', 'unreadable', { token: 't' })).toEqual([
    'ok: accepts the token of T0',
    'ok: accepts the token of T3',
  ]);
});

test.each([[[]], [['disconnected' as const]]])(
  'where nothing is connected (%j) doctor says so',
  async (rows) => {
    expect(await findings(...rows)).toEqual([expect.stringMatching(/^warning: No workspace is connected/)]);
  },
);

test('a connection that no key opens is not said to be missing', async () => {
  expect(await findings('disconnected', 'unreadable')).toEqual([
    expect.stringMatching(/^unknown: No stored connection can be read/),
  ]);
});

test('a refused token is a problem, but not a GraphQL token, whose calls may work', async () => {
  expect(await findings({ token: 'x', tokenKind: 'rest' }, { token: 'x', tokenKind: 'graphql' })).toEqual([
    expect.stringMatching(/^problem: does not accept the token of T0 \(401\)\. Connect .* another one\.$/),
    expect.stringMatching(/^warning: refused the check of the GraphQL token of T1 /),
  ]);
});
