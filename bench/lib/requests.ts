/** Makes the requests of the load, each signed when it is sent. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { NextRequest } from './load.ts';
import { type Seeded, WORKSPACE } from './seed.ts';

const form = new URLSearchParams({
  token: 'gIkuvaNzQIHg97ATvDxqgjtO',
  team_id: WORKSPACE,
  team_domain: 'support-desk',
  channel_id: 'C0SUPPORT',
  channel_name: 'support',
  user_id: 'U0ANA',
  user_name: 'ana',
  command: '/countermand',
  text: 'status bcdfghjkmnpq',
  api_app_id: 'A0COUNTERMAND',
  is_enterprise_install: 'false',
  response_url: `https://hooks.slack.com/commands/${WORKSPACE}/5551234567890/gYkSgUlYuCgVhGZEH4XtHKOo`,
}).toString();

/** Slack's slash command, with a trigger of its own each time. */
export function commands(signingSecret: string): NextRequest {
  const secret = createSecretKey(signingSecret, 'utf8');
  let count = 0;
  return () => {
    count += 1;
    const body = `${form}&trigger_id=${Date.now()}.${count}.0123456789abcdef`;
    const timestamp = `${Math.floor(Date.now() / 1_000)}`;
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    return {
      path: '/slack/events',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    };
  };
}

/** A prime: events come for all orders in turn, and never for neighbours. */
const STRIDE = 7_919;

/** Events of the order service, each newer than all before it: none is a repeat, and each has to be written. */
export function events({ endpoint, eventsSecret, requestedAt, orders }: Seeded): NextRequest {
  const secret = createSecretKey(eventsSecret, 'utf8');
  let count = 0;
  return () => {
    count += 1;
    const order = (count * STRIDE) % orders;
    const data = {
      orderId: `A-${order}`,
      poNumber: `PO-${order}`,
      status: 'pending',
      reason: 'Ordered twice',
      createdAt: new Date(requestedAt).toISOString(),
      updatedAt: new Date(requestedAt + count).toISOString(),
      requestedByUserId: 'api-user-1',
    };
    const body = JSON.stringify({ topic: 'order.cancellationrequest.updated', data });
    return { path: `/events/${endpoint}`, headers: signed(body, secret), body };
  };
}

const signed = (body: string, secret: KeyObject) => ({
  'content-type': 'application/json',
  topic: 'order.cancellationrequest.updated',
  'x-sibi-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
