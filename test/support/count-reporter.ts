/** Prints each test that was skipped for a reason and, alone on the last line, the counts of the run: `N passed, N failed`. */
import type { Reporter, TestModule } from 'vitest/node';

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const failed = count('failed') + broken + errors.length;
    const skipped = tests.flatMap((test) => {
      const result = test.result();
      const reason = result.state === 'skipped' ? result.note : undefined;
      return reason ? [`skipped, as ${reason}: ${test.fullName}\n`] : [];
    });
    // After the summary of the default reporter, which is printed in the same tick.
    setImmediate(() =>
      process.stdout.write(`\n${skipped.join('')}${count('passed')} passed, ${failed} failed\n`),
    );
  }
}
