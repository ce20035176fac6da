/** A sandbox, a bot in a process of its own that can be killed at a chosen point, and the person who uses it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { type BotProcess, startBot } from '../../sandbox/lib/bot-process.ts';
import type { ScheduledFault } from '../../sandbox/lib/faults/faults.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { type Slack, startSlack } from '../../sandbox/slack/start.ts';
import { readConfig } from '../../src/config.ts';
import { connectWorkspace } from '../support/connect-workspace.ts';

const TIMEOUT_MS = 30_000;
const FORM_TIMEOUT_MS = 2_000;

export type CrashHarness = Awaited<ReturnType<typeof openHarness>>;

type Options = {
  /** The file to start (`bundleBot`). */
  bot: string;
  /** The path of its SQLite file. */
  database: string;
  /** Whether the bot runs with its claims. */
  claims: boolean;
};

export async function openHarness({ bot: entry, database, claims }: Options) {
  const journal = createJournal();
  // On a busy machine a bot takes seconds to start again: the service keeps trying for as long as this run waits.
  const eventRetryDelaysMs = Array(60).fill(500);
  const service = await startOrderService({ journal, eventRetryDelaysMs });
  const slack = await startSlack({ journal });
  const port = await freePort();
  const env = botEnvironment({ slack, service }, { port, database });
  await connectWorkspace(readConfig(env, false), service);
  const bot = startKillableBot(() => startBot(entry, env, claims ? [] : ['--without-claims']));
  await bot.ready();
  slack.connectApp(appAddress(port));
  const rows = (sql: string) => readRows(database, sql);
  return {
    journal,
    service,
    slack,
    bot,
    rows,
    submit: (line: string) => submit(slack, bot, line),
    /** Resolves with the reply in the channel of the request. */
    reply: (text: RegExp) => slack.waitForMessage({ channel: '#support', text }),
    /** Resolves once no record has pending effects. */
    async atRest(): Promise<void> {
      const until = Date.now() + TIMEOUT_MS;
      while (rows('SELECT id FROM requests WHERE due_at IS NOT NULL').length > 0) {
        if (Date.now() > until) throw new Error(`an effect stays pending:\n${bot.output()}`);
        await sleep(25);
      }
      await bot.ready();
    },
    async close() {
      await bot.stop();
      // A run that has failed shows its own reason, and not that faults are left.
      slack.faults.clear();
      service.faults.clear();
      await slack.close();
      await service.close();
    },
  };
}

type KillableBot = ReturnType<typeof startKillableBot>;

function startKillableBot(start: () => BotProcess) {
  let process = start();
  /** Resolves when a bot is ready; while one is being replaced, that one is waited for. */
  let ready = process.ready;

  async function replace(hold: ScheduledFault): Promise<void> {
    await process.kill();
    hold.release();
    process = start();
    await process.ready;
  }

  return {
    ready: () => ready,
    output: () => process.output(),
    /** Kills the bot when its call is held, and starts it again. */
    killWhenHeld(hold: ScheduledFault): void {
      void hold.reached.then(() => {
        ready = replace(hold);
      });
    },
    async stop(): Promise<void> {
      await ready.catch(() => {});
      await process.kill();
    },
  };
}

/** Runs a command and submits its form, again and again, as a person does who reads "Try again". */
async function submit(slack: Slack, bot: KillableBot, line: string): Promise<void> {
  const ana = slack.person('ana');
  const isFormOpen = () =>
    ana
      .waitForModal(() => true, { timeoutMs: FORM_TIMEOUT_MS })
      .then(
        () => true,
        () => false,
      );
  do {
    await bot.ready();
    await ana.command(line, { channel: '#support' });
  } while (!(await isFormOpen()));
  while ((await ana.submit()).outcome === 'trouble') await bot.ready();
}

function readRows(database: string, sql: string) {
  const opened = new DatabaseSync(database, { readOnly: true, timeout: 10_000 });
  try {
    return opened.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    opened.close();
  }
}
