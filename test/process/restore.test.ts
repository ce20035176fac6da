/** The commands of docs/running.md that restore a backup: without one, they leave what is there as it is. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/storage/stores.ts';
import { commandsUnder, runDocumented } from './support/documented.ts';

const FILES = ['countermand.db', 'countermand.db-shm', 'countermand.db-wal', 'countermand.db.key'];

/** A folder with the data of a bot. */
function folderOfBot(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  for (const file of FILES) writeFileSync(join(folder, 'data', file), 'of today', { mode: 0o600 });
  return folder;
}

test('a backup of SQLite that is not there replaces nothing', () => {
  const folder = folderOfBot();
  expect(() => runDocumented('Restore SQLite', folder)).toThrow('No such file');
  expect(readdirSync(join(folder, 'data'))).toEqual(FILES);
});

test('a backup of Redis that is not there replaces nothing', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'redis/appendonlydir'), { recursive: true });
  expect(() => runDocumented('Restore Redis', folder, { REDIS_DIR: join(folder, 'redis') })).toThrow(
    'No such file',
  );
  expect(readdirSync(join(folder, 'redis'))).toEqual(['appendonlydir']);
});

test('a backup of Redis is not restored into the root folder where nobody has named that of Redis', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'backup/appendonlydir'), { recursive: true });
  expect(() => runDocumented('Restore Redis', folder)).toThrow('REDIS_DIR');
});

test('a restored SQLite can be read by its owner alone, also without a key file, and the shell keeps its umask', () => {
  for (const backup of [['countermand.db'], ['countermand.db', 'countermand.db.key']]) {
    const folder = folderOfBot();
    mkdirSync(join(folder, 'backup'));
    for (const file of backup) writeFileSync(join(folder, 'backup', file), 'of the backup', { mode: 0o644 });
    // Typed, not run by a script that ends at an error.
    const typed = ['-c', `umask 022\n${commandsUnder('Restore SQLite')}umask`];
    expect(execFileSync('/bin/sh', typed, { cwd: folder, stdio: 'pipe' }).toString()).toMatch(/^0022$/m);
    const data = join(folder, 'data');
    expect(readdirSync(data)).toEqual(['countermand.db', 'countermand.db.key']);
    expect(backup.map((file) => readFileSync(join(data, file), 'utf8'))).toEqual(
      backup.map(() => 'of the backup'),
    );
    for (const file of readdirSync(data)) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
  }
});
