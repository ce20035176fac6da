import { randomBytes } from 'node:crypto';
import { APP } from '../../world/app/installations.ts';
import type { AppConnection } from '../app-connection.ts';

/** Sends the challenge by which Slack checks a request URL; the app must send it back. */
export async function verifyRequestUrl(connection: AppConnection): Promise<boolean> {
  const challenge = randomBytes(24).toString('hex');
  const body = { type: 'url_verification', token: APP.verificationToken, challenge };
  const result = await connection.send({ kind: 'event', name: 'url_verification', encoding: 'json', body });
  return result.ended === 'answered' && result.status === 200 && result.body.includes(challenge);
}
