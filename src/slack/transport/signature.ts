/** Checks the signature of a request of Slack, and its time. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpRequest } from '../../http/route.ts';

/** The largest clock difference: older requests may be replays, and times ahead are as suspicious as times behind. */
const MOST_SKEW_SECONDS = 5 * 60;

export type SignatureCheck =
  | { type: 'valid' }
  /** The signature is missing, or made with another secret. */
  | { type: 'wrong_signature' }
  /** `offsetSeconds`: how far our clock is ahead of the time of the signature; negative: behind. */
  | { type: 'wrong_time'; offsetSeconds: number };

type Signature = { timestamp: string; digest: Buffer };

/** @returns undefined if the headers are missing or malformed */
export function readSignature(headers: IncomingHttpHeaders): Signature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  return { timestamp, digest: Buffer.from(signature.slice('v0='.length), 'hex') };
}

/** @param now epoch milliseconds */
export function checkTime({ timestamp }: Signature, now: number): SignatureCheck {
  const offsetSeconds = Math.round(now / 1_000 - Number(timestamp));
  return Math.abs(offsetSeconds) > MOST_SKEW_SECONDS
    ? { type: 'wrong_time', offsetSeconds }
    : { type: 'valid' };
}

/** Checks that Slack has signed a request (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
export function checkSignature(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  secret: KeyObject,
): SignatureCheck {
  const signature = readSignature(headers);
  if (!signature) return { type: 'wrong_signature' };
  const expected = createHmac('sha256', secret).update(`v0:${signature.timestamp}:`).update(body).digest();
  return { type: timingSafeEqual(expected, signature.digest) ? 'valid' : 'wrong_signature' };
}
