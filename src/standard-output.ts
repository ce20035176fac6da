/**
 * Writes lines to standard output, whole and in their order. `process.stdout`, which the configuration reads, makes a pipe
 * non-blocking: while nobody reads it, it answers EAGAIN. Lines then wait here, and the bot goes on.
 */
import { writeSync } from 'node:fs';

/** The most bytes that wait while standard output takes nothing: its disk may be full for days. More are dropped. */
const MOST_WAITING = 1024 * 1024;
const RETRY_MS = 100;
/** The time that a slow reader has at the end of the process. */
const END_MS = 1_000;

export type LineOutput = ReturnType<typeof createLineOutput>;

/** @param writeBytes returns how many of the bytes were taken, or throws */
export function createLineOutput(writeBytes: (bytes: Buffer) => number) {
  const waiting: Buffer[] = [];
  let bytesWaiting = 0;
  let willRetry = false;

  function writeWaiting(): void {
    for (let [next] = waiting; next; [next] = waiting) {
      const taken = writeBytes(next);
      bytesWaiting -= taken;
      if (taken === next.length) waiting.shift();
      else waiting[0] = next.subarray(taken);
    }
  }

  /** Writes the lines that wait. @returns why some of them still wait */
  function flush(): NodeJS.ErrnoException | undefined {
    try {
      writeWaiting();
      return undefined;
    } catch (error) {
      flushLater();
      return error as NodeJS.ErrnoException;
    }
  }

  function flushLater(): void {
    if (willRetry) return;
    willRetry = true;
    setTimeout(() => {
      willRetry = false;
      flush();
    }, RETRY_MS).unref();
  }

  return {
    flush,
    /** Writes a line, at once or as soon as standard output takes it. It never throws. @returns false: the line is dropped */
    write(line: string): boolean {
      const bytes = Buffer.from(line);
      if (bytesWaiting + bytes.length > MOST_WAITING) return false;
      waiting.push(bytes);
      bytesWaiting += bytes.length;
      flush();
      return true;
    },
    /** Writes the lines that wait, for a moment at most. Nothing else happens meanwhile: call it at the end of the process. */
    end(): void {
      const until = performance.now() + END_MS;
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (flush()?.code === 'EAGAIN' && performance.now() < until) Atomics.wait(clock, 0, 0, 10);
    },
  };
}

/** The standard output of this process: its log and its audit stream, which must not write into each other's lines. */
export const STANDARD_OUTPUT = createLineOutput((bytes) => writeSync(1, bytes));
