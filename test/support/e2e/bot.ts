/** The bots of an end-to-end test, which run in the process of the test. */
import type { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { appAddress } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import type { Slack } from '../../../sandbox/slack/start.ts';
import { createApp, type Overrides } from '../../../src/app.ts';
import type { Config } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';

/** The bot's timings, but a doubtful post is searched for after 0.1 s and not half a minute, and a change shows at once. */
const SOON = { ...TIMINGS, doubtMs: 100, apartMs: 0 };

/**
 * No sweep runs, so that a test sees only what wake-ups did. An interactive call to Slack may take as long as on a busy
 * machine.
 */
const OVERRIDES: Overrides = {
  timings: SOON,
  runner: { sweepMs: 3_600_000 },
  slackTimeouts: { interactive: 10_000 },
};

/** Starts the bot. It can be stopped, and started again on the same storage. */
export async function startRestartableBot(config: Config, overrides: Overrides, log: Writable) {
  async function create(changed: Overrides) {
    const logger = await createLogger({ level: 'debug', pretty: false }, log);
    return createApp(config, logger, { ...OVERRIDES, ...changed });
  }

  let app = await create(overrides);
  await app.start();
  return {
    stop: () => app.stop(),
    /** @param meanwhile happens while there is no bot */
    async restart(changed: Overrides = overrides, meanwhile: () => unknown = () => {}) {
      await app.stop();
      await meanwhile();
      app = await create(changed);
      await app.start();
    },
    /** Returns the routes of the bot's server. */
    routes: () => app.routes.map(({ method, path }) => `${method} ${path}`),
  };
}

/**
 * Starts a second replica over the storage of a harness. The functions that it returns choose which of the two Slack sends
 * new requests to.
 */
export async function startSecondBot(harness: {
  config: Config;
  slack: Slack;
  logged: { stream: Writable };
}) {
  const { config, slack, logged } = harness;
  const port = await freePort();
  const log = await createLogger({ level: 'info', pretty: false }, logged.stream);
  const app = await createApp({ ...config, port, metrics: undefined }, log, { timings: SOON });
  await app.start();
  onTestFinished(app.stop);
  return {
    goToSecond: () => slack.connectApp(appAddress(port)),
    goToFirst: () => slack.connectApp(appAddress(config.port)),
  };
}
