/** The samples of sandbox/README.md, run one after the other with the bot that they speak of. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectAs } from '../../sandbox/connect.ts';
import { botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../sandbox/lib/manifest.ts';
import { type OrderService, startOrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { type Slack, startSlack } from '../../sandbox/slack/start.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const README = readFileSync(join(import.meta.dirname, '../../sandbox/README.md'), 'utf8');

/** What the samples import. */
const IMPORTED = { createJournal, readManifest, startOrderService, startSlack };

test('the samples of sandbox/README.md work', async () => {
  const samples = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(samples).toHaveLength(3);
  const [use = '', events, faults] = samples;
  const [beginning = '', end] = use.split(/^(?=await slack\.close)/m);
  const port = await freePort();

  /** Starts the bot of the first sample, once Slack and the order service are there. */
  async function start(slack: Slack, service: OrderService): Promise<void> {
    const database = join(temporaryFolder(), 'bot.db');
    const bot = startBot(inject('bundle'), botEnvironment({ slack, service }, { port, database }));
    onTestFinished(async () => void (await bot.kill()));
    await bot.ready;
  }

  const code = `
    ${beginning
      .replace('// The bot:', 'await start(slack, service); //')
      .replace(/^slack\.renderThread/m, 'const thread = $&')
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace(
        'service.subscribe(',
        'const { url: eventsUrl, secret } = await connected(slack); service.subscribe(',
      )}
    const [cara, dev] = [slack.person('cara'), slack.person('dev')];
    { ${events} }
    void ana.command('/cancel-order A-2002', { channel: '#support' })
      .then(() => ana.waitForModal())
      .then(() => ana.submit({ reason_choice: 'Ordered twice' }));
    { ${faults} }
    await journal.waitFor({ name: 'cancel_order', ended: 'unanswered' });
    ${end}
    return thread;`;
  const connected = (slack: Slack) => connectAs(slack.person('olga'), slack, SEED_TOKENS.acme.rest);
  const given = { ...IMPORTED, start, connected };
  const run = new Function(...Object.keys(given), `return (async () => { ${code} })()`);
  expect(await run(...Object.values(given))).toContain(
    '*Cancel order A-2001* · :white_check_mark: Cancelled',
  );
});
