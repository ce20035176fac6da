/**
 * Eight faults of a bot that runs: what docs/runbook.md says of each in its table is what an operator sees, without reading
 * the source. Whether an alert fires within a minute is promtool's verdict on the metrics of that bot.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { SCOPES } from '../../src/slack/client/access.ts';
import { createRedisClient } from '../../src/storage/redis/connection/connection.ts';
import { startHarness } from '../support/e2e/harness.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Fired, mustFireWithinAMinute, needsPromtool, seriesIn } from './support/alerts.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * `cause`: brings it on. `effect`: what people or the order service do then; left out: an agent types a command. `breaks`: what
 * no other bot can use meanwhile.
 */
type Fault = {
  env?: Record<string, string>;
  breaks?: 'redis';
  cause: (world: World) => unknown;
  effect?: (world: World) => unknown;
};

/** By their names in the table. */
const FAULTS: Record<string, Fault> = {
  // Slack reports it at once, and the app has no commands any more.
  "Slack's token is revoked": { cause: ({ slack }) => slack.admin.revokeToken(SEED.team), effect() {} },
  'A scope is missing': {
    cause: ({ slack }) =>
      slack.admin.setScopes(
        SEED.team,
        SCOPES.filter((scope) => scope !== 'users:read'),
      ),
    effect: ({ request }) => request('A-1001').catch(() => {}),
  },
  'Redis takes no writes': {
    breaks: 'redis',
    cause: ({ redis }) => redis('REPLICAOF', '127.0.0.1', '1'),
    effect: ({ request }) => request('A-1001'),
  },
  'Redis is full': {
    breaks: 'redis',
    cause: ({ redis }) => redis('CONFIG', 'SET', 'maxmemory', '1mb'),
    effect: ({ request }) => request('A-1001'),
  },
  // Nobody can type a command then: the first effect is that an outcome can't be told.
  'Slack is down': {
    async cause({ reviewing, slack }) {
      await reviewing('A-2001');
      await slack.close();
    },
    effect: ({ service }) => service.approve('A-2001'),
  },
  'The signing secret is wrong': { env: { SLACK_SIGNING_SECRET: 'of another app' }, cause() {} },
  'The events secret is wrong': {
    cause({ service, endpoint: { eventsUrl: url } }) {
      service.unsubscribe('acme-1');
      service.subscribe({ url, secret: 'a former one' });
    },
    async effect({ service, reviewing }) {
      await reviewing('A-2001');
      service.approve('A-2001');
    },
  },
  'The clock is ten minutes off': {
    cause({ clock }) {
      clock.slackIsAheadMs = 600_000;
    },
  },
};

async function openWorld({ env: own = {}, breaks }: Fault) {
  const server = breaks === 'redis' ? await startRedisServer() : undefined;
  if (server) onTestFinished(server.stop);
  const ofServer = server && redisEnvironment({ type: 'redis', url: server.url, prefix: 'countermand' });
  const clock = { slackIsAheadMs: 0 };
  const slacks = () => Date.now() + clock.slackIsAheadMs;
  const harness = await startHarness({
    storage: 'redis',
    env: { ...ofServer, ...own },
    slack: { now: slacks, signedAt: slacks },
    overrides: { timings: TIMINGS, runner: {} },
  });
  const { endpoint, slack } = harness;
  if (!endpoint) throw new Error('The workspace is not connected.');
  const request = (order: string) => harness.cancelOrder(order);
  return {
    ...harness,
    endpoint,
    clock,
    /** Tells Redis, as its operator could. */
    async redis(...words: string[]) {
      const client = createRedisClient({ url: server?.url ?? '' });
      await client.connect();
      await client.sendCommand(words);
      client.destroy();
    },
    request,
    async reviewing(order: string) {
      await request(order);
      await slack.waitForMessage({ channel: '#support', text: /is reviewing/ });
    },
    /** Types a command, whatever comes of it. */
    command: () => harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' }),
  };
}

/** The codes (in backticks) of a row's cells, and its alert. */
function rowOf(fault: string) {
  const page = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${fault} |`));
  const [, , doctor = '', metrics = '', log = ''] = row?.split('|') ?? [];
  const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return {
    doctor: codes(doctor)[0],
    series: codes(metrics)[0] ?? '',
    alert: /\[(\w+)\]/.exec(metrics)?.[1] ?? '',
    /** Each in place of the others; the parts of one are in the same line. */
    logs: log.split(/ or\b/).map(codes),
  };
}

/** Matches text that has these words in this order; `…` stands for anything. */
const matching = (words: string) =>
  new RegExp(
    words
      .split(/…| +/)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

describe('is found by doctor, metrics and log:', () => {
  /** What the metrics of each bot were, before its fault and after. */
  const seen: Fired[] = [];
  // Runs after that of needsRedis, which ends the server: nothing runs after one that throws.
  afterAll(() => mustFireWithinAMinute(seen));
  needsRedis(true);
  needsPromtool();

  test('all faults of the table, and no others', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
    const [, section = ''] = page.split('## Eight faults');
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
    expect(rows.slice(1).map((row) => row.split('|')[1]?.trim())).toEqual(Object.keys(FAULTS));
  });

  test.each(Object.entries(FAULTS))('%s', async (name, fault) => {
    const row = rowOf(name);
    const world = await openWorld(fault);
    const before = await world.metrics();
    await fault.cause(world);
    await (fault.effect ?? world.command)(world);

    const lines = () =>
      world.logged
        .text()
        .split('\n')
        .filter((line) => /"level":[45]0/.test(line));
    const isSaid = (line: string) =>
      row.logs.some((log) => log.length > 0 && log.every((words) => line.includes(words)));
    await eventually(() => expect(lines().filter(isSaid)).not.toEqual([]));
    const former = seriesIn(before).get(row.series);
    await expect.poll(async () => seriesIn(await world.metrics()).get(row.series)).not.toBe(former);
    seen.push({ alert: row.alert, before, after: await world.metrics() });
    const { out } = await runInTerminal(world.environment, ['doctor']);
    const problems = out.split('\n').filter((line) => line.startsWith('problem'));
    if (row.doctor === undefined) expect(problems).toEqual([]);
    else expect(problems).toContainEqual(expect.stringMatching(matching(row.doctor)));
  });
});
