/** Provides the version in package.json, and the commit that it was made from. */
import { execFileSync } from 'node:child_process';
import project from '../package.json' with { type: 'json' };

export const VERSION: string = project.version;

/** Written into the bundle by rolldown.config.ts. */
declare const BUNDLED_COMMIT: string | undefined;

/** @returns the commit that a bundle was made from, or that is checked out in a clone; 'unknown' if there is no git to ask */
export function readCommit(): string {
  if (typeof BUNDLED_COMMIT === 'string') return BUNDLED_COMMIT;
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}
