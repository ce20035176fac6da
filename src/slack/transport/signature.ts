/** Checks that a request was signed by Slack (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Older requests may be replays; a clock that is ahead is as suspicious as one that is behind. */
const MOST_SKEW_SECONDS = 5 * 60;

export type SignatureCheck =
  | { type: 'valid' }
  /** It is missing, or made with another secret. */
  | { type: 'wrong_signature' }
  /** The signature is right, and its time is not. `offsetSeconds`: how far our clock is ahead of it; negative: behind. */
  | { type: 'wrong_time'; offsetSeconds: number };

/** @param now epoch milliseconds */
export function checkSignature(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  secret: KeyObject,
  now: number,
): SignatureCheck {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return { type: 'wrong_signature' };
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature))
    return { type: 'wrong_signature' };
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  const given = Buffer.from(signature.slice('v0='.length), 'hex');
  if (!timingSafeEqual(expected, given)) return { type: 'wrong_signature' };
  const offsetSeconds = Math.round(now / 1_000 - Number(timestamp));
  return Math.abs(offsetSeconds) > MOST_SKEW_SECONDS
    ? { type: 'wrong_time', offsetSeconds }
    : { type: 'valid' };
}
