/**
 * The configuration of vitest in which a mutant runs, or, with COUNTERMAND_RECORD, what each test file executes is
 * recorded.
 */
import { defineConfig, type Plugin } from 'vitest/config';
import base from '../../vitest.config.ts';
import { loadMutated, ownMutant, ROOT } from './applied.ts';

const mutant = ownMutant();
const isRecording = process.env['COUNTERMAND_RECORD'] !== undefined;

/**
 * The tests in processes, browsers and whole plays run too long for each mutant, and most of what they do is not in this
 * process.
 */
const NOT_RECORDED = ['browser', 'chaos', 'crash', 'mutate', 'process', 'simulate'].map(
  (folder) => `test/${folder}/**`,
);

const changesSource: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  load: (id) => loadMutated(id, mutant),
};

export default defineConfig({
  ...base,
  root: ROOT,
  plugins: [changesSource],
  test: {
    ...base.test,
    reporters: ['default'],
    // Vitest keeps what it has transformed on disk, by the file as it is there: later runs would go on with the mutant.
    fsModuleCache: false,
    maxWorkers: 2,
    // A mutant may wait for ever. On a busy machine a test that is only slow fails as well, and is tried again by itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000, interval: 10 } },
    // A module that another test file has loaded would be missing from the record.
    ...(isRecording && {
      isolate: true,
      setupFiles: ['./test/mutate/record.ts'],
      exclude: NOT_RECORDED,
    }),
  },
});
