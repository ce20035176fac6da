import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

async function answersCommand(entry: string, storage: Record<string, string>): Promise<void> {
  const journal = createJournal();
  const [service, slack] = [await startOrderService({ journal }), await startSlack({ journal })];
  const port = await freePort();
  const bot = startBot(entry, { ...botEnvironment({ slack, service }, { port }), ...storage });
  onTestFinished(async () => {
    await bot.kill();
    await slack.close();
    await service.close();
  });
  await bot.ready;
  slack.connectApp(appAddress(port));
  const olga = slack.person('olga');
  await olga.command('/countermand connect', { channel: '#support' });
  await olga.waitForModal({ callback: 'connect' });
}

test('the bundle works without node_modules, on SQLite and on Redis', async () => {
  const entry = inject('bundle');
  await answersCommand(entry, { STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` });
  await answersCommand(entry, redisEnvironment(await emptyRedis()));
  const help = startBot(entry, {}, ['help']);
  await help.ended;
  expect(help.output()).toContain('countermand rotate-keys');
});
