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
  const sign = bySlack(signingSecret);
  let count = 0;
  return () => {
    count += 1;
    return sign(`${form}&trigger_id=${Date.now()}.${count}.0123456789abcdef`);
  };
}

/** A request about the order `A-<n>`. */
export type Numbered = ReturnType<NextRequest> & { n: number };

/**
 * Forms that were filled in, in each workspace in turn and each for an order of its own.
 *
 * @param prefix of the ids of the orders
 */
export function forms(signingSecret: string, workspaces: readonly string[], prefix = 'A-'): () => Numbered {
  const sign = bySlack(signingSecret);
  let n = 0;
  return () => {
    n += 1;
    const workspace = workspaces[n % workspaces.length] ?? WORKSPACE;
    const payload = JSON.stringify(submission(`${prefix}${n}`, workspace));
    return { n, ...sign(new URLSearchParams({ payload }).toString()) };
  };
}

/** Clicks in the history of a workspace, with filters that hardly any request meets. The ids are those of its modal. */
export function historyClicks(
  signingSecret: string,
  workspace: string,
): (viewId: string) => ReturnType<NextRequest> {
  const sign = bySlack(signingSecret);
  return (viewId) => {
    const values = {
      history_id: { history_id: { type: 'plain_text_input', value: null } },
      'history:0': {
        history_group: { type: 'static_select', selected_option: { value: 'refused' } },
        history_person: { type: 'users_select', selected_user: 'U0ANA' },
      },
    };
    const payload = JSON.stringify({
      type: 'block_actions',
      team: { id: workspace },
      user: { id: 'U0ANA', team_id: workspace },
      trigger_id: `${Date.now()}.1.0123456789abcdef`,
      view: {
        id: viewId,
        team_id: workspace,
        type: 'modal',
        private_metadata: '',
        state: { values },
      },
      actions: [
        { type: 'static_select', action_id: 'history_group', block_id: 'history:0', action_ts: '1.000001' },
      ],
    });
    return sign(new URLSearchParams({ payload }).toString());
  };
}

const submission = (target: string, workspace: string) => ({
  type: 'view_submission',
  team: { id: workspace },
  user: { id: 'U0ANA', team_id: workspace },
  view: {
    id: `V0BENCH${target}`,
    team_id: workspace,
    app_installed_team_id: workspace,
    type: 'modal',
    callback_id: 'request_cancel_order',
    private_metadata: '',
    state: {
      values: {
        target: { target: { type: 'plain_text_input', value: target } },
        reason: { reason: { type: 'plain_text_input', value: 'Ordered twice' } },
        channel: { channel: { type: 'conversations_select', selected_conversation: 'C0SUPPORT' } },
      },
    },
  },
});

function bySlack(signingSecret: string) {
  const secret = createSecretKey(signingSecret, 'utf8');
  return (body: string) => {
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

/** A prime, so that events come for all orders in turn, and never for two neighbours. */
const STRIDE = 7_919;

/** Events of the order service, each newer than all before it: none is a repeat, and each has to be written. */
export function events(seeded: Seeded): NextRequest {
  const event = byService(seeded);
  let count = 0;
  return () => {
    count += 1;
    return event((count * STRIDE) % seeded.orders, 'pending', count);
  };
}

type Endpoint = Omit<Seeded, 'orders'>;

/** Decisions about one order, each the opposite of the one before. */
export function flips(endpoint: Endpoint, order: number): NextRequest {
  const event = byService(endpoint);
  let count = 0;
  return () => {
    count += 1;
    return event(order, count % 2 === 0 ? 'approved' : 'denied', count);
  };
}

/** The outcome of each order, once: of the endpoints in turn. */
export function outcomes(endpoints: readonly Endpoint[]): () => Numbered {
  const events = endpoints.map(byService);
  let n = 0;
  return () => {
    n += 1;
    const event = events[n % events.length] as ReturnType<typeof byService>;
    return { n, ...event(n, 'approved', 1) };
  };
}

function byService({ endpoint, eventsSecret, requestedAt }: Endpoint) {
  const secret = createSecretKey(eventsSecret, 'utf8');
  return (order: number, status: string, age: number) => {
    const data = {
      orderId: `A-${order}`,
      poNumber: `PO-${order}`,
      status,
      reason: 'Ordered twice',
      createdAt: new Date(requestedAt).toISOString(),
      updatedAt: new Date(requestedAt + age).toISOString(),
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
