/** Starts a sandbox for one bot as a process, with terminal commands in the test's own process. */
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { appAddress, botEnvironment } from '../../../sandbox/environment.ts';
import { startBot } from '../../../sandbox/lib/bot-process.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { runInTerminal } from '../../support/processes/terminal.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

export const BIN = 'bin/countermand.mjs';

/** @param options of the local Slack */
export async function sandbox(options: Partial<SlackOptions> = {}) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal, ...options });
  const port = await freePort();
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  const env = botEnvironment({ slack, service }, { port, database: join(temporaryFolder(), 'bot.db') });
  slack.connectApp(appAddress(port));
  const start = (more: Record<string, string> = {}, args: string[] = []) => {
    const bot = startBot(inject('bundle'), { ...env, ...more }, args);
    onTestFinished(async () => void (await bot.kill()));
    return bot;
  };
  const run = async (args: string[], input = '', more: Record<string, string> = {}) => {
    const { code, out, err, logged } = await runInTerminal({ ...env, ...more }, args, input);
    return { code, output: out + err, logged };
  };
  const connect = (token: string, ...args: string[]) =>
    run(['connect', '--workspace', SEED.team, '--token-stdin', ...args], `${token}\n`);
  return { journal, service, slack, env, start, run, connect };
}
