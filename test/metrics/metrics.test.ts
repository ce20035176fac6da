import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { loadOutside } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const BY_TOKEN = { SLACK_BOT_TOKEN: 'xoxb-1' };
const BY_OAUTH = {
  SLACK_CLIENT_ID: 'client',
  SLACK_CLIENT_SECRET: 'client-secret',
  SLACK_STATE_SECRET: 'state-secret-of-thirty-two-letters',
};

/** Metrics of an empty storage, which each scrape reads again. @returns `value`: that of a series, as Prometheus reads it */
async function setUp(installing: Record<string, string>, { isConnected = true } = {}) {
  const environment = {
    PUBLIC_URL: 'https://bot.example',
    ORDER_SERVICE_URL: 'https://orders.example',
    SLACK_SIGNING_SECRET: 'secret',
    STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}`,
    METRICS_PORT: `${await freePort()}`,
    ...installing,
  };
  const config = readConfig(environment, false);
  const outside = await loadOutside(config);
  let now = 0;
  const monotonic = () => {
    now += 60_000;
    return now;
  };
  const runtime = { ...outside.runtime, monotonic };
  const metrics = createMetrics(config, { ...outside, runtime }, SILENT);
  if (!metrics) throw new Error('METRICS_PORT is set');
  const { storage } = metrics.outside.openStorage(config);
  const port = await metrics.start(() => isConnected);
  onTestFinished(async () => {
    await metrics.stop();
    await storage.close();
  });
  const value = async (series: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`countermand_${series} `));
    return Number(line?.split(' ').at(-1));
  };
  return { log: metrics.log, value };
}

test.each([
  ['a refused SLACK_BOT_TOKEN, of which nothing is stored, counts', BY_TOKEN, 1],
  ['a refused token of a workspace in which nothing is installed any more does not count', BY_OAUTH, 0],
])('%s', async (_what, installing, count) => {
  const { log, value } = await setUp(installing);
  log.error({ event: 'slack_token_refused', workspace: 'T1' }, 'token refused');
  await value('slack_tokens{state="refused"}');
  expect(await value('slack_tokens{state="refused"}')).toBe(count);
});

test.each([true, false])('Slack is reachable only if it can reach the bot: %s', async (isConnected) => {
  const { value } = await setUp(BY_TOKEN, { isConnected });
  expect(await value('slack_reachable')).toBe(Number(isConnected));
});

test('a scrape waits for what it reads', async () => {
  const { value } = await setUp(BY_TOKEN);
  expect(await value('storage_writable')).toBe(1);
});
