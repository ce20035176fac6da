/** Runs the bot, or another file of the project, as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ownCacheFolder } from '../../src/compile-cache.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A folder without an `.env`. The bot would read that of the root, which belongs to the operator's own bot. */
const WITHOUT_ENV_FILE = import.meta.dirname;
/** One compile cache for every process, so the source is compiled once. */
const CACHE = ownCacheFolder();

export type BotProcess = ReturnType<typeof startBot>;

/**
 * Starts a program with only this environment, besides PATH, HOME and a compile cache.
 *
 * @param entry a file of the project, by its path from the root; a bundle, by its absolute path; or an option of Node, with the
 *   file in `args`
 * @param sign the text that the program prints once it accepts requests
 * @param cwd where it runs; the bot also reads an `.env` there
 */
export function startBot(
  entry: string,
  env: Record<string, string>,
  args: string[] = [],
  sign = 'Countermand is ready',
  cwd = WITHOUT_ENV_FILE,
) {
  const { PATH = '', HOME = '' } = process.env;
  // The compile cache of a bundle is in the bundle's folder, and is removed with it.
  const cache = isAbsolute(entry) ? join(dirname(entry), 'compiled') : CACHE;
  const own = { PATH, HOME, ...(cache && { NODE_COMPILE_CACHE: cache }) };
  const program = entry.startsWith('-') ? entry : resolve(ROOT, entry);
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...own, ...env } });
  let output = '';
  // 'close', because some output may not have been read yet at 'exit'.
  const ended = once(child, 'close').then(
    ([code, signal]) => (signal ?? code) as number | NodeJS.Signals | null,
  );
  const ready = new Promise<void>((resolve, reject) => {
    let isReady = false;
    const read = (chunk: string) => {
      output += chunk;
      // Search only until the sign has come: each search copies the whole output.
      if (isReady || !output.includes(sign)) return;
      isReady = true;
      resolve();
    };
    // Decoded by the stream: a character can be split between two chunks.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    void ended.then((end) => reject(new Error(`the bot ended with ${end} before it was ready:\n${output}`)));
  });
  // A caller that does not wait for `ready` must not crash when it rejects.
  ready.catch(() => {});
  return {
    child,
    /** Resolves once the bot takes requests; rejects if the bot ends before. */
    ready,
    ended,
    output: () => output,
    kill: (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The signals that end a program: from Ctrl+C, from another program, and from a terminal that is closed. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends this process when a signal comes or, with code 1, when the bot ends by itself.
 * @param sayEnded called before `close` in the second case, with the exit code or the signal
 */
export function stopOnSignals(
  botEnded: Promise<unknown>,
  close: () => Promise<void>,
  sayEnded: (end: unknown) => void,
): void {
  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    await close();
    process.exit(exitCode);
  };
  for (const signal of SIGNALS) process.on(signal, () => void stop(0));
  void botEnded.then((end) => {
    if (!isStopping) sayEnded(end);
    return stop(1);
  });
}
