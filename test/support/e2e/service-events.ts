/** Events of the order service, posted by hand. */
import { createHmac } from 'node:crypto';
import type { Harness } from './harness.ts';

type Endpoint = NonNullable<Harness['endpoint']>;

export const endpointOf = (harness: Harness): Endpoint => {
  if (!harness.endpoint) throw new Error('not connected');
  return harness.endpoint;
};

/** Posts an event, signed as the service signs it. @param more `body`: sent in place of the event */
export function post(
  { eventsUrl, secret }: Endpoint,
  event: unknown,
  more: { body?: string; headers?: Record<string, string> } = {},
) {
  const body = more.body ?? JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-sibi-signature-256': `sha256=${signature}`,
    ...more.headers,
  };
  return fetch(eventsUrl, { method: 'POST', headers, body });
}
