/** Recordings: what `npm run record` has kept, or what Slack's pages show, in the same form. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FIXTURES = join(import.meta.dirname, '../fixtures/slack');

/** One exchange: a call with its answer, or what Slack sent with how the app answered. */
export type Sample = {
  /** The page that it is from. */
  source?: string;
  request?: unknown;
  response?: { status: number; retryAfter?: string; body: unknown };
  body?: unknown;
};

/** The files of a recording (`web-api/users.info`), each with its samples. */
export function readRecording(folder: string): Map<string, Sample[]> {
  const files = globSync('*/*.json', { cwd: folder }).sort();
  return new Map(
    files.map((file) => [
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ]),
  );
}
