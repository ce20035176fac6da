import { expect, onTestFinished, test } from 'vitest';
import { createReadiness, healthRoutes } from '../../src/http/health.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { SILENT } from '../../src/outbox/ports.ts';

function setUp() {
  const state = { trouble: undefined as string | undefined, now: 0, tests: 0 };
  const lines: string[] = [];
  const note = ({ err }: { err?: Error }, message: string) =>
    void lines.push([message, err?.message].join(' '));
  const problems = createReadiness({
    isStopping: () => false,
    isSlackReached: () => true,
    ping: async () => {
      state.tests += 1;
      if (state.trouble !== undefined) throw new Error(state.trouble);
    },
    monotonic: () => state.now,
    log: { debug() {}, info: note, warn() {}, error: note } as never,
  });
  /** Tests the storage, which fails with this error, or with none. */
  const look = (trouble?: string) => {
    state.trouble = trouble;
    state.now += 1_000;
    return problems();
  };
  return { state, problems, look, lines };
}

test('a storage that cannot be written is in the log once for each reason, and once more when it can be', async () => {
  const { look, lines } = setUp();
  for (const trouble of ['closed', 'closed', 'READONLY', 'READONLY'])
    expect(await look(trouble)).toEqual(['storage']);
  for (let n = 0; n < 2; n++) expect(await look()).toEqual([]);
  await look('closed');
  expect(lines).toEqual([
    'storage not writable: this replica is not ready closed',
    'storage not writable: this replica is not ready READONLY',
    'storage writable again ',
    'storage not writable: this replica is not ready closed',
  ]);
});

test('however often readiness is asked, the storage is tested at most twice a second', async () => {
  const { state, problems, look } = setUp();
  await look();
  state.now += 500;
  await Promise.all([problems(), problems()]);
  expect(state.tests).toBe(1);
  state.now += 1;
  await Promise.all([problems(), problems()]);
  expect(state.tests).toBe(2);
});

test.each([
  { path: 'healthz', status: 200, body: { status: 'ok' } },
  { path: 'readyz', status: 503, body: { status: 'not_ready', problems: ['storage'] } },
])('HEAD /$path has the status and the length that GET has, and no body', async ({ path, status, body }) => {
  const log = SILENT;
  const options = { port: 0, host: '127.0.0.1', log };
  const server = createHttpServer(
    healthRoutes(async () => ['storage']),
    options,
  );
  const url = `http://127.0.0.1:${await server.start()}/${path}`;
  onTestFinished(() => server.stop());
  const [read, asked] = await Promise.all([fetch(url), fetch(url, { method: 'HEAD' })]);
  expect([read.status, await read.json()]).toEqual([status, body]);
  const length = read.headers.get('content-length');
  expect([asked.status, asked.headers.get('content-length'), await asked.text()]).toEqual([
    status,
    length,
    '',
  ]);
});
