/** Waits for Slack at the start: during an outage the process stays alive, and is not ready. */
import { webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import { failureOf } from '../client/failure.ts';
import { NotConnectedError } from '../transport/not-connected.ts';

/** The wait before the second attempt; doubled each time, up to the longest. */
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Tries until Slack answers.
 *
 * @param signal ends the wait
 * @returns undefined if the wait was ended
 * @throws TokenRefusedError; and errors that do not come from Slack
 */
export async function untilReached<T>(
  connect: () => Promise<T>,
  { log, signal, random, sleep }: { log: Log; signal: AbortSignal } & Pick<Runtime, 'random' | 'sleep'>,
): Promise<T | undefined> {
  for (let waitMs = BACKOFF_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_BACKOFF_MS)) {
    try {
      return await connect();
    } catch (error) {
      const askedMs = waitAskedBy(error);
      if (askedMs === undefined) throw error;
      const nextInMs = Math.max(askedMs, Math.round(waitMs * (0.75 + random() / 4)));
      // Without the stack, which is useless, because this line repeats.
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ reason, nextInMs }, 'Slack is unreachable, will retry: this replica is not ready');
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

/** The wait that Slack asks for, milliseconds; 0 if it names none; undefined if waiting is useless. */
function waitAskedBy(error: unknown): number | undefined {
  if (error instanceof NotConnectedError) return error.retryAfterMs;
  if (!OF_SLACK.some((type) => error instanceof type)) return undefined;
  const failure = failureOf(error);
  return failure.type === 'later' ? (failure.retryAfterMs ?? 0) : 0;
}
