import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appAddress, botEnvironment } from '../environment.ts';
import { startBot } from '../lib/bot-process.ts';
import { freePort } from '../lib/free-port.ts';
import { createJournal } from '../lib/journal.ts';
import { readManifest } from '../lib/manifest.ts';
import { type OrderService, startOrderService } from '../order-service/start.ts';
import { type Slack, startSlack } from '../slack/start.ts';

/** A sandbox with the bot at work in it, as a process of its own. */
export type DemoDesk = {
  slack: Slack;
  service: OrderService;
  close(): Promise<void>;
};

/** Nobody waits a second for each message of a demo. */
const AT_ONCE = { burst: 1_000, perSecond: 1_000 };

/** Starts all three, with storage that is gone afterwards. */
export async function openDesk(): Promise<DemoDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-demo-'));
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal, ...readManifest(), limits: { posts: AT_ONCE } });
  const port = await freePort();
  const env = botEnvironment({ slack, service }, { port, database: join(folder, 'countermand.db') });
  const bot = startBot('bin/countermand.mjs', env);
  const close = async () => {
    await bot.kill('SIGTERM');
    await slack.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await bot.ready;
  } catch (error) {
    await close();
    throw error;
  }
  slack.connectApp(appAddress(port));
  return { slack, service, close };
}
