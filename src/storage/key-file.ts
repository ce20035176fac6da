/**
 * Manages the key file beside a SQLite database. It is created when missing, so that the first start needs no setup.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Returns the path of a database's key file: beside the file itself, not beside a symbolic link to it. */
export const keyFilePath = (databasePath: string): string =>
  `${existsSync(databasePath) ? realpathSync(databasePath) : databasePath}.key`;

/**
 * Reads the key file, and creates it (mode 0600) when it is missing.
 *
 * @param mayCreate false if secrets exist that only the missing key opens
 * @returns its content in the form of SECRET_KEYS: `id:base64key`
 */
export function readOrCreateKeyFile(path: string, mayCreate: boolean): string {
  if (!existsSync(path)) {
    if (!mayCreate) {
      throw new Error(
        `The key file ${path} is missing, and the database holds secrets that only this key opens. Restore the file from a backup.`,
      );
    }
    create(path);
  }
  return readFileSync(path, 'utf8').trim();
}

/**
 * Creates the key file completely and durably, or not at all. If two processes start at once, one creates it and both
 * read it.
 */
function create(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  writeSync(file, `local:${randomBytes(32).toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary);
  }
}
