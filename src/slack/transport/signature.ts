/** Checks whether Slack signed a request, and when; signs a request as Slack does, to check the bot's own address. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
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

/** Reads the headers of a signature. @returns undefined if they are missing or malformed */
export function readSignature(headers: IncomingHttpHeaders): Signature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  return { timestamp, digest: Buffer.from(signature.slice('v0='.length), 'hex') };
}

/** Checks that a signature is about as old as it may be. @param now epoch milliseconds */
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

/**
 * Makes Slack's challenge (https://docs.slack.dev/reference/events/url_verification), signed
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 *
 * @param now epoch milliseconds
 */
export function signedChallenge(
  signingSecret: string,
  challenge: string,
  now: number,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ type: 'url_verification', challenge });
  const timestamp = `${Math.floor(now / 1_000)}`;
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
  };
}

/** Whether a request is signed with this secret, whenever that was. */
export const isSignedBy = (signingSecret: string, request: Pick<HttpRequest, 'headers' | 'body'>): boolean =>
  checkSignature(request, createSecretKey(signingSecret, 'utf8')).type === 'valid';
