/** `countermand purge`, beside a bot that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { removeAll } from '../../../src/cli/removal.ts';
import { uninstallEntry } from '../../../src/workspaces/installation/uninstall-record.ts';
import { connectIn, startOrganization } from '../../support/e2e/install/organization.ts';
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

test('purge of an organization that is killed in its first workspace is completed by the bot', async () => {
  const { id: ORG, support, returns, channels } = SEED_ENTERPRISE;
  const harness = await startOrganization({ overrides: { runner: { sweepMs: 20 } } });
  for (const channel of [channels.support, channels.returns]) await connectIn(harness, 'ida', channel);
  const adapters = await harness.terminal();
  const { connections, installations, organizations, storage } = adapters;
  // A killed process releases no claim.
  const claim: typeof installations.claim = async (id, act) => {
    const claimed = await installations.claim(id, act, { ms: 1_000, waitMs: 1_000 });
    return claimed && { ...claimed, release: async () => {} };
  };
  const forgets = [() => Promise.reject(new Error('killed'))];
  const purging = removeAll({ ...adapters, installations: { ...installations, claim }, forgets }, ORG);
  await expect(purging).rejects.toThrow('killed');
  for (const workspace of [support, returns]) expect(await connections.find(workspace)).toBeDefined();

  const left = await storage.uninstalls.get({ workspace: ORG, id: 'uninstall' });
  if (!left) throw new Error('Nothing would be swept.');
  const due = uninstallEntry({ ...left.record, notBefore: left.record.at });
  await storage.uninstalls.update(due, left.record.version);
  await eventually(async () => expect(await storage.uninstalls.get(left.record)).toBeUndefined());
  for (const workspace of [support, returns]) {
    expect(await connections.find(workspace)).toBeUndefined();
    expect(await organizations.of(workspace)).toBeUndefined();
  }
});
