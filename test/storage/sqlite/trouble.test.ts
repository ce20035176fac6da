/** The error about an unusable database file names the file, its variable and the next step. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BUSY_MS, DatabaseError } from '../../../src/storage/sqlite/connection.ts';
import { mustBeCreatable, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { openSqliteKeyv, openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { needsBubblewrap, runConfined } from '../../deploy/support/confined.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

function opened(path: string) {
  const database = openDatabase(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

/** @returns what is thrown, after it was seen to name the file and STORAGE_URL */
async function troubleWith(path: string, act: () => unknown): Promise<string> {
  const error = await (async () => act())().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DatabaseError);
  const { message, cause } = error as DatabaseError;
  expect(message).toContain(`The database ${path} (STORAGE_URL) `);
  expect(cause).toBeInstanceOf(Error);
  return message;
}

test('a lock file that is no database is not taken for another bot', async () => {
  const path = join(temporaryFolder(), 'bot.db');
  const storage = openSqliteStorage(path);
  onTestFinished(storage.close);
  writeFileSync(`${path}.lock`, 'a letter, and no database'.repeat(200));
  expect(() => storage.lock()).toThrow('file is not a database');
});

describe('a database that cannot be opened', () => {
  test.each<[string, (folder: string) => string, RegExp]>([
    ['a folder', (folder) => folder, /It must be a file/],
    [
      'a file in a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), '');
        return join(folder, 'file', 'bot.db');
      },
      /path of its folder is a file/,
    ],
    [
      'a file in a folder of a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), '');
        return join(folder, 'file', 'data', 'bot.db');
      },
      /A part of its path is a file/,
    ],
    [
      'no database',
      (folder) => {
        writeFileSync(join(folder, 'bot.db'), 'a letter, and no database'.repeat(200));
        return join(folder, 'bot.db');
      },
      /damaged, or is not a SQLite database\. Restore a backup/,
    ],
  ])('since it is %s', async (_name, make, remedy) => {
    const path = make(temporaryFolder());
    expect(await troubleWith(path, () => openDatabase(path))).toMatch(remedy);
  });

  test.runIf(process.getuid?.() === 0)('since it belongs to somebody else, who lets everybody write', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'bot.db');
    writeFileSync(path, '');
    for (const each of [folder, path]) chmodSync(each, 0o777);
    const code = `import(${JSON.stringify(join(import.meta.dirname, '../../../src/storage/sqlite/database.ts'))})
      .then(({ openDatabase }) => openDatabase(process.argv[1])).catch(({ message }) => console.log(message))`;
    const { stdout } = spawnSync(process.execPath, ['--eval', code, path], { uid: 65_534, gid: 65_534 });
    expect(stdout.toString()).toBe(
      `The database ${path} (STORAGE_URL) does not belong to the user of this process. Make that user the owner of the file and of its folder.\n`,
    );
  });

  test('since it belongs to another program, whose file stays as it is', () => {
    const path = join(temporaryFolder(), 'bot.db');
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE customers (name)');
    other.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(
      `The database ${path} (STORAGE_URL) belongs to another program.`,
    );
    expect(readFileSync(path)).toEqual(before);
  });
});

test('whether a database can be created is known without one', () => {
  const folder = temporaryFolder();
  mustBeCreatable(join(folder, 'data/bot.db'));
  expect(readdirSync(folder)).toEqual([]);
  expect(() => mustBeCreatable('/proc/bot.db')).toThrow(
    'The database /proc/bot.db (STORAGE_URL) cannot be created. Set STORAGE_URL',
  );
});

test('a folder that its file system never makes is refused at once', () => {
  // In a process of its own, which can be ended where it hangs: /proc says that a folder is missing, however often it is made.
  const code = `import(${JSON.stringify(join(import.meta.dirname, '../../../src/storage/sqlite/database.ts'))})
    .then(({ openDatabase }) => openDatabase('/proc/a/b.db')).catch(({ message }) => console.log(message))`;
  const { stdout } = spawnSync(process.execPath, ['--eval', code], { timeout: 30_000 });
  expect(stdout.toString()).toContain('The database /proc/a/b.db (STORAGE_URL) cannot be created.');
});

describe('on a file system that is read-only', () => {
  needsBubblewrap();

  const MODULES = join(import.meta.dirname, '../../../src/storage/sqlite');

  /** @returns what is thrown by a function of a module on a path of such a file system */
  async function thrown(module: string, act: string, name: string): Promise<string> {
    const folder = temporaryFolder();
    openDatabase(join(folder, 'data/bot.db')).close();
    const code = `import(${JSON.stringify(join(MODULES, module))})
      .then((module) => (${act})(module, process.argv[1])).catch(({ message }) => console.log(message))`;
    return runConfined({
      command: ['/opt/node/node', '--eval', code, name],
      env: {},
      folders: { '/srv/bot': { from: folder, isWritable: false } },
      cwd: '/srv/bot',
    });
  }
  const SAID = /^The database \S+ \(STORAGE_URL\) is on a file system that is read-only\./;

  test.each([
    ['data/bot.db', 'openDatabase'],
    ['new.db', 'openDatabase'],
    ['new/bot.db', 'openDatabase'],
    ['new/bot.db', 'mustBeCreatable'],
  ])('%s is refused with this reason (%s)', async (name, act) => {
    expect(await thrown('database.ts', `(module, path) => module.${act}(path)`, name)).toMatch(SAID);
  });

  test('an open database is said to be on one, although its writes fail as they do on a broken disk', async () => {
    // SQLITE_IOERR_WRITE (https://www.sqlite.org/rescode.html#ioerr_write).
    const write = '() => { throw Object.assign(new Error(), { errcode: 778 }); }';
    const act = `(module, path) => module.explained(path, ${write})`;
    expect(await thrown('connection.ts', act, 'data/bot.db')).toMatch(SAID);
  });
});

describe('a new database that another process writes to', () => {
  /** Its time passes while the bot waits, by as much as the bot says. */
  function locked() {
    const path = join(temporaryFolder(), 'bot.db');
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const wait = vi.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms = 0) => {
      now += ms;
      if (now > 2 * BUSY_MS) throw new Error('waited for ever');
      return 'timed-out';
    });
    onTestFinished(() => {
      clock.mockRestore();
      wait.mockRestore();
    });
    return { path, other, wait, elapsed: () => now };
  }

  test('is opened once that has ended', () => {
    const { path, other, wait } = locked();
    wait.mockImplementationOnce(() => {
      other.exec('ROLLBACK');
      return 'timed-out';
    });
    expect(opened(path).prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(wait).toHaveBeenCalledTimes(1);
  });

  test('is given up after two seconds', async () => {
    const { path, elapsed } = locked();
    expect(await troubleWith(path, () => openDatabase(path))).toMatch(/locked by another process/);
    expect(elapsed()).toBe(2_000);
  });

  test('is given up at once for anything else', async () => {
    const { path, other, elapsed } = locked();
    other.exec('ROLLBACK');
    // In the place of a file of SQLite.
    mkdirSync(`${path}-wal`);
    expect(await troubleWith(path, () => openDatabase(path))).toMatch(/Check its disk/);
    expect(elapsed()).toBe(0);
  });
});

describe('a database that fails later', () => {
  async function filled() {
    const path = join(temporaryFolder(), 'bot.db');
    const database = opened(path);
    const keyv = openSqliteKeyv(database, 'settings');
    await keyv.set('T1', 1);
    return { path, database, keyv };
  }

  test('since it may not be written to', async () => {
    const { path, database, keyv } = await filled();
    // As SQLite answers on a file system that is read-only; the tests may run as a user who may write everything.
    database.exec('PRAGMA query_only = ON');
    expect(await troubleWith(path, () => keyv.set('T1', 2))).toMatch(/cannot be written\. Make the file/);
    expect(await keyv.get('T1')).toBe(1);
  });

  test('since its disk is full', async () => {
    const { path, database, keyv } = await filled();
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const write = () => keyv.set('T2', 'x'.repeat(100_000));
    expect(await troubleWith(path, write)).toMatch(/its disk is full\. Free some space/);
    expect(await keyv.get('T1')).toBe(1);
  });

  test('since it is damaged', async () => {
    const { path, database, keyv } = await filled();
    // The schema, and the first page, which says how many pages there are.
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    for (let n = 0; n < 500; n++) await keyv.set(`T${n}`, 'x'.repeat(200));
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    database.close();
    const bytes = readFileSync(path);
    const pageBytes = 4_096;
    bytes.fill(0xff, pages * pageBytes);
    writeFileSync(path, bytes);
    const again = openSqliteKeyv(opened(path), 'settings');
    const readAll = async () => {
      for (let n = 0; n < 500; n++) await again.get(`T${n}`);
    };
    expect(await troubleWith(path, readAll)).toMatch(/Restore a backup/);
  });

  test('since somebody else writes to it for longer than is waited', async () => {
    const { path, database, keyv } = await filled();
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: BUSY_MS });
    database.exec('PRAGMA busy_timeout = 10');
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(await troubleWith(path, () => keyv.set('T1', 2))).toMatch(/locked by another process/);
    other.exec('ROLLBACK');
    await keyv.set('T1', 3);
    expect(await keyv.get('T1')).toBe(3);
  });
});

describe('a second bot on one database', () => {
  function bot(path: string) {
    const storage = openSqliteStorage(path);
    return { ...storage, path };
  }

  test('is refused, and reads what to do, until the first one has stopped', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const [first, second] = [bot(path), bot(path)];
    onTestFinished(second.close);
    first.lock();
    expect(() => second.lock()).toThrow(
      `Another bot uses the database ${path} (STORAGE_URL) and holds ${path}.lock. Stop that bot, or give this one its own database. Several bots can share a Redis.`,
    );
    await first.close();
    second.lock();
  });

  test('is refused after it was refused once, and a terminal command is not', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const [first, second, terminal] = [bot(path), bot(path), bot(path)];
    for (const { close } of [first, second, terminal]) onTestFinished(close);
    first.lock();
    for (let tries = 0; tries < 2; tries++) expect(() => second.lock()).toThrow('Another bot');
    await terminal.keyv('settings').set('T1', 1);
    expect(await first.keyv('settings').get('T1')).toBe(1);
    expect(statSync(`${path}.lock`)).toMatchObject({ size: 0 });
    expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
  });

  test('may work on a database of its own in the same folder', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'other'));
    for (const name of ['bot.db', 'other.db', 'other/bot.db']) {
      const { lock, close } = bot(join(folder, name));
      onTestFinished(close);
      lock();
    }
  });
});
