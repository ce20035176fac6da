/** A record that this version can't read: a newer replica has written it during an upgrade, or the storage is damaged. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

function storageWithUnreadable(): Record<string, string> {
  const path = join(temporaryFolder(), 'bot.db');
  const database = openDatabase(path);
  for (const table of ['requests', 'audit_entries'])
    database.exec(`INSERT INTO ${table} (workspace, id, version, subjects, at, record)
      VALUES ('T1', 'r1', 1, '[]', 1, '{"workspace":"T1","id":"r1","version":1,"state":"hidden-4711"}')`);
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
    const { code, err } = await runInTerminal(storageWithUnreadable(), args);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^A stored record cannot be read \(\w+: \w+ \(and \d+ more\)\)\. Run this with the newest version .*\n$/,
    );
    expect(err).not.toContain('hidden-4711');
  },
);
