/** Waits for Slack at the start: where it is away for a while, the process stays, and is not ready. */
import { webApi } from '@slack/bolt';
import type { Log } from '../../requests/ports/ports.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import { failureOf } from '../client/failure.ts';
import { NotConnectedError } from '../transport/socket-connection.ts';

/** Before the second attempt; doubled with each one, up to the longest. */
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Tries until Slack answers.
 *
 * @param signal ends the wait
 * @returns undefined where the wait was ended
 * @throws TokenRefusedError; and what has nothing to do with Slack
 */
export async function untilReached<T>(
  act: () => Promise<T>,
  { log, signal, random, sleep }: { log: Log; signal: AbortSignal } & Pick<Runtime, 'random' | 'sleep'>,
): Promise<T | undefined> {
  for (let waitMs = BACKOFF_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_BACKOFF_MS)) {
    try {
      return await act();
    } catch (error) {
      const askedMs = waitAskedBy(error);
      if (askedMs === undefined) throw error;
      const nextInMs = Math.max(askedMs, Math.round(waitMs * (0.75 + random() / 4)));
      // Its stack says nothing of use, and it is logged again and again.
      const reason = error instanceof Error ? error.message : String(error);
      log.error(
        { reason, nextInMs },
        'Slack cannot be reached: it is tried again, and this replica is not ready',
      );
      await sleep(nextInMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
    }
  }
}

const OF_SLACK = [
  webApi.WebAPIPlatformError,
  webApi.WebAPIRequestError,
  webApi.WebAPIHTTPError,
  webApi.WebAPIRateLimitedError,
];

/** How long Slack asks to wait, in milliseconds, 0 where it does not say; undefined where waiting is of no use. */
function waitAskedBy(error: unknown): number | undefined {
  if (error instanceof NotConnectedError) return error.retryAfterMs;
  if (!OF_SLACK.some((type) => error instanceof type)) return undefined;
  const failure = failureOf(error);
  return failure.type === 'later' ? (failure.retryAfterMs ?? 0) : 0;
}
