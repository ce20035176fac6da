/** Starts a whole sandbox, and adds what it contains at the start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { appAddress, botEnvironment, type Transport } from './environment.ts';
import { SIGNALS, startBot } from './lib/bot-process.ts';
import { freePort } from './lib/http/free-port.ts';
import { createJournal } from './lib/http/journal.ts';
import { readManifest } from './lib/manifest.ts';
import { startOrderService } from './order-service/start.ts';
import type { Admin } from './slack/admin.ts';
import { startSlack } from './slack/start.ts';
import { SEED } from './slack/world/seed/seed.ts';

/** A running sandbox: a local Slack, a local order service, and the bot as a separate process. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Lifts the limit of one message a second: one person plays every part, and should not have to wait. */
const AT_ONCE = { burst: 1_000, perSecond: 1_000 };

/** Starts the Slack, the order service and the bot. When this process exits, the bot is killed and its storage removed. */
export async function startSandbox({
  transport = 'http',
  credentials = 'token',
}: {
  transport?: Transport;
  /** `oauth`: several workspaces, with the bot installed in none of them yet. */
  credentials?: 'token' | 'oauth';
} = {}) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const slack = await startSlack({
    journal,
    ...readManifest(publicUrl),
    ...(credentials === 'oauth' && SEVERAL_WORKSPACES),
    limits: { posts: AT_ONCE, postsOfWorkspace: 60_000 },
  });
  if (credentials === 'oauth') seedGlobex(slack.admin);
  const folder = mkdtempSync(join(tmpdir(), 'countermand-sandbox-'));
  const database = join(folder, 'countermand.db');
  const environment = {
    ...botEnvironment({ slack, service }, { port, database, transport, credentials }),
    SLACK_POSTS_PER_MINUTE: '60000',
  };
  // A terminal command finds it there, and nothing runs on another bot once the folder is gone.
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(folder, '.env'), lines.join(''), { mode: 0o600 });
  const bot = startBot('bin/countermand.mjs', environment, [], undefined, folder);
  process.once('exit', () => {
    bot.child.kill('SIGKILL');
    // The bot may add a file while it ends.
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  // A signal that has no listener ends a process without its 'exit' event. Listeners that were added earlier run first.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  const close = async () => {
    await bot.kill('SIGTERM');
    await slack.close();
    await service.close();
  };
  try {
    await bot.ready;
  } catch (error) {
    await close();
    throw error;
  }
  slack.connectApp(appAddress(port, transport));
  return {
    journal,
    slack,
    service,
    /** The bot's install page; undefined if the bot is installed already. */
    installUrl: credentials === 'oauth' ? new URL('/slack/install', publicUrl).href : undefined,
    /** The folder with the bot's database and its environment (`.env`), for commands in a terminal. */
    folder,
    log: bot.output,
    /** Resolves with the bot's exit code or signal, if the bot ends before the sandbox is closed. */
    botEnded: bot.ended,
    close,
  };
}

/**
 * Options for several workspaces: the app is installed nowhere, and an organization can install it as a whole, whatever the
 * manifest says.
 */
export const SEVERAL_WORKSPACES = { installed: false, enterprise: true, orgDeploy: true };

/** Adds people and channels to Globex, of which the seed has one person. */
export function seedGlobex(admin: Admin): void {
  const team_id = SEED.otherTeam;
  const greta = admin.addUser({ team_id, name: 'greta', real_name: 'Greta Globex', role: 'admin' });
  admin.addChannel({ team_id, name: 'globex-support', members: [SEED.users.gus, greta.id] });
}

/**
 * Begins #support with two customers' messages, as people post them there: about an order that the order service cancels at
 * once, and about one that it reviews. A person can try the app's message shortcuts on them.
 */
export function sayOpening({ slack }: Pick<Sandbox, 'slack'>) {
  const [ana, ben, cara] = [slack.person('ana'), slack.person('ben'), slack.person('cara')];
  const where = { channel: '#support' };
  const twice = 'A customer writes: “I ordered twice by mistake. Please cancel order A-1001.”';
  const cancelledAtOnce = ben.say(twice, where);
  cara.say('On the phone: the customer of order A-2001 can’t wait for it any longer.', where);
  ben.say(`<@${ana.id}>, can you cancel both?`, where);
  return { cancelledAtOnce };
}
