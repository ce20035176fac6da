/** Skips tests that need a program which this machine does not have. With CI=true they fail. */
import { beforeEach, type TestContext } from 'vitest';

/** Skips each test of the file or the `describe`. @param program its name, and where it was looked for: "bwrap on PATH" */
export function needs(found: boolean, program: string): void {
  beforeEach((context) => skipWithout(context, found, program));
}

/** Skips this test. @param program as above */
export function skipWithout({ skip }: Pick<TestContext, 'skip'>, found: boolean, program: string): void {
  if (!found && process.env['CI'] === 'true') throw new Error(`There is no ${program}.`);
  skip(!found, `there is no ${program}`);
}
