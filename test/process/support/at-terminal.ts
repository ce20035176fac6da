/** Runs a program that asks questions at a terminal of its own, and answers them as a person does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';
import { needs } from '../../support/needs.ts';

/** Gives a program a terminal (util-linux; the system of macOS has another `script`). */
const SCRIPT = process.platform === 'linux' ? findOnPath('script') : undefined;

export const needsTerminal = () => needs(SCRIPT !== undefined, 'script of util-linux on PATH');

/** @param command for the shell @param env all of its environment */
export function startAtTerminal(command: string, { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const child = spawn(SCRIPT ?? 'script', ['-qfec', command, '/dev/null'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number);
  return {
    ended,
    output: () => output,
    /** Waits for a question, after the one before, and types the answer. */
    async answer(question: string, text: string) {
      await expect.poll(() => output.indexOf(question, seen)).toBeGreaterThan(-1);
      seen = output.indexOf(question, seen) + question.length;
      child.stdin.write(`${text}\r`);
    },
    interrupt: () => child.stdin.write('\u0003'),
  };
}
