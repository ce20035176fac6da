import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** `leavesOut`: end-to-end tests (test/e2e) that have nothing to do with what makes this desk another one. */
type Desk = { env: Record<string, string>; leavesOut: readonly string[] };

/**
 * The end-to-end tests run once at the first desk, and those that another desk could make a difference to run there, too;
 * sandbox/environment.ts and test/support/desk-storage.ts read the variables.
 */
const DESKS: Record<string, Desk> = {
  // One bot works on a SQLite file.
  e2e: { env: {}, leavesOut: ['approvals-replicas', 'replicas'] },
  'e2e-socket': {
    env: { DESK_TRANSPORT: 'socket' },
    // What happens after Slack has been answered, or without Slack having said anything.
    leavesOut: [
      'approvals-again',
      'approvals-history',
      'approvals-outcomes',
      'approvals-policy',
      'approvals-replicas',
      'approvals-time',
      'approvals-trouble',
      'approvals-voters',
      'breaker',
      'connection-facts',
      'contract',
      'dead-token',
      'events',
      'failure-paths',
      'install',
      'isolation',
      'late-events',
      'log-lines',
      'lost-access',
      'notifications',
      'organization',
      'redis-acl',
      'redis-outage',
      'redis-replica',
      'redis-sentinel',
      'refused-requests',
      'replicas',
      'retention',
      'rights-taken-away',
      'shared-installations',
      'slack-limits',
      'slack-refusals',
      'slack-trouble',
      'token-rotation',
    ],
  },
  'e2e-redis': {
    env: { DESK_STORAGE: 'redis' },
    // Forms, who may do what, and what is said: the contract suites hold both storages to the same.
    leavesOut: [
      'administration',
      'approvals-hostile',
      'approvals-outcomes',
      'approvals-policy',
      'approvals-time',
      'approvals-voters',
      'approvals-votes',
      'asking',
      'connect',
      'connection-facts',
      'contract',
      'dead-token',
      'hostile',
      'install',
      'lost-access',
      'notifications',
      'offers',
      'organization',
      'rate-limit-alarm',
      'refused-requests',
      'rights-taken-away',
      'shared-channels',
      'shared-installations',
      'slack-refusals',
      'slack-trouble',
      'socket-mode',
      'sub-brands',
    ],
  },
};

const END_TO_END = 'test/e2e/**/*.test.ts';
const IN_BROWSER = 'test/browser/**/*.test.ts';

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'unit',
    include: ['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'],
    exclude: [END_TO_END, IN_BROWSER],
  },
};

const browser: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'browser', include: [IN_BROWSER] },
};

const desks = Object.entries(DESKS).map(
  ([name, { env, leavesOut }]): TestProjectInlineConfiguration => ({
    extends: true,
    test: {
      name,
      include: [END_TO_END],
      exclude: leavesOut.map((file) => `test/e2e/${file}.test.ts`),
      env,
      setupFiles: './test/support/desk-setup.ts',
    },
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
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TMPDIR: temporaryFolders() },
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // Most of a test's time is waiting for an answer.
    maxWorkers: 4,
    // A test that is concurrent starts processes.
    maxConcurrency: 2,
    // No module of ours keeps anything: loading them anew for each file would take nearly half of the time.
    isolate: false,
    // Files in the order of how long they took the last time, so that the longest is not waited for at the end.
    sequence: { shuffle: { tests: true } },
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [unit, browser, ...desks],
  },
});
