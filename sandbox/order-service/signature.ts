import { createHmac } from 'node:crypto';
import type { Subscription } from './organization.ts';

/** Computes X-Sibi-Signature-256 for a body: a SHA-256 HMAC, in the format of the subscription. */
export function signBody(body: string, { secret, format }: Subscription): string {
  const hmac = createHmac('sha256', secret).update(body);
  if (format === 'base64') return hmac.digest('base64');
  const hex = hmac.digest('hex');
  return format === 'hex' ? hex : `sha256=${hex}`;
}
