/** Reads the recordings of `npm run record`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One exchange: a call with its answer, or a request of Slack with the app's answer. */
export type Sample = {
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
