/** `countermand purge`, beside a bot that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { besideBot, IN } from '../../support/e2e/terminal.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { eventually } from '../../support/time/eventually.ts';

test('purge during a backup says what it removed, and that the bot clears the log once the backup has ended', async () => {
  const retention = { firstMs: 10, everyMs: 50, claimMs: 60_000 };
  const harness = await besideBot({ overrides: { retention } });
  const { run, config, cancelOrder, reply } = harness;
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  if (config.storage.type !== 'sqlite') throw new Error(config.storage.type);
  const { path } = config.storage;
  const backup = new DatabaseSync(path, { readOnly: true });
  backup.exec('BEGIN; SELECT * FROM requests;');
  const { code, output, logged } = await run(['purge', ...IN, '--yes']);
  expect(code).toBe(1);
  expect(output).toMatch(
    /is removed\. Messages in Slack stay\.\n.*was not revoked.*\n.*still in the log beside the database.* The bot clears it within about an hour after that has ended\.\n$/s,
  );
  expect(logged.map(({ msg }) => msg)).toContain('data purged');
  const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1')).join();
  expect(bytes()).toContain('A-1001');
  backup.close();
  await eventually(() => expect(bytes()).not.toContain('A-1001'));
});

test('purge of a workspace about which nothing is stored says so, and neither the log nor the audit stream tells of a purge', async () => {
  const { run, withStorage } = await besideBot();
  const AUDIT_FILE = join(temporaryFolder(), 'audit.jsonl');
  for (let runs = 0; runs < 2; runs++) {
    const { code, output, logged } = await run(['purge', '--workspace', 'T0NOBODY', '--yes'], { AUDIT_FILE });
    expect([code, output]).toEqual([1, expect.stringMatching(/^Countermand stores nothing about T0NOBODY/)]);
    expect(logged).toEqual([]);
  }
  // Each entry goes to the stream.
  expect(await withStorage(({ storage }) => storage.auditEntries.count('T0NOBODY'))).toBe(0);
});
