/** Collects what a program prints that a test has started, and ends it with the test. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** @returns what it has printed so far, on both streams; and its exit code, once it ends */
export function watched(child: ChildProcess) {
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { output: () => output, ended };
}
