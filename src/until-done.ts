/** Waits for the storage or Slack while it is unavailable at the start: the process stays alive, and is not ready. */
import { asError } from './fault.ts';
import type { Log } from './outbox/ports.ts';
import type { Runtime } from './requests/ports/ports.ts';

/** The wait before the second attempt; doubled each time, up to the longest. */
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

/** `signal`: ends the wait. */
export type Waiting = { log: Log; signal: AbortSignal } & Pick<Runtime, 'random' | 'sleep'>;

/**
 * Repeats an attempt until it succeeds.
 *
 * @param waitAskedBy the shortest wait after an error, milliseconds; undefined if waiting is useless
 * @param message of the log line about each failed attempt
 * @returns undefined if the wait was ended
 * @throws an error after which waiting is useless
 */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  { log, signal, random, sleep }: Waiting,
  { waitAskedBy, message }: { waitAskedBy: (error: unknown) => number | undefined; message: string },
): Promise<T | undefined> {
  for (let waitMs = BACKOFF_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_BACKOFF_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const askedMs = waitAskedBy(error);
      if (askedMs === undefined) throw error;
      const nextInMs = Math.max(askedMs, Math.round(waitMs * (0.75 + random() / 4)));
      // Without the stack, which would only fill the log: this line repeats.
      log.error({ reason: asError(error).message, nextInMs }, message);
      await sleep(nextInMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
    }
  }
}
