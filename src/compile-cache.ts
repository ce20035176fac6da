/**
 * Keeps what Node has compiled, for the next start, in a folder of the user's own. Node's own choice is one name in
 * the system's temporary folder for everybody (https://nodejs.org/api/module.html#module-compile-cache). Node trusts
 * what it reads there: whoever creates that folder first would choose what the bot runs, and what root runs as a terminal
 * command.
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Enables the cache. With Node's variables NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE an operator names another folder,
 * or none.
 */
export function useOwnCompileCache(): void {
  const folder = ownCacheFolder();
  if (folder !== undefined) module.enableCompileCache(folder);
}

/**
 * Creates the folder, if it is missing.
 *
 * @returns undefined if somebody else might write there: then nothing is kept, and the start takes a little longer
 */
export function ownCacheFolder(): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  try {
    const home = realpathSync(homedir());
    // With `sudo`, HOME may still be another user's: nothing of root's is made there.
    if (!isProtected(home, user)) return undefined;
    const folder = join(home, '.cache/countermand/compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOwn = uid === user && (mode & 0o077) === 0;
    return isOwn && isProtected(folder, user) ? folder : undefined;
  } catch {
    // A home that does not exist, or a read-only file system, as in a container.
    return undefined;
  }
}

/** The rights of the group, and of everybody else, to write. */
const OTHERS_WRITE = 0o022;
/** In a folder with this bit, such as /tmp, nobody removes or renames what another user owns. */
const STICKY = 0o1000;

/** Whether nobody but this user and root can replace the folder, or one that it lies in. */
function isProtected(folder: string, user: number): boolean {
  const stat = lstatSync(folder);
  const isOwners = stat.uid === user || stat.uid === 0;
  const isSafe = (stat.mode & OTHERS_WRITE) === 0 || (stat.mode & STICKY) !== 0;
  if (!stat.isDirectory() || !isOwners || !isSafe) return false;
  const parent = dirname(folder);
  return parent === folder || isProtected(parent, user);
}
