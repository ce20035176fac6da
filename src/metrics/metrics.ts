/**
 * Watches the log, the storage and the networks of the bot, and serves the metrics at GET /metrics of a port of its own. The rest
 * of the bot does not depend on it.
 */
import type { Outside } from '../compose/adapters.ts';
import type { Config } from '../config.ts';
import { createHttpServer } from '../http/server.ts';
import type { Log } from '../outbox/ports.ts';
import { readCommit, VERSION } from '../version.ts';
import { defineMetrics } from './definitions.ts';
import { createTokenStates, observeLog } from './observe-log.ts';
import { createSlackState, observeRequests, observeService, observeSlack } from './observe-ports.ts';
import { createSample } from './sample.ts';

export type Metrics = {
  /** The log and the outside world of the bot, watched. */
  log: Log;
  outside: Outside;
  /**
   * Serves the metrics.
   *
   * @param isConnected whether Slack can reach the bot: over Socket Mode the SDK connects by a network of its own
   * @returns the port
   * @throws if it is taken
   */
  start(isConnected: () => boolean): Promise<number>;
  stop(): Promise<void>;
};

/** @returns undefined if METRICS_PORT is not set: then nothing is watched */
export function createMetrics(
  { metrics: wanted, slack: { installing } }: Config,
  outside: Outside,
  log: Log,
): Metrics | undefined {
  if (!wanted) return undefined;
  const { port, host, perWorkspace } = wanted;
  const { runtime } = outside;
  const metrics = defineMetrics({ perWorkspace, version: VERSION, commit: readCommit() });
  const slackState = createSlackState(metrics, runtime);
  const tokens = createTokenStates(metrics, runtime.now);
  const observed = observeLog(log, metrics, tokens);
  let sample = async () => {};
  let isSlackConnected = () => true;

  const watched: Outside = {
    ...outside,
    openStorage(config) {
      const opened = outside.openStorage(config);
      const { storage } = opened;
      // The token in SLACK_BOT_TOKEN has no stored installation to compare with.
      const rechecked = installing.type === 'token' ? undefined : tokens;
      sample = createSample({
        storage,
        metrics,
        now: runtime.now,
        monotonic: runtime.monotonic,
        tokens: rechecked,
        log: observed,
      });
      const requests = observeRequests(storage.requests, metrics, runtime.monotonic);
      return { ...opened, storage: { ...storage, requests } };
    },
    connectSlack() {
      const network = outside.connectSlack();
      return { ...network, send: observeSlack(network.send, metrics, runtime, slackState.learn) };
    },
    connectOrderService: (origin) => observeService(outside.connectOrderService(origin), metrics, runtime),
  };
  const handle = async () => {
    slackState.show(isSlackConnected());
    await sample();
    const headers = { 'content-type': metrics.registry.contentType };
    return { status: 200, headers, body: await metrics.registry.metrics() };
  };
  const routes = [{ method: 'GET', path: '/metrics', maxBytes: 0, handle }] as const;
  const server = createHttpServer(routes, { port, host, log });
  return {
    log: observed,
    outside: watched,
    start(isConnected) {
      isSlackConnected = isConnected;
      return server.start();
    },
    stop: server.stop,
  };
}
