/**
 * Implements Bolt's receiver over Socket Mode, which behaves like the one over HTTP and needs no public address. It keeps a
 * connection to Slack: it opens the next one when a connection ends or must be replaced, with a growing backoff, and logs when
 * there is none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../outbox/ports.ts';
import { TokenRefusedError } from '../client/access.ts';
import { createDispatcher } from './dispatch.ts';
import type { SlackReceiver } from './receiver.ts';
import {
  NotConnectedError,
  openConnection,
  type SocketConnection,
  type SocketOptions,
} from './socket-connection.ts';

export type LinkTimings = {
  /** The wait before the second consecutive attempt (the first is immediate); doubled each time, up to the longest. */
  backoffMs: number;
  longestBackoffMs: number;
  /** A connection that lasted at least this long does not count as a failed attempt. */
  stableMs: number;
  /** The longest time that the bot may be disconnected and still count as ready. */
  downMs: number;
};

export const LINK_TIMINGS: LinkTimings = {
  backoffMs: 1_000,
  longestBackoffMs: 30_000,
  stableMs: 10_000,
  downMs: 5_000,
};

const TOKEN_VARIABLE = 'SLACK_APP_TOKEN';

type Options = SocketOptions & { timings?: LinkTimings };

export function createSocketReceiver(options: Options): SlackReceiver {
  const dispatcher = createDispatcher(options.log);
  const link = createLink(options, () => openConnection(options, dispatcher.dispatch));
  return { routes: [], init: dispatcher.init, idle: dispatcher.idle, ...link };
}

function createLink({ log, timings = LINK_TIMINGS }: Options, open: () => Promise<SocketConnection>) {
  const stopping = new AbortController();
  const live = new Set<SocketConnection>();
  let downSince: number | undefined;

  async function connect(): Promise<SocketConnection> {
    const connection = await open();
    live.add(connection);
    downSince = undefined;
    void connection.ended.then(() => {
      live.delete(connection);
      if (live.size === 0) downSince = performance.now();
    });
    if (stopping.signal.aborted) await connection.close();
    return connection;
  }

  /**
   * Keeps the link until a stop. The former connection is closed after the next one is open, so that nothing is lost in
   * between.
   */
  async function keep(first: SocketConnection): Promise<void> {
    let connection = first;
    let failures = 0;
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const why = await connection.outdated;
      if (stopping.signal.aborted) return;
      failures = performance.now() - began < timings.stableMs ? failures + 1 : 0;
      const waitMs = backoff(failures, timings);
      log.info({ why, nextInMs: waitMs }, 'replacing the connection to Slack');
      const next = await connectAgain(failures, waitMs);
      void connection.close();
      if (!next) return;
      connection = next;
    }
  }

  /** @returns undefined if the link stops before there is a connection */
  async function connectAgain(failures: number, firstWaitMs: number): Promise<SocketConnection | undefined> {
    const { signal } = stopping;
    let reason: string | undefined;
    for (let failed = failures, waitMs = firstWaitMs; ; ) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const connection = await connect();
        // The metrics clear a refusal by this event; after another failure it changes nothing.
        if (failed > failures)
          log.info({ event: 'slack_token_accepted', name: TOKEN_VARIABLE }, 'connected to Slack again');
        return connection;
      } catch (error) {
        failed += 1;
        const asked = error instanceof NotConnectedError ? error.retryAfterMs : 0;
        waitMs = Math.max(asked, backoff(failed, timings));
        logFailure(log, error, { nextInMs: waitMs, isNew: reason !== String(error) });
        reason = String(error);
      }
    }
  }

  return {
    /** @throws NotConnectedError, TokenRefusedError if the first attempt fails; later ones are repeated forever */
    async start(): Promise<void> {
      downSince ??= performance.now();
      void keep(await connect());
    },
    // Requests are accepted until the connections have closed: Slack sends a command over one connection, once.
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([...live].map((connection) => connection.close()));
    },
    isReachable: () => downSince === undefined || performance.now() - downSince <= timings.downMs,
  };
}

/** Logs a failed attempt: as an error only when its reason is new, because attempts go on for as long as an outage lasts. */
function logFailure(log: Log, err: unknown, { nextInMs, isNew }: { nextInMs: number; isNew: boolean }): void {
  const isRefused = err instanceof TokenRefusedError;
  const event = isRefused ? { event: 'slack_token_refused', name: TOKEN_VARIABLE } : {};
  log[isNew ? 'error' : 'debug']({ ...event, err, nextInMs }, 'no connection to Slack');
}

/** Spreads the attempts of replicas that lost their connections together. @returns milliseconds until the next attempt */
function backoff(failures: number, { backoffMs, longestBackoffMs }: LinkTimings): number {
  if (failures === 0) return 0;
  const whole = Math.min(backoffMs * 2 ** (failures - 1), longestBackoffMs);
  return Math.round(whole * (0.75 + Math.random() / 4));
}
