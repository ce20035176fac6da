/** A record that this version can't read: a newer replica has written it during an upgrade, or the storage is damaged. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

function storageWithUnreadable(...tables: string[]): Record<string, string> {
  const path = join(temporaryFolder(), 'bot.db');
  const database = openDatabase(path);
  for (const table of tables)
    database.exec(`INSERT INTO ${table} (workspace, id, version, subjects, at, record)
      VALUES ('T1', '${table === 'settings' ? 'settings' : 'r1'}', 1, '[]', 1, '{"workspace":"T1","id":"r1","version":1,"state":"hidden-4711"}')`);
  database.close();
  return {
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'secret',
    PUBLIC_URL: 'https://bot.example/',
    ORDER_SERVICE_URL: 'https://orders.example/',
    STORAGE_URL: `sqlite:${path}`,
  };
}

test.each(['requests list', 'requests show r1', 'requests retry r1', 'export', 'audit', 'forget-person U1'])(
  '%s says in one sentence that a record cannot be read, and what to do',
  async (command) => {
    const args = [...command.split(' '), '--workspace', 'T1'];
    const { code, err } = await runInTerminal(storageWithUnreadable('requests', 'audit_entries'), args);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^A stored record cannot be read \(\w+: \w+ \(and \d+ more\)\)\. Run this with the newest version .*\n$/,
    );
    expect(err).not.toContain('hidden-4711');
  },
);

test('purge removes settings that cannot be read, where nothing else shows the workspace', async () => {
  const environment = storageWithUnreadable('settings');
  const purge = (...more: string[]) => runInTerminal(environment, ['purge', '--workspace', 'T1', ...more]);
  expect(await purge()).toMatchObject({ code: 0, out: expect.stringContaining('This removes everything') });
  expect(await purge('--yes')).toMatchObject({ code: 0, out: expect.stringContaining('T1 is removed') });
  expect(await purge()).toMatchObject({ code: 1, err: expect.stringContaining('stores nothing about T1') });
});
