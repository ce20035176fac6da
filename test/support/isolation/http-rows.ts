/** The rows for each route of the bot's server: what somebody tries there with data of another workspace. */
import { signBody } from '../../../sandbox/order-service/events.ts';
import type { Caller } from './caller.ts';
import type { Row, Rows } from './row.ts';
import type { Held } from './two-workspaces.ts';

/** An event of the order service about a cancellation that a workspace waits for. */
function postEvent(
  me: Caller,
  to: string,
  { orderId, secret }: { orderId: string; secret: string | undefined },
) {
  const at = new Date().toISOString();
  const data = { orderId, status: 'approved', createdAt: at, updatedAt: at };
  const body = JSON.stringify({ topic: 'order.cancellationrequest.updated', data });
  const signature = secret === undefined ? {} : { 'x-sibi-signature-256': sign(body, secret) };
  const headers = { 'content-type': 'application/json', ...signature };
  return me.fetch(new URL(to).pathname, { method: 'POST', headers, body });
}

const sign = (body: string, secret: string) =>
  signBody(body, { id: 'any', url: 'any', secret, format: 'sha256=hex' });

const reviewed = ({ requests }: Held) => requests.announced.target;

const PAGE: Pick<Row, 'works'> = { works: 'nobody' };

export const HTTP_ROWS: Rows = {
  'POST /slack/events': [
    {
      holding: 'a workspace, an admin and a secret of one’s own',
      play: (me, { team, admin }) => {
        const form = {
          team_id: team,
          user_id: admin,
          command: '/countermand',
          text: 'history',
          trigger_id: '1',
        };
        const body = new URLSearchParams(form).toString();
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': `${Math.floor(Date.now() / 1_000)}`,
          'x-slack-signature': `v0=${'0'.repeat(64)}`,
        };
        return me.fetch('/slack/events', { method: 'POST', headers, body });
      },
      reads: /^401/,
      works: 'nobody',
    },
  ],
  'POST /events/*': [
    {
      holding: 'its endpoint, and an order that is reviewed',
      play: (me, theirs) =>
        postEvent(me, theirs.eventsUrl, { orderId: reviewed(theirs), secret: me.side.secret }),
      reads: /^(401|202)/,
    },
    {
      holding: 'its endpoint, and no secret',
      play: (me, theirs) => postEvent(me, theirs.eventsUrl, { orderId: reviewed(theirs), secret: undefined }),
      reads: /^401/,
      works: 'nobody',
    },
    {
      holding: 'an order that is reviewed',
      play: (me, theirs) =>
        postEvent(me, me.side.eventsUrl, { orderId: reviewed(theirs), secret: me.side.secret }),
      reads: /^20\d .*A-2002/s,
    },
    {
      holding: 'its id, for an endpoint',
      play: (me, theirs) =>
        postEvent(me, `http://any/events/${theirs.team}`, {
          orderId: reviewed(theirs),
          secret: me.side.secret,
        }),
      reads: /^404/,
      works: 'nobody',
    },
    {
      holding: 'its id, with the secret part of another endpoint',
      play: (me, theirs) =>
        postEvent(me, me.side.eventsUrl.replace(/\/[^/]*~/, `/${theirs.team}~`), {
          orderId: reviewed(theirs),
          secret: me.side.secret,
        }),
      reads: /^404/,
      works: 'nobody',
    },
  ],
  'GET /slack/install': [
    {
      holding: 'its id',
      play: (me, { team }) => me.fetch(`/slack/install?team=${team}`),
      reads: /^200 .*Add Countermand/s,
      ...PAGE,
    },
  ],
  'GET /slack/oauth_redirect': [
    {
      holding: 'its id',
      play: (me, { team }) => me.fetch(`/slack/oauth_redirect?team=${team}&code=1&state=1`),
      reads: /^400 /,
      ...PAGE,
    },
  ],
  'GET /healthz': health('GET', '/healthz'),
  'HEAD /healthz': health('HEAD', '/healthz'),
  'GET /readyz': health('GET', '/readyz'),
  'HEAD /readyz': health('HEAD', '/readyz'),
};

function health(method: 'GET' | 'HEAD', path: string): Row[] {
  return [
    {
      holding: 'its id',
      play: (me, { team }) => me.fetch(`${path}?team=${team}`, { method }),
      reads: /^200/,
      ...PAGE,
    },
  ];
}
