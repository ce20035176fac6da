/** Runs a command over the use cases of the bot, which ask Slack for people, groups and channels. */
import { SILENT } from '../compose/adapters.ts';
import { type Bot, createBot } from '../compose/bot.ts';
import { loadOutside } from '../compose/outside.ts';
import type { Config } from '../config.ts';
import type { Log } from '../outbox/ports.ts';
import { createTerminalLog, mustHaveStorage } from './command.ts';

/**
 * Whatever a use case wakes is left to the bot that runs, which finds it within seconds (src/jobs/sweep.ts): a command ends
 * before its effects would.
 */
const NO_EFFECTS = AbortSignal.abort();

export async function withBot(config: Config, use: (bot: Bot, log: Log) => Promise<void>): Promise<void> {
  mustHaveStorage(config);
  const log = await createTerminalLog(config);
  const bot = createBot(config, log, NO_EFFECTS, {}, await loadOutside(config));
  const { adapters, slack } = bot.context;
  try {
    await adapters.storage.open(SILENT);
    await use(bot, log);
  } finally {
    await Promise.all(bot.background.running.map((each) => each.stop()));
    await slack.stop(Promise.resolve());
    await adapters.close();
  }
}
