/** Waits for Slack at the start: during an outage the process stays alive, and is not ready. */
import { webApi } from '@slack/bolt';
import { untilDone, type Waiting } from '../../backoff.ts';
import { failureOf } from '../client/failure.ts';
import { NotConnectedError } from '../transport/socket-connection.ts';

/**
 * Tries until Slack answers.
 *
 * @returns undefined if the wait was ended
 * @throws TokenRefusedError; and errors that do not come from Slack
 */
export const untilReached = <T>(connect: () => Promise<T>, waiting: Waiting): Promise<T | undefined> =>
  untilDone(connect, waiting, {
    waitAskedBy,
    message: 'Slack is unreachable, will retry: this replica is not ready',
  });

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
