/** Signs a request as Slack does, to check an address of our own, and checks who signed one. */
import { createHmac, createSecretKey } from 'node:crypto';
import type { HttpRequest } from '../../http/route.ts';
import { checkSignature } from './signature.ts';

/**
 * Slack's challenge (https://docs.slack.dev/reference/events/url_verification), signed
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
