/** The composition root: starts and stops the bot with its server. */
import { type Bot, createBot, type Overrides } from './compose/bot.ts';
import { loadOutside } from './compose/outside.ts';
import { createReadiness } from './compose/readiness.ts';
import type { Config } from './config.ts';
import { healthRoutes } from './http/health.ts';
import { metricsRoute } from './http/metrics.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { Log } from './requests/ports/ports.ts';
import { createBoltApp } from './slack/bolt.ts';
import { untilReached } from './slack/install/reach.ts';
import { slackRoutes } from './slack/routes.ts';

export type { Overrides } from './compose/bot.ts';

export type CountermandApp = Pick<HttpServer, 'routes'> & {
  /**
   * Serves, and waits for Slack where that is away.
   *
   * @returns the port it listens on, once it can do its work or was told to stop
   * @throws where it never will: the storage can't be opened, the port is taken, Slack does not accept a token
   */
  start(): Promise<number>;
  /** Begins nothing new, and lets what is under way finish, within bounds. The rest is done after the next start. */
  stop(): Promise<void>;
};

/**
 * Longer than listeners work after their answer: a token that is being checked (20 s), and a modal that is changed. Only
 * where a former token is revoked as well, and the service is slow at both, it is not enough.
 */
const LISTENERS_MS = 25_000;

export async function createApp(
  config: Config,
  log: Log,
  overrides: Overrides = {},
): Promise<CountermandApp> {
  const stopping = new AbortController();
  const bot = createBot(config, log, stopping.signal, overrides, await loadOutside(config));
  const { common, work } = bot;
  const { parts } = common;
  const { sleep, random } = parts.outside.runtime;
  /** `leaving` is set first: who asks whether it is ready reads that it is not, while everything else goes on. */
  const state = { reached: false, leaving: false };
  const server = createAppServer(bot, state, overrides.routes);
  const { installations, receiver } = common.slack;

  return {
    routes: server.routes,
    async start() {
      await parts.storage.open(log);
      parts.storage.claim();
      const port = await server.start();
      const reaching = { log, signal: stopping.signal, random, sleep };
      const installed = await untilReached(async () => {
        const found = await installations.prepare();
        await receiver.start();
        return found;
      }, reaching).catch(async (refused) => {
        await server.stop();
        throw refused;
      });
      if (!installed || stopping.signal.aborted) return port;
      state.reached = true;
      for (const each of work.running) each.start();
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      state.leaving = true;
      await sleep(config.drainMs);
      stopping.abort();
      const patience = sleep(LISTENERS_MS, new AbortController().signal);
      const working = work.running.map((each) => each.stop());
      await Promise.all([server.stop(), receiver.stop(), ...working]);
      await Promise.race([receiver.idle(), patience]);
      await common.slack.stop(patience);
      await parts.close();
      log.info({}, 'Countermand has stopped');
    },
  };
}

/** @param state changes as the bot starts and stops */
function createAppServer(
  { common, useCases, events }: Bot,
  state: { reached: boolean; leaving: boolean },
  changed: Overrides['routes'] = (routes) => routes,
): HttpServer {
  const { config, log, metrics, parts, slack } = common;
  createBoltApp({ ...slack, routes: changed(slackRoutes(useCases)), log });
  const problems = createReadiness({
    isStopping: () => state.leaving,
    isSlackReached: () => state.reached && slack.receiver.isReachable(),
    ping: parts.storage.ping,
    monotonic: parts.outside.runtime.monotonic,
    log,
  });
  const routes = [...slack.routes, events, ...healthRoutes(problems), metricsRoute(metrics)];
  return createHttpServer(routes, { port: config.port, host: config.host, log });
}
