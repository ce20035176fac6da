/** The composition root: starts and stops the bot with its server. */
import { loadOutside } from './compose/adapters.ts';
import { type Bot, createBot } from './compose/bot.ts';
import type { AppContext, Overrides } from './compose/context.ts';
import type { Running } from './compose/scheduled-tasks.ts';
import type { Config } from './config.ts';
import { createReadiness, healthRoutes } from './http/health.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Log } from './outbox/ports.ts';
import { createBoltApp } from './slack/bolt.ts';
import { TokenDeadError } from './slack/client/access.ts';
import { slackRoutes } from './slack/routes.ts';
import { untilReached } from './slack/transport/receiver.ts';
import { StorageUnavailableError, tryToOpen } from './storage/storage.ts';
import { untilDone } from './until-done.ts';

export type { Overrides } from './compose/context.ts';

export type CountermandApp = Pick<HttpServer, 'routes'> & {
  /**
   * Starts the server, and waits until the storage and Slack are reachable.
   *
   * @returns the port, once the bot works or was told to stop
   * @throws if it never will: the storage can't be opened, the port is taken, Slack does not accept a token
   */
  start(): Promise<number>;
  /**
   * Stops: nothing new begins, and work under way finishes within a time limit. The rest is done after the next start.
   */
  stop(): Promise<void>;
};

/**
 * The longest wait of a stop for listeners and answers. A listener that has acknowledged may still check a token (20 s) and
 * update a modal. The wait is too short only if it also revokes a former token, and the order service is slow at both.
 */
const LISTENERS_MS = 25_000;

const STORAGE_UNAVAILABLE = {
  waitAskedBy: (error: unknown) => (error instanceof StorageUnavailableError ? 0 : undefined),
  message: 'storage unavailable, will retry: this replica is not ready',
};

/**
 * Builds the bot and its server.
 *
 * @param onTooOld called once the storage needs a newer version than this one: the bot must stop. Never called before `start`
 */
export async function createApp(
  config: Config,
  plainLog: Log,
  overrides: Overrides = {},
  onTooOld: () => void = () => {},
): Promise<CountermandApp> {
  const stopping = new AbortController();
  const outside = await loadOutside(config);
  const metrics = createMetrics(config, outside, plainLog);
  const log = metrics?.log ?? plainLog;
  const bot = createBot(config, log, stopping.signal, overrides, metrics?.outside ?? outside);
  const { context, background } = bot;
  const { adapters, slack } = context;
  const { sleep, random } = adapters.outside.runtime;
  /** `isStopping` is set first: /readyz fails while everything else goes on. */
  const state = { reached: false, isStopping: false };
  const problems = readinessOf(bot, state);
  const server = createAppServer(bot, problems);
  const watch = watchStorage(bot, problems, onTooOld);
  const runningWithoutSlack = [...background.runningWithoutSlack, recordDeadTokensAtOnce(bot), watch];
  const running = [...background.running, watch];
  const parts = createParts();

  return {
    routes: server.routes,
    async start() {
      const waiting = { log, signal: stopping.signal, random, sleep };
      const open = () => adapters.storage.open(log);
      const isOpen = await tryToOpen(open);
      adapters.storage.lock();
      const port = await server.start();
      // A stop closes the connection to Slack first, while work goes on: that is no outage.
      await metrics?.start(() => state.isStopping || slack.receiver.isReachable());
      const reach = async () => {
        if (!isOpen) await untilDone(open, waiting, STORAGE_UNAVAILABLE);
        if (stopping.signal.aborted) return undefined;
        return untilReached(() => connectSlack(slack, () => parts.start(runningWithoutSlack)), waiting);
      };
      const installed = await reach().catch(async (error) => {
        await Promise.all([server.stop(), parts.stop()]);
        await metrics?.stop();
        throw error;
      });
      if (!installed || stopping.signal.aborted) return port;
      state.reached = true;
      parts.start(running);
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      state.isStopping = true;
      await sleep(config.drainMs);
      stopping.abort();
      const timeout = sleep(LISTENERS_MS, new AbortController().signal);
      const working = [...new Set([...running, ...runningWithoutSlack])].map((each) => each.stop());
      await Promise.all([server.stop(), slack.receiver.stop(), ...working]);
      // An installation may be under way, and Slack takes its code only once.
      await Promise.race([Promise.all([slack.receiver.idle(), server.idle()]), timeout]);
      await slack.stop(timeout);
      await metrics?.stop();
      await adapters.close();
    },
  };
}

/**
 * Checks the installations, and connects to Slack.
 *
 * @param onDead called if the token is dead: it starts what works without a token
 * @returns fields for the log
 */
async function connectSlack({ installations, receiver }: AppContext['slack'], onDead: () => void) {
  const found = await installations.prepare().catch((error) => {
    if (error instanceof TokenDeadError) onDead();
    throw error;
  });
  await receiver.start();
  return found;
}

/**
 * Creates the part that records the uninstall of a dead token at the start. The daily search begins half an hour later, and by
 * then an orchestrator may have restarted a process that is not ready.
 */
function recordDeadTokensAtOnce({ context: { log }, background }: Bot): Running {
  let recording = Promise.resolve();
  return {
    start() {
      recording = background
        .recordDeadTokens()
        .catch((err) => log.error({ err }, 'uninstall not recorded: the daily search will record it'));
    },
    stop: () => recording,
  };
}

/** Starts each part once, and stops those that were started. */
function createParts() {
  const started = new Set<Running>();
  return {
    start(parts: readonly Running[]): void {
      for (const each of parts) if (!started.has(each)) each.start();
      for (const each of parts) started.add(each);
    },
    stop: () => Promise.all([...started].map((each) => each.stop())),
  };
}

/** Creates what /readyz reports. @param state changes as the bot starts and stops */
function readinessOf(
  { context: { log, adapters, slack } }: Bot,
  state: { reached: boolean; isStopping: boolean },
): ReturnType<typeof createReadiness> {
  return createReadiness({
    isStopping: () => state.isStopping,
    isSlackReached: () => state.reached && slack.receiver.isReachable(),
    ping: adapters.storage.ping,
    monotonic: adapters.outside.runtime.monotonic,
    log,
  });
}

const CHECK_EVERY_MS = 5_000;

/**
 * Creates the part that checks every few seconds whether the bot is ready, and whether the storage needs a newer version. So
 * problems are logged even if nobody asks for /readyz.
 *
 * @param problems those of readiness, which logs them
 * @param onTooOld called once, if this version can't work on the storage any more
 */
function watchStorage(
  { context: { adapters, log } }: Bot,
  problems: () => Promise<unknown>,
  onTooOld: () => void,
): Running {
  const { storage, outside } = adapters;
  let cancel = () => {};
  let checking = Promise.resolve();
  const schedule = () => {
    cancel = outside.runtime.after(CHECK_EVERY_MS, () => {
      checking = check();
    });
  };
  async function check(): Promise<void> {
    await problems();
    if (await storage.version.isRaised(log)) onTooOld();
    else schedule();
  }
  return {
    start: schedule,
    async stop() {
      cancel();
      await checking;
      // The check that was under way may have scheduled the next one.
      cancel();
    },
  };
}

/** Creates the server of all routes, with the listeners of Slack's requests behind them. */
function createAppServer(
  { context, useCases, events }: Bot,
  problems: Parameters<typeof healthRoutes>[0],
): HttpServer {
  const { config, log, overrides, slack } = context;
  const listeners = slackRoutes(useCases);
  createBoltApp({ ...slack, routes: overrides.routes?.(listeners) ?? listeners, log });
  const routes = [...slack.routes, events, ...healthRoutes(problems)];
  return createHttpServer(routes, { port: config.port, host: config.host, log });
}
