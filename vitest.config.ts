import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Start processes, servers and browsers, end them, and wait for what that leads to; or play many requests to their end. The
 * longest are first.
 */
export const LONG = [
  'test/{chaos,simulate}/**/*.test.ts',
  'test/{crash,deploy,process}/**/*.test.ts',
  'test/jobs/{fairness,queue,queue-outages,runner,timers}.test.ts',
  'test/storage/rate-limiter.test.ts',
  'test/{browser,e2e,storage/redis}/**/*.test.ts',
  'test/slack/{typed-text,messages/sentences.property}.test.ts',
];

/**
 * The longest files first, so that none is waited for at the end; also in a fresh clone, where vitest does not know how long
 * each took the last time, and goes by its size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file.moduleId) }));
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file);
  }
}

function rankOf(path: string): number {
  const rank = LONG.findIndex((pattern) => matchesGlob(path, join(import.meta.dirname, pattern)));
  return rank === -1 ? LONG.length : rank;
}

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** The test of the image copies node_modules, of more than 512 MB. */
const ENOUGH_BYTES = 1_536 * 1024 ** 2;

/**
 * No test survives a power cut, so its files may lie in memory: the databases sync on every commit, and waiting for a disk
 * took as long as everything else together.
 */
function temporaryFolders(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir();
}

export default defineConfig({
  // As in the bundle (src/version.ts): else each bot that a test starts asks git for its commit.
  define: { BUNDLED_COMMIT: JSON.stringify('a commit') },
  test: {
    include: ['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'],
    globalSetup: './test/support/processes/bundle.ts',
    setupFiles: './test/support/listener-leaks.ts',
    // Reached only by something that never happens: a busy machine may take several times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { TMPDIR: temporaryFolders() },
    expect: { poll: { timeout: 60_000, interval: 10 } },
    // Three times the two cores that we run on: a worker waits most of the time, for timers, servers and processes, and four
    // left a quarter of the cores idle. Not more, and no projects, which would have workers of their own: each worker loads
    // and optimizes all modules anew, for 3 to 5 s of CPU time.
    maxWorkers: 6,
    // What a test allocates is garbage when it ends. With a large young generation little of it is copied before.
    execArgv: ['--max-semi-space-size=64'],
    // A test that is concurrent starts processes.
    maxConcurrency: 2,
    // No module of ours keeps anything: loading them anew for each file would take nearly half of the time.
    isolate: false,
    sequence: { shuffle: { tests: true }, sequencer: LongestFirst },
    reporters: ['default', './test/support/count-reporter.ts'],
  },
});
