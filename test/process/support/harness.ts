/** A sandbox for bots that are processes of their own, which a test stops and starts again. */
import { inject, onTestFinished } from 'vitest';
import { connect } from '../../../sandbox/connect.ts';
import { appAddress, botEnvironment } from '../../../sandbox/environment.ts';
import { type BotProcess, startBot } from '../../../sandbox/lib/bot-process.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { NO_LIMITS, NO_PACE, PATIENT } from '../../support/no-limits.ts';

export type ProcessHarness = Awaited<ReturnType<typeof openProcessHarness>>;

/** @param port where Slack and the order service reach the bot: its own, or that of a load balancer */
export async function openProcessHarness(port: number) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal, ...readManifest(), limits: NO_LIMITS, ...PATIENT });
  slack.connectApp(appAddress(port, 'http'));
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });

  /** Starts a bot. @param own its port @returns the process, once it is ready */
  async function start(
    own: number,
    storage: Record<string, string>,
    nodeFlags: readonly string[] = [],
    bundle = inject('bundle'),
  ): Promise<BotProcess> {
    const env = botEnvironment({ slack, service }, { port: own, transport: 'http' });
    const more = { PUBLIC_URL: `http://127.0.0.1:${port}`, ...NO_PACE };
    const [first = '', ...rest] = [...nodeFlags, bundle];
    const bot = startBot(first, { ...env, ...storage, ...more }, rest);
    onTestFinished(async () => void (await bot.kill()));
    await bot.ready;
    return bot;
  }

  return { journal, slack, service, start, connect: () => connect({ slack, service }) };
}

/** Opens the sandbox for one bot without a load balancer. */
export async function openHarnessForOneBot() {
  const port = await freePort();
  const harness = await openProcessHarness(port);
  return { ...harness, start: (storage: Record<string, string>) => harness.start(port, storage) };
}
