import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** The end-to-end tests run once for every way in which a desk can be set up; environment.ts and desk-storage.ts read these. */
const DESKS: Record<string, Record<string, string>> = {
  e2e: {},
  'e2e-socket': { DESK_TRANSPORT: 'socket' },
  'e2e-redis': { DESK_STORAGE: 'redis' },
};

const END_TO_END = 'test/e2e/**/*.test.ts';
const IN_BROWSER = 'test/browser/**/*.test.ts';

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [END_TO_END, IN_BROWSER] },
};

const browser: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'browser', include: [IN_BROWSER] },
};

const desks = Object.entries(DESKS).map(
  ([name, env]): TestProjectInlineConfiguration => ({
    extends: true,
    test: { name, include: [END_TO_END], env, setupFiles: './test/support/desk-setup.ts' },
  }),
);

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    // Most of a test's time is waiting for an answer.
    maxWorkers: 4,
    sequence: { shuffle: true },
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [unit, browser, ...desks],
  },
});
