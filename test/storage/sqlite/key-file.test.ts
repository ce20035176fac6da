import fs, { existsSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keyFilePath, openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

describe('the key file', () => {
  function openStorage(path: string) {
    const storage = openSqliteStorage(path);
    onTestFinished(storage.close);
    return storage;
  }

  test('is made once, for its owner alone', () => {
    const database = join(temporaryFolder(), 'bot.db');
    const { path, text } = openStorage(database).readKeyFile();
    expect(path).toBe(keyFilePath(database));
    expect(text).toMatch(/^local:[A-Za-z0-9+/]{43}=$/);
    expect(openStorage(database).readKeyFile().text).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..')).filter((name) => /key/.test(name))).toEqual(['bot.db.key']);
  });

  test('has its name on the disk before it seals anything: its folder is synced, too', () => {
    const database = join(temporaryFolder(), 'bot.db');
    const { readKeyFile } = openStorage(database);
    const { fsyncSync } = fs;
    const synced: { path: string; isNamed: boolean }[] = [];
    fs.fsyncSync = (file) => {
      synced.push({
        path: readlinkSync(`/proc/self/fd/${file}`),
        isNamed: existsSync(keyFilePath(database)),
      });
      fsyncSync(file);
    };
    onTestFinished(() => {
      fs.fsyncSync = fsyncSync;
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    readKeyFile();
    expect(synced.at(-1)).toEqual({ path: dirname(database), isNamed: true });
  });

  test('is beside the database itself, also where that is opened by a link', () => {
    const [path, link] = [join(temporaryFolder(), 'bot.db'), join(temporaryFolder(), 'link.db')];
    const { text } = openStorage(path).readKeyFile();
    symlinkSync(path, link);
    expect(openStorage(link).readKeyFile()).toEqual({ path: `${path}.key`, text });
  });

  test.each(['connections', 'tokens', 'installations'])(
    'is never made anew for secrets that only the missing one opens: %s',
    (table) => {
      const path = join(temporaryFolder(), 'bot.db');
      const storage = openStorage(path);
      const database = new DatabaseSync(path);
      database.exec(`INSERT INTO ${table} VALUES ('*', 'a', 1, '[]', 0, NULL, NULL, '{}')`);
      database.close();
      expect(() => storage.readKeyFile()).toThrow(
        `The key file ${path}.key is missing, and the database holds secrets that only its key opens. Restore the file from a backup or, if its key was in SECRET_KEYS, set that again.`,
      );
    },
  );

  test('that is a folder, or leads nowhere, is named', () => {
    const folder = join(temporaryFolder(), 'folder.db');
    mkdirSync(`${folder}.key`);
    expect(() => openStorage(folder).readKeyFile()).toThrow(
      `The key file ${folder}.key cannot be read (EISDIR). It must be a file that`,
    );
    const nowhere = join(temporaryFolder(), 'nowhere.db');
    symlinkSync('none', `${nowhere}.key`);
    expect(() => openStorage(nowhere).readKeyFile()).toThrow(
      `The key file ${nowhere}.key cannot be read (ENOENT)`,
    );
  });
});
