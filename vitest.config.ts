import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Start processes, servers and browsers, end them, and wait for what that leads to; or play many requests to their end. */
export const LONG = [
  'test/{browser,chaos,crash,deploy,e2e,process,simulate}/**/*.test.ts',
  'test/storage/redis/**/*.test.ts',
  'test/jobs/{fairness,queue,runner,timers}.test.ts',
  'test/slack/messages/sentences.property.test.ts',
];

const isLong = ({ moduleId }: TestSpecification) =>
  LONG.some((pattern) => matchesGlob(moduleId, `${import.meta.dirname}/${pattern}`));

/**
 * Files in the order of how long they took the last time, else of their sizes, so that the longest is not waited for at the
 * end; and the short ones last, also where no run was before, to fill both cores up to the end.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: long = [], false: short = [] } = Object.groupBy(
      await super.sort(files),
      (file) => `${isLong(file)}`,
    );
    return [...long, ...short];
  }
}

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 512 * 1024 ** 2;

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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TMPDIR: temporaryFolders() },
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // More than the two cores that we run on, since tests also wait. Not many more, and no projects that would have workers
    // of their own: each worker loads and optimizes all modules anew, for 3 s of CPU time.
    maxWorkers: 6,
    // A test that is concurrent starts processes.
    maxConcurrency: 2,
    // No module of ours keeps anything: loading them anew for each file would take nearly half of the time.
    isolate: false,
    sequence: { shuffle: { tests: true }, sequencer: LongFirst },
    reporters: ['default', './test/support/count-reporter.ts'],
  },
});
