/** A bot that runs, and a request that the order service has refused. */
import { expect } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Adapters, openAdapters, SILENT } from '../../../src/compose/adapters.ts';
import { readConfig } from '../../../src/config.ts';
import { sandbox } from './sandbox-and-bot.ts';

export const IN = ['--workspace', SEED.team];

export async function failedRequest(reason = 'Ordered twice') {
  const all = await sandbox();
  const { start, connect, service, slack, run, env } = all;
  const bot = start();
  await bot.ready;
  await connect(SEED_TOKENS.acme.rest);
  const body = { code: 'FORBIDDEN', message: 'Not now' };
  service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 403, body } });
  const ana = slack.person('ana');
  await ana.command(`/cancel-order A-1001 ${reason}`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit();
  await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1001.*Refused/s });
  const { output } = await run(['requests', 'list', ...IN, '--json']);
  const { id } = JSON.parse(output);
  /** Works on the bot's storage, as a terminal command does. */
  const withStorage = async <T>(work: (adapters: Adapters) => Promise<T>): Promise<T> => {
    const adapters = await openAdapters(readConfig(env, false));
    try {
      await adapters.storage.open(SILENT);
      return await work(adapters);
    } finally {
      await adapters.close();
    }
  };
  expect(id).toMatch(/^[a-z0-9]{12}$/);
  return { ...all, bot, id: String(id), withStorage };
}
