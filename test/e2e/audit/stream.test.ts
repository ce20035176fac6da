import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { removeAll } from '../../../src/cli/removal.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { auditLinesIn, trailOf } from '../../support/storage/audit-trail.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

/** The sweep finds the entries, which nothing wakes. */
const SWEPT = { runner: { sweepMs: 20 } };

const idsIn = (path: string): string[] => auditLinesIn(path).map(({ id }) => id);

test('AUDIT_FILE gets each act of the trail, and the acts of a time in which it could not be written', async () => {
  const path = join(temporaryFolder(), 'audit.jsonl');
  mkdirSync(path);
  const harness = await startHarness({ overrides: SWEPT, env: { AUDIT_FILE: path } });
  const { cancelOrder, reply, logged, metrics } = harness;
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await expect.poll(logged.text).toContain('audit entry not written to AUDIT_FILE, will retry');
  await expect.poll(metrics).toMatch(/countermand_audit_lines_total\{result="failed"\} [1-9]/);
  rmdirSync(path);
  await cancelOrder('A-1002');
  const { storage } = await harness.terminal();
  const ids = async () => (await trailOf(storage)).map(({ id }) => id).sort();
  await expect.poll(async () => [...new Set(idsIn(path))].sort()).toEqual(await ids());
  await expect.poll(metrics).toMatch(/countermand_audit_lines_total\{result="written"\} [1-9]/);
});

test('without AUDIT_FILE no entry is written, and one that is set later gets them', async () => {
  const path = join(temporaryFolder(), 'audit.jsonl');
  const harness = await startHarness({ overrides: SWEPT });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  expect(harness.logged.text()).not.toContain('stream_audit_entry');
  harness.config.auditFile = path;
  await harness.restart();
  const { storage } = await harness.terminal();
  const ids = (await trailOf(storage)).map(({ id }) => id).sort();
  await expect.poll(() => idsIn(path).sort()).toEqual(ids);
});

test('after a purge only the stream has the trail, with the purge itself', async () => {
  const path = join(temporaryFolder(), 'audit.jsonl');
  const env = { AUDIT_FILE: path };
  const harness = await startHarness({ overrides: SWEPT, env });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  const adapters = await harness.terminal();
  const ids = (await trailOf(adapters.storage)).map(({ id }) => id);
  await removeAll(adapters, SEED.team);
  const isPurge = ({ act }: { act: string }) => act === 'purged';
  const streamed = () => auditLinesIn(path).filter((line) => !isPurge(line));
  await expect.poll(() => [...new Set(streamed().map(({ id }) => id))].sort()).toEqual(ids.sort());
  const done = { workspace: SEED.team, by: ['terminal'], result: 'complete' };
  await expect.poll(() => auditLinesIn(path).filter(isPurge).at(-1)).toMatchObject(done);
  await expect.poll(() => trailOf(adapters.storage)).toEqual([]);
});

test('the stream gets the result of a purge though it has told of its beginning, and the entry is removed', async () => {
  const path = join(temporaryFolder(), 'audit.jsonl');
  const harness = await startHarness({ overrides: SWEPT, env: { AUDIT_FILE: path } });
  const { forgets, ...adapters } = await harness.terminal();
  const results = () =>
    auditLinesIn(path).flatMap(({ act, result }) => (act === 'purged' ? [result ?? 'none'] : []));
  const untilTold = () => expect.poll(() => trailOf(adapters.storage)).toEqual([]);
  await removeAll({ ...adapters, forgets: [...forgets, untilTold] }, SEED.team);
  await expect.poll(results).toEqual(['none', 'complete']);
  await expect.poll(() => trailOf(adapters.storage)).toEqual([]);
});

test('what a purge leaves for an audit stream is removed where AUDIT_FILE is not set any more', async () => {
  const path = join(temporaryFolder(), 'audit.jsonl');
  mkdirSync(path);
  const retention = { firstMs: 10, everyMs: 10, claimMs: 60_000 };
  const harness = await startHarness({ overrides: { ...SWEPT, retention }, env: { AUDIT_FILE: path } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  const adapters = await harness.terminal();
  await removeAll(adapters, SEED.team);
  expect(await trailOf(adapters.storage)).not.toEqual([]);
  harness.config.auditFile = undefined;
  await harness.restart();
  const { storage } = await harness.terminal();
  await expect.poll(() => trailOf(storage)).toEqual([]);
});
