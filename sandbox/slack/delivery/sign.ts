import { createHmac } from 'node:crypto';

/** The headers by which an app knows that a request comes from Slack. */
export function signatureHeaders(body: string, secret: string, timestamp = currentTimestamp()) {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': `${timestamp}`, 'x-slack-signature': `v0=${digest}` };
}

/** The real time, whatever the world's clock says: the app compares it with its own. */
const currentTimestamp = () => Math.floor(Date.now() / 1000);
