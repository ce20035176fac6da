import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';

const TRANSPORTS = ['http', 'socket'] as const;

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const fields = (more: Record<string, string> = {}) => ({
  command: '/countermand',
  text: 'help',
  team_id: SEED.team,
  user_id: SEED.users.ana,
  trigger_id: '1',
  ...more,
});
const command = (more?: Record<string, string>) => form(fields(more));

/** Payloads that are almost what Slack sends. */
const payloads = fc.record(
  {
    type: fc.constantFrom(
      'view_submission',
      'block_actions',
      'block_suggestion',
      'shortcut',
      'view_closed',
      'x',
    ),
    team: fc.oneof(fc.constant({ id: SEED.team }), fc.jsonValue()),
    user: fc.oneof(fc.constant({ id: SEED.users.ana }), fc.jsonValue()),
    view: fc.oneof(
      fc.record({
        id: fc.string(),
        callback_id: fc.constantFrom('request_cancel_order', 'connect'),
        state: fc.jsonValue(),
      }),
      fc.jsonValue(),
    ),
    actions: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
);

/** The bot does what it is there for. */
async function isWell(harness: Awaited<ReturnType<typeof startHarness>>) {
  expect((await fetch(`${harness.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${harness.url}/readyz`)).status).toBe(200);
  expect((await harness.ana.command('/countermand help', { channel: '#support' })).trouble).toBeUndefined();
  expect(harness.service.calls()).toEqual([]);
}

describe('over HTTP, what claims to come from Slack', () => {
  test.each([
    ['by another secret', { signingSecret: 'another' }],
    ['six minutes ago', { timestamp: Math.floor(Date.now() / 1_000) - 360 }],
    ['six minutes ahead', { timestamp: Math.floor(Date.now() / 1_000) + 360 }],
    ['in another version', { headers: { 'x-slack-signature': `v1=${'0'.repeat(64)}` } }],
    ['with half a signature', { headers: { 'x-slack-signature': 'v0=' } }],
    ['at no time', { headers: { 'x-slack-request-timestamp': '' } }],
    ['at a time that is none', { headers: { 'x-slack-request-timestamp': 'NaN' } }],
  ])('is refused when it was signed %s', async (_name, more) => {
    const harness = await startHarness({ connected: false });
    expect(await harness.slack.deliver({ body: command(), ...more })).toMatchObject({ status: 401 });
  });

  test('is refused without a signature', async () => {
    const harness = await startHarness({ connected: false });
    const response = await fetch(`${harness.url}/slack/events`, { method: 'POST', body: command() });
    expect(response.status).toBe(401);
  });

  test('is refused when it is too large', async () => {
    const harness = await startHarness({ connected: false });
    expect(await harness.slack.deliver({ body: command({ text: 'x'.repeat(1_100_000) }) })).toMatchObject({
      status: 413,
    });
  });

  test('answers ssl_check and url_verification, and nothing else that it does not know', async () => {
    const harness = await startHarness({ connected: false });
    expect(await harness.slack.deliver({ body: form({ ssl_check: '1' }) })).toMatchObject({ status: 200 });
    const json = { contentType: 'application/json' };
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    expect(await harness.slack.deliver({ body: challenge, ...json })).toMatchObject({
      body: '{"challenge":"abc"}',
    });
    expect(await harness.slack.deliver({ body: command({ command: '/unknown' }) })).toMatchObject({
      status: 404,
    });
    for (const body of ['', 'payload=', 'payload=[]', 'payload={', 'x']) {
      expect(await harness.slack.deliver({ body })).toMatchObject({ status: 400 });
    }
  });

  test('leaves the bot up, whatever it is', async () => {
    const harness = await startHarness({ connected: false });
    const bodies = fc.oneof(
      fc
        .oneof(
          fc.json(),
          payloads.map((value) => JSON.stringify(value)),
        )
        .map((payload) => ({
          body: form({ payload }),
        })),
      fc.string().map((body) => ({ body })),
      fc.json().map((body) => ({ body, contentType: 'application/json' })),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (request) => {
        const answer = await harness.slack.deliver(request);
        expect(answer.ended).toBe('answered');
      }),
      { numRuns: 150 },
    );
    await isWell(harness);
  });
});

describe('over Socket Mode, what Slack would not send', () => {
  test('leaves the bot up, whatever it is', async () => {
    const harness = await startHarness({ connected: false, transport: 'socket' });
    const types = fc.constantFrom('slash_commands', 'interactive', 'events_api', 'hello', 'close', 'x');
    const frames = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({ type: types, envelope_id: fc.string(), payload: fc.oneof(payloads, fc.jsonValue()) }),
    );
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        harness.slack.sockets.sendFrame(typeof frame === 'string' ? frame : JSON.stringify(frame));
      }),
      { numRuns: 150 },
    );
    await isWell(harness);
    expect(harness.journal.entries({ kind: 'socket', name: 'connect' })).toHaveLength(1);
  });
});

describe('what Slack sends for a workspace where the bot is not installed', () => {
  test.each(TRANSPORTS)('is ignored (%s)', async (transport) => {
    const harness = await startHarness({ connected: false, transport });
    const answer = await harness.slack.sendCustom({ kind: 'command', body: fields({ team_id: 'T0OTHER' }) });
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(harness.journal.entries({ kind: 'response_url' })).toEqual([]);
  });
});

describe('the other routes', () => {
  test.each(TRANSPORTS)('tell that the bot lives and can work (%s)', async (transport) => {
    const harness = await startHarness({ connected: false, transport });
    expect(await (await fetch(`${harness.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${harness.url}/readyz`)).json()).toEqual({ status: 'ready' });
    expect((await fetch(`${harness.url}/anything`)).status).toBe(404);
    const forSlack = await fetch(`${harness.url}/slack/events`);
    expect(forSlack.status).toBe(transport === 'http' ? 405 : 404);
  });
});

describe('an order service that quotes the token, escaped as its JSON likes it', () => {
  const TOKEN = SEED_TOKENS.acme.rest;
  const ESCAPED = Buffer.from(TOKEN).toString('hex').replace(/../g, '\\u00$&');

  test.each([
    [
      'when it refuses',
      403,
      `{"code":"C","message":"Bearer ${ESCAPED} may not","details":[{"field":"t","error":"${ESCAPED}"}]}`,
    ],
    ['as a status', 201, `{"cancellationStatus":"${ESCAPED}"}`],
  ])('gives it away neither in Slack nor in the log or the storage: %s', async (_when, status, body) => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status, body } });
    await harness.cancelOrder('A-1001');
    const { ts } = await harness.card('A-1001');
    const shown = () => harness.slack.renderThread('#support', ts);
    await expect.poll(shown).toContain('[token]');
    expect(shown()).not.toContain(TOKEN);
    expect((await readRaw(harness.config.storage)).join('\n')).not.toContain(TOKEN);
    expect(harness.logged.text()).not.toContain(TOKEN);
  });
});
