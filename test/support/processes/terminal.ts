/** Runs terminal commands in the test's own process, which is faster than a process for each. */
import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { runCommand } from '../../../src/cli.ts';
import { capturedStream } from '../captured-stream.ts';

/**
 * Runs `countermand <args>`.
 * @param env all of its environment
 * @param input what it reads from standard input, whole or in parts
 * @returns `logged`: the lines of the log, which `err` lacks
 */
export async function runInTerminal(
  env: Record<string, string>,
  args: string[],
  input: string | Iterable<string> = '',
) {
  const [out, err] = [capturedStream(), capturedStream()];
  const [{ env: own }, folder] = [process, process.cwd()];
  const streams = [
    vi
      .spyOn(process, 'stdin', 'get')
      .mockReturnValue(Readable.from(typeof input === 'string' ? [input] : input) as never),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(out.stream as never),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(err.stream as never),
  ];
  process.env = { ...env };
  // A folder without the .env of the operator's own bot.
  process.chdir(import.meta.dirname);
  let isOver = false;
  function restore(): void {
    if (isOver) return;
    isOver = true;
    process.env = own;
    process.chdir(folder);
    for (const stream of streams) stream.mockRestore();
  }
  // A test that times out leaves the command running, and later tests of this process need their own environment.
  onTestFinished(restore);
  try {
    const code = await runCommand(args);
    const { left = [], logged = [] } = Object.groupBy(err.text().split('\n'), (line) =>
      line.startsWith('{"level"') ? 'logged' : 'left',
    );
    return { code, out: out.text(), err: left.join('\n'), logged: logged.map((line) => JSON.parse(line)) };
  } finally {
    restore();
  }
}
