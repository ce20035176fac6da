/** The light client of the simulation calls, answers and fails as the SDK's client does. */
import { expect, test } from 'vitest';
import { readArguments } from '../../../sandbox/slack/api/method.ts';
import { ClaimLostError, type Exchange, type HttpAnswer, type HttpCall } from '../../../src/http/exchange.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { failureOf, platformCode } from '../../../src/slack/client/call-slack.ts';
import { boltLogger, type SlackNetwork, webClient } from '../../../src/slack/client/clients.ts';
import { lightClient } from './light-client.ts';

const JSON_BODY = { 'content-type': 'application/json' };

const answered = (answer: Partial<HttpAnswer>): Exchange => ({
  type: 'answered',
  answer: { status: 200, headers: JSON_BODY, body: '{"ok":true}', ...answer },
});
const failed = (cause: Error, how: { sent?: boolean; timedOut?: boolean } = {}): Exchange => ({
  type: 'failed',
  sent: false,
  timedOut: false,
  head: undefined,
  cause,
  ...how,
});

const EXCHANGES: Record<string, Exchange> = {
  'an answer': answered({ body: '{"ok":true,"ts":"1.2","response_metadata":{"next_cursor":"abc"}}' }),
  'its scopes': answered({ headers: { ...JSON_BODY, 'x-oauth-scopes': 'chat:write, users:read' } }),
  'a refusal': answered({ body: '{"ok":false,"error":"channel_not_found"}' }),
  'a doubtful refusal': answered({ body: '{"ok":false,"error":"internal_error"}' }),
  'a page in place of JSON': answered({ body: '<html>OK</html>' }),
  'an error of the server': answered({ status: 500, body: 'upstream failure' }),
  '429 with a time': answered({ status: 429, headers: { 'retry-after': '30' }, body: '{}' }),
  '429 without a time': answered({ status: 429, body: '{}' }),
  'no connection': failed(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
  'an expired claim': failed(new ClaimLostError('late')),
  'no answer in time': failed(new Error('late'), { sent: true, timedOut: true }),
  'a cut connection': failed(Object.assign(new Error('cut'), { code: 'ECONNRESET' }), { sent: true }),
};

const ARGUMENTS = {
  channel: 'C1',
  text: 'It is "done" & told.',
  metadata: { event_type: 'step', event_payload: { step: 1 } },
  blocks: [{ type: 'divider' }],
  unfurl_links: false,
};

/** The arguments of a call: those of a form as the local Slack reads them, which hold texts alone, or of JSON. */
function readBy({ path, headers, body = '' }: HttpCall): unknown {
  const { Authorization: authorization, 'Content-Type': type } = headers;
  const given = { method: 'POST', target: path, headers: { 'content-type': type }, body };
  const read = Object.entries(
    type === 'application/json'
      ? (JSON.parse(body) as object)
      : readArguments(given as unknown as Parameters<typeof readArguments>[0]),
  );
  const texts = read.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { path, authorization, args: Object.fromEntries(texts) };
}

async function outcomeOf(exchange: Exchange, client: Pick<SlackNetwork, 'client'>): Promise<unknown> {
  const seen: unknown[] = [];
  const api = {
    apiUrl: new URL('https://slack.test/api/'),
    logger: boltLogger(SILENT),
    send: async (call: HttpCall) => {
      seen.push(readBy(call));
      return exchange;
    },
    ...client,
  };
  const watch = {
    onAnswer: async (...told: unknown[]) => void seen.push(told),
  };
  const outcome = await webClient('xoxb-1', api, 1_000, watch)
    .chat.postMessage(ARGUMENTS)
    .catch((error) => ({
      name: error.constructor.name,
      failure: failureOf(error),
      code: platformCode(error),
    }));
  return { outcome, seen };
}

test('the light client reads all pages of a list as the client of the SDK does', async () => {
  const bodies = [
    '{"ok":true,"members":["U1"],"response_metadata":{"next_cursor":"abc"}}',
    '{"ok":true,"members":[],"response_metadata":{"next_cursor":"abd"}}',
    '{"ok":true,"members":["U2"],"response_metadata":{"next_cursor":""}}',
  ];
  const listed = async (client: Pick<SlackNetwork, 'client'>) => {
    const seen: unknown[] = [];
    const send = async (call: HttpCall) => answered({ body: bodies[seen.push(readBy(call)) - 1] ?? '' });
    const api = { apiUrl: new URL('https://slack.test/api/'), logger: boltLogger(SILENT), send, ...client };
    const pages = webClient('xoxb-1', api, 1_000).paginate('conversations.members', {
      channel: 'C1',
      limit: 2,
    });
    for await (const page of pages) seen.push((page as { members?: string[] }).members);
    return seen;
  };
  expect(await listed({ client: lightClient })).toEqual(await listed({}));
});

test.for(Object.entries(EXCHANGES))(
  'the light client takes %s as the client of the SDK does',
  async ([, exchange]) => {
    const light = await outcomeOf(exchange, { client: lightClient });
    expect(light).toEqual(await outcomeOf(exchange, {}));
  },
);
