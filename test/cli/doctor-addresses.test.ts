import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnections, checkPublicUrl, checkReached } from '../../src/cli/doctor/addresses.ts';

type Row = { token: string; tokenKind?: 'rest' | 'graphql' } | 'disconnected' | 'unreadable';

/** Returns doctor's findings about the connections, where each token names what the order service says of it. */
async function findings(...rows: Row[]) {
  const connections = {
    async *ids() {
      yield* rows.keys().map((n) => `T${n}`);
    },
    async withToken(workspace: string) {
      const row = rows[Number(workspace.slice(1))];
      if (row === 'unreadable') throw new Error('sealed by another key');
      return typeof row === 'object' ? { connection: { workspace, ...row }, token: row.token } : undefined;
    },
  };
  const checkToken = async (type: string) => ({ type });
  const storage = { unsignedEvents: { get: async () => undefined } };
  const found = await checkConnections({ connections, checkToken, storage } as never);
  return found.map(({ status, text }) => `${status}: ${text}`);
}

test('the token of each connected workspace is checked', async () => {
  expect(await findings({ token: 'accepted' }, 'disconnected', 'unreadable', { token: 'accepted' })).toEqual([
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
  expect(
    await findings({ token: 'refused', tokenKind: 'rest' }, { token: 'refused', tokenKind: 'graphql' }),
  ).toEqual([
    expect.stringMatching(/^problem: does not accept the token of T0 \(401\)\. Connect .* another one\.$/),
    expect.stringMatching(/^warning: refused the check of the GraphQL token of T1 /),
  ]);
});

test('a token with few rights is fine, and one of which nothing is known is no problem', async () => {
  const found = await findings({ token: 'limited' }, { token: 'unverified' }, { token: 'unreachable' });
  expect(found).toEqual([
    'ok: accepts the token of T0',
    expect.stringMatching(/^warning: did not say whether it accepts the token of T1 /),
    expect.stringMatching(/^warning: did not say whether it accepts the token of T2 \(no answer\)/),
  ]);
});

test.each([
  [401, 'ok'],
  [404, 'warning'],
])('a server that answers %i to a made-up token gets: %s', async (status, said) => {
  const server = createServer((_request, response) => response.writeHead(status).end());
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await checkReached(new URL(`http://127.0.0.1:${port}/`))).toMatchObject({ status: said });
});

/** Returns doctor's findings about the public address, where these bodies come with 200. */
async function atPublicUrl(healthz: string, challenged: string) {
  const asked: string[] = [];
  const send = async ({ path }: { path: string }) => {
    asked.push(path);
    return {
      type: 'answered',
      answer: { status: 200, body: path.endsWith('/healthz') ? healthz : challenged },
    };
  };
  const slack = { transport: { type: 'http', signingSecret: 'secret' } };
  const config = { publicUrl: new URL('https://bot.example/base/'), slack } as never;
  const found = await checkPublicUrl(config, { send: send as never, challenge: 'a-word', now: 0 });
  return { asked, said: found.map(({ check, status }) => `${check}: ${status}`) };
}

test.each([
  ['Welcome', 'Welcome', ['public address: problem']],
  ['{"status":"ok"}', 'Welcome', ['public address: ok', 'signing secret: problem']],
  ['{"status":"ok"}', '{"challenge":"a-word"}', ['public address: ok', 'signing secret: ok']],
])('a page is not taken for the bot: %s, %s', async (healthz, challenged, said) => {
  const paths = ['/base/healthz', '/base/slack/events'];
  expect(await atPublicUrl(healthz, challenged)).toEqual({ asked: paths.slice(0, said.length), said });
});
