/** Whether a request was signed by Slack (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Older requests may be replays; a clock that is ahead is as suspicious as one that is behind. */
const MOST_SKEW_SECONDS = 5 * 60;

/** @param now epoch milliseconds */
export function isFromSlack(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  secret: KeyObject,
  now: number,
): boolean {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > MOST_SKEW_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature.slice('v0='.length), 'hex'));
}
