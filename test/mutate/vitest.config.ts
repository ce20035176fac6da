/** The configuration of vitest that runs the tests with a mutant or, with COUNTERMAND_RECORD, records the map. */
import { defineConfig, type Plugin } from 'vitest/config';
import base from '../../vitest.config.ts';
import { loadMutated, ownMutant, ROOT } from './applied.ts';

const mutant = ownMutant();
const isRecording = process.env['COUNTERMAND_RECORD'] !== undefined;

/** Tests that take too long to run for each mutant, or that do most of their work in other processes. */
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
    // Vitest would cache the changed source under the hash of the unchanged file, and later runs would load the mutant.
    fsModuleCache: false,
    maxWorkers: 2,
    // A mutant may wait for ever. A test that is only slow fails as well; it is then run again alone.
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
