import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { endpointOf, post } from '../../support/e2e/service-events.ts';

const command = new URLSearchParams({
  command: '/countermand',
  text: 'help',
  team_id: SEED.team,
  user_id: SEED.users.ana,
  trigger_id: '1',
}).toString();

const lines = ({ logged }: Harness) =>
  logged
    .text()
    .split('\n')
    .filter((line) => /(request|event) refused/.test(line))
    .map((line) => JSON.parse(line));

/** The counter as GET /metrics shows it. */
async function counted({ metrics }: Harness, from: string, reason: string): Promise<number> {
  const sample = `countermand_refused_requests_total{from="${from}",reason="${reason}"} `;
  const line = (await metrics()).split('\n').find((each) => each.startsWith(sample));
  return Number(line?.slice(sample.length) ?? 0);
}

describe('a request that is refused is logged at once, and counted', () => {
  test('where the bot has another signing secret than the app: once, however many commands', async () => {
    const harness = await startHarness({ connected: false, env: { SLACK_SIGNING_SECRET: 'of another app' } });
    for (let n = 0; n < 3; n++)
      expect((await harness.ana.command('/countermand help', { channel: '#support' })).trouble).toBeDefined();
    expect(lines(harness)).toEqual([
      expect.objectContaining({
        level: 50,
        route: '/slack/events',
        reason: 'wrong_signature',
        msg: expect.stringContaining('SLACK_SIGNING_SECRET'),
      }),
    ]);
    expect(lines(harness)[0]).not.toHaveProperty('offsetSeconds');
    expect(await counted(harness, 'slack', 'wrong_signature')).toBe(3);
    expect(harness.logged.text()).not.toContain('of another app');
  });

  test.each([
    ['ten minutes ahead', 600],
    ['ten minutes behind', -600],
  ])('where the clock is %s, with how far', async (_name, offset) => {
    const harness = await startHarness({ connected: false });
    const timestamp = Math.floor(Date.now() / 1_000) - offset;
    for (let n = 0; n < 3; n++)
      expect(await harness.slack.deliver({ body: command, timestamp })).toMatchObject({ status: 401 });
    const [line, ...more] = lines(harness);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 50, reason: 'wrong_time', msg: expect.stringContaining('clock') });
    expect(Math.abs(line.offsetSeconds - offset)).toBeLessThan(60);
    expect(await counted(harness, 'slack', 'wrong_time')).toBe(3);
    expect(await counted(harness, 'slack', 'wrong_signature')).toBe(0);
  });

  test('where it has no signature, which anybody can send, apart from one with a wrong signature', async () => {
    const harness = await startHarness({ connected: false });
    for (const headers of [{}, { 'x-slack-signature': 'v0=short' }])
      expect((await fetch(`${harness.url}/slack/events`, { method: 'POST', headers })).status).toBe(401);
    expect(lines(harness)).toMatchObject([{ level: 40, route: '/slack/events', reason: 'no_signature' }]);
    expect(await counted(harness, 'slack', 'no_signature')).toBe(2);
    expect(await counted(harness, 'slack', 'wrong_signature')).toBe(0);
  });

  test('where an event comes for an endpoint of nobody, without what stands in its path', async () => {
    const harness = await startHarness({ connected: false });
    for (const id of ['T0ACME0001~former-secret-endpoint', 'another-secret-endpoint']) {
      const endpoint = { eventsUrl: `${harness.url}/events/${id}`, secret: 'of nobody' };
      expect((await post(endpoint, {})).status).toBe(404);
    }
    expect(lines(harness)).toMatchObject([{ level: 40, route: '/events/*' }]);
    expect(harness.logged.text()).not.toContain('secret-endpoint');
    expect(await counted(harness, 'order_service', 'unknown_endpoint')).toBe(2);
  });
});

/** Sends the headers of a request whose body never comes. @returns the status of the answer */
function sendHead(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const more = { 'content-type': 'application/json', 'content-length': '200000' };
  const outgoing = request(url, { method: 'POST', agent: false, headers: { ...more, ...headers } });
  outgoing.once('error', reject).once('response', ({ statusCode }) => {
    resolve(statusCode);
    outgoing.destroy();
  });
  outgoing.flushHeaders();
  return promise;
}

describe('headers that no signed request can have are refused before the body comes', () => {
  const secondsAgo = (seconds: number) => `${Math.floor(Date.now() / 1_000) - seconds}`;
  const digest = 'a'.repeat(64);

  test('at the address for Slack', async () => {
    const { url } = await startHarness({ connected: false });
    const send = (timestamp: string, signature: string) =>
      sendHead(`${url}/slack/events`, {
        ...(timestamp && { 'x-slack-request-timestamp': timestamp }),
        ...(signature && { 'x-slack-signature': signature }),
      });
    const sent = {
      'nothing is signed': send('', ''),
      'there is no signature': send(secondsAgo(0), ''),
      'there is no time': send('', `v0=${digest}`),
      'the signature is malformed': send(secondsAgo(0), `v0=${digest}a`),
      'the time is malformed': send('now', `v0=${digest}`),
      'the time is long ago': send(secondsAgo(600), `v0=${digest}`),
      'the time is far ahead': send(secondsAgo(-600), `v0=${digest}`),
    };
    const answers = await Promise.all(
      Object.entries(sent).map(async ([name, answer]) => [name, await answer] as const),
    );
    expect(answers).toEqual(Object.keys(sent).map((name) => [name, 401]));
  });

  test('at the address for events of the order service', async () => {
    const { eventsUrl } = endpointOf(await startHarness());
    expect(await sendHead(eventsUrl, {})).toBe(401);
    expect(await sendHead(eventsUrl, { 'x-sibi-signature-256': 'sha256=short' })).toBe(401);
  });
});
