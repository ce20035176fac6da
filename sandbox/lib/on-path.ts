import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Finds the first of these programs, in order of preference, that is executable: by its name on PATH, or by its absolute path,
 * for one in a folder such as /usr/sbin, which PATH often leaves out.
 */
export function findOnPath(...programs: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = (program: string) =>
    isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return programs.flatMap(candidates).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
