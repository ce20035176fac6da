/** Reads recordings: those of `npm run record`, and the examples of Slack's pages in the same format. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FIXTURES = join(import.meta.dirname, '../fixtures/slack');

/** One exchange: a call with its answer, or a request of Slack with the app's answer. */
export type Sample = {
  /** The page of Slack that it is from. */
  source?: string;
  request?: unknown;
  response?: { status: number; retryAfter?: string; body: unknown };
  body?: unknown;
};

/** Returns the files of a recording (`web-api/users.info`), each with its samples. */
export function readRecording(folder: string): Map<string, Sample[]> {
  const files = globSync('*/*.json', { cwd: folder }).sort();
  return new Map(
    files.map((file) => [
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ]),
  );
}
