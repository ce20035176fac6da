/** Records the map: counts the calls of functions in one test file, and writes down the functions of src that were called. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { ROOT } from './applied.ts';

/**
 * The functions that a test file has called, by source file: "src/jobs/runner.ts". A source file that was only loaded has
 * none.
 */
export type Recorded = { test: string; ms: number; called: Record<string, string[]> };

const began = performance.now();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result.flatMap(({ url, functions }): [string, string[]][] => {
    const file = relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url).split('?')[0] ?? '';
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map((each) => each.functionName);
    return file.startsWith('src/') ? [[file, [...new Set(names)].filter((name) => name !== '')]] : [];
  });
  const test = relative(ROOT, expect.getState().testPath ?? '');
  const ms = Math.round(performance.now() - began);
  const recorded: Recorded = { test, ms, called: Object.fromEntries(called) };
  const name = `${test.replaceAll('/', '+')}.json`;
  writeFileSync(join(process.env['COUNTERMAND_RECORD'] ?? '', name), JSON.stringify(recorded));
});
