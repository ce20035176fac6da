import { expect, test } from 'vitest';
import { createReadiness } from '../../src/http/health.ts';

function setUp() {
  const state = { trouble: undefined as string | undefined, now: 0 };
  const lines: string[] = [];
  const note = ({ err }: { err?: Error }, message: string) =>
    void lines.push([message, err?.message].join(' '));
  const problems = createReadiness({
    isStopping: () => false,
    isSlackReached: () => true,
    ping: async () => {
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
  return { look, lines };
}

test('a storage that can not be written is in the log once for each reason, and once more when it can be', async () => {
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
