import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { post } from '../../support/e2e/service-events.ts';

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
async function counted({ url }: Harness, from: string, reason: string): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const sample = `countermand_refused_requests_total{from="${from}",reason="${reason}"} `;
  const line = (await response.text()).split('\n').find((each) => each.startsWith(sample));
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

  test('where an event comes for an endpoint of nobody, without what stands in its path', async () => {
    const harness = await startHarness({ connected: false });
    for (const id of ['former-secret-endpoint', 'another-secret-endpoint']) {
      const endpoint = { eventsUrl: `${harness.url}/events/${id}`, secret: 'of nobody' };
      expect((await post(endpoint, {})).status).toBe(404);
    }
    expect(lines(harness)).toMatchObject([{ level: 40, route: '/events/*' }]);
    expect(harness.logged.text()).not.toContain('secret-endpoint');
    expect(await counted(harness, 'order_service', 'unknown_endpoint')).toBe(2);
  });
});
