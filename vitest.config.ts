import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** `runs`: the end-to-end tests (test/e2e) that this setup could break. */
type Setup = { env: Record<string, string>; runs: readonly string[] };

/**
 * The setups other than HTTP and SQLite, at which all end-to-end tests run. The variables are read by sandbox/environment.ts
 * and test/support/e2e/storage.ts.
 */
const MATRIX: Record<string, Setup> = {
  // Payloads and answers travel over a WebSocket: commands, forms and their errors, buttons, reactions and choices, and
  // payloads that Slack would not send.
  // test/slack/transport/socket-receiver.test.ts holds the rest.
  'e2e-socket': {
    env: { TEST_TRANSPORT: 'socket' },
    runs: [
      'approval/decline-by-reaction',
      'approvers/emoji',
      'request/cancel-order',
      'transport/hostile',
      'transport/rate-limit-alarm',
      'transport/socket-mode',
    ],
  },
  // BullMQ distributes the work, and Redis stores everything: the main job, events and deadlines, concurrent replicas, and
  // removal. The contracts in test/storage hold both storages to the same.
  'e2e-redis': {
    env: { TEST_STORAGE: 'redis' },
    runs: [
      'events/late-events',
      'install/token-rotation',
      'install/uninstall',
      'log-lines',
      'request/cancel-order',
      'slack-api/limits',
      'storage/replica*',
      'storage/retention',
    ],
  },
};

/** The tests that need one of those setups. */
const MATRIX_ONLY = ['storage/replica*', 'transport/socket-mode'];

const END_TO_END = 'test/e2e/**/*.test.ts';
const IN_BROWSER = 'test/browser/**/*.test.ts';

/** Start processes and servers, end them, and wait for what that leads to; or play many requests to their end. */
const IN_PROCESSES = [
  'test/{chaos,crash,deploy,process,simulate}/**/*.test.ts',
  'test/storage/redis/**/*.test.ts',
  'test/jobs/{fairness,queue,runner,timers}.test.ts',
  'test/slack/messages/sentences.property.test.ts',
];

const setupFiles = './test/support/e2e/setup.ts';
const endToEnd = (names: readonly string[]) => names.map((name) => `test/e2e/${name}.test.ts`);

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'unit',
    include: ['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'],
    exclude: [END_TO_END, IN_BROWSER, ...IN_PROCESSES],
  },
};

const system: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'system',
    globalSetup: './test/support/processes/bundle.ts',
    include: [...IN_PROCESSES, IN_BROWSER, END_TO_END],
    exclude: endToEnd(MATRIX_ONLY),
  },
};

const matrix = Object.entries(MATRIX).map(
  ([name, { env, runs }]): TestProjectInlineConfiguration => ({
    extends: true,
    test: { name, include: endToEnd(runs), env, setupFiles },
  }),
);

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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TMPDIR: temporaryFolders() },
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // More than the two cores that we run on, since tests also wait. Not many more: each worker of a project loads and
    // optimizes all modules anew, for 2 to 5 s of CPU time.
    maxWorkers: 6,
    // A test that is concurrent starts processes.
    maxConcurrency: 2,
    // No module of ours keeps anything: loading them anew for each file would take nearly half of the time.
    isolate: false,
    // Files in the order of how long they took the last time, so that the longest is not waited for at the end.
    sequence: { shuffle: { tests: true } },
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [unit, system, ...matrix],
  },
});
