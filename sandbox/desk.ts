import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appAddress, botEnvironment, TRANSPORT, type Transport } from './environment.ts';
import { startBot } from './lib/bot-process.ts';
import { freePort } from './lib/http/free-port.ts';
import { createJournal, type Journal } from './lib/http/journal.ts';
import { readManifest } from './lib/manifest.ts';
import { type OrderService, startOrderService } from './order-service/start.ts';
import { furnishGlobex, SEVERAL_WORKSPACES } from './several-workspaces.ts';
import { type Slack, startSlack } from './slack/start.ts';

/** A sandbox with the bot at work in it, as a process of its own. */
export type SandboxDesk = {
  journal: Journal;
  slack: Slack;
  service: OrderService;
  /** The bot's own page for installing it, where it is not installed yet. */
  installUrl: string | undefined;
  /** What the bot has written to its log so far. */
  log(): string;
  /** Resolves with what ended the bot, should it end before the desk is closed. */
  botEnded: Promise<unknown>;
  close(): Promise<void>;
};

/** Nobody waits a second for each message where everything is played by one person. */
const AT_ONCE = { burst: 1_000, perSecond: 1_000 };

/** Starts all three, with storage that is gone afterwards. */
export async function openDesk({
  transport = TRANSPORT,
  credentials = 'token',
}: {
  transport?: Transport;
  /** `oauth`: there are several workspaces, and the bot is to be installed in them. */
  credentials?: 'token' | 'oauth';
} = {}): Promise<SandboxDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-sandbox-'));
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const several = credentials === 'oauth' ? SEVERAL_WORKSPACES : {};
  const slack = await startSlack({
    journal,
    ...readManifest(publicUrl),
    ...several,
    limits: { posts: AT_ONCE, postsOfWorkspace: 60_000 },
  });
  if (credentials === 'oauth') furnishGlobex(slack.admin);
  const database = join(folder, 'countermand.db');
  const bot = startBot('bin/countermand.mjs', {
    ...botEnvironment({ slack, service }, { port, database, transport, credentials }),
    SLACK_POSTS_PER_MINUTE: '60000',
  });
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
  slack.connectApp(appAddress(port, transport));
  const installUrl = credentials === 'oauth' ? new URL('/slack/install', publicUrl).href : undefined;
  return { journal, slack, service, installUrl, log: bot.output, botEnded: bot.ended, close };
}
