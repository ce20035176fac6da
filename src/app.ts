/** The composition root: starts and stops the bot with its server. */
import { type Bot, createBot, type Overrides } from './compose/bot.ts';
import type { Config } from './config.ts';
import { healthRoutes } from './http/health.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { Log } from './requests/ports.ts';
import { createBoltApp } from './slack/bolt.ts';
import { slackRoutes } from './slack/routes.ts';

export type { Overrides } from './compose/bot.ts';

export type CountermandApp = Pick<HttpServer, 'routes'> & {
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Begins nothing new, and lets what is under way finish, within bounds. The rest is done after the next start. */
  stop(): Promise<void>;
};

/**
 * Longer than listeners work after their answer: a token that is being checked (20 s), and a modal that is changed. Only
 * where a former token is revoked as well, and the service is slow at both, it is not enough.
 */
const LISTENERS_MS = 25_000;

export function createApp(config: Config, log: Log, overrides: Overrides = {}): CountermandApp {
  const stopping = new AbortController();
  /** Aborted first: who asks whether it is ready reads that it is not, while everything else goes on. */
  const leaving = new AbortController();
  const bot = createBot(config, log, stopping.signal, overrides);
  const { common, work } = bot;
  const { parts } = common;
  const { storage } = parts;
  const { sleep } = parts.outside.runtime;
  const server = createAppServer(bot, leaving.signal);
  const { installations, receiver } = common.slack;

  return {
    routes: server.routes,
    async start() {
      await storage.open(log);
      const installed = await installations.prepare();
      const port = await server.start();
      await receiver.start().catch(async (refused) => {
        await server.stop();
        throw refused;
      });
      for (const each of work.running) each.start();
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      leaving.abort();
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

function createAppServer({ common, useCases, events }: Bot, leaving: AbortSignal): HttpServer {
  const { config, log, parts, slack } = common;
  createBoltApp({ ...slack, routes: slackRoutes(useCases), log });
  const ready = async () => {
    leaving.throwIfAborted();
    slack.receiver.mustBeReachable();
    await parts.storage.ping();
  };
  const routes = [...slack.routes, events, ...healthRoutes(ready)];
  return createHttpServer(routes, { port: config.port, host: config.host, log });
}
