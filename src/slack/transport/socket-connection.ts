/** Manages one WebSocket to Slack, from apps.connections.open to its end. Only socket-receiver.ts opens another one after it. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Logger, webApi } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Log } from '../../outbox/ports.ts';
import { isTokenRefused, TokenRefusedError } from '../client/access.ts';
import { LONGEST_PAUSE_S } from '../client/slack-fetch.ts';
import { ACK_MS, type Responder } from './dispatch.ts';
import { type Delivered, type Frame, readFrame } from './incoming.ts';

/** The time-out of each step: the answer of Slack, the connection, the greeting. */
const CONNECT_MS = 10_000;
/** A connection that gets no pong for this long counts as dead. The SDK's own 5 s cut live ones (slackapi/bolt-js#2496). */
const PONG_MS = 10_000;
/** The longest time that a close waits until all requests are answered. */
const DRAIN_MS = 5_000;
/** The time-out of a closing handshake; the SDK's is 30 s. */
const CLOSE_MS = 1_000;

export type SocketOptions = {
  appToken: string;
  apiUrl: URL;
  logger: Logger;
  log: Log;
  connectMs?: number;
  pongMs?: number;
  drainMs?: number;
};

type Receive = (incoming: Delivered, responder: Responder) => void;

export type SocketConnection = {
  /** Resolves with the reason when another connection is needed: Slack asks for one, or this connection has ended. */
  outdated: Promise<string>;
  ended: Promise<void>;
  /**
   * Closes the connection once all its requests have been answered. Requests that Slack sends until then are accepted;
   * those that it sends before it notices the close can't be answered.
   */
  close(): Promise<void>;
};

/**
 * Opens a connection, and passes on its messages.
 *
 * @returns once Slack has greeted
 * @throws NotConnectedError, TokenRefusedError
 */
export async function openConnection(options: SocketOptions, receive: Receive): Promise<SocketConnection> {
  const { log, connectMs = CONNECT_MS, drainMs = DRAIN_MS } = options;
  const outdated = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  const unanswered = new Set<Promise<void>>();

  const client = new SocketClient(options, (frame) => {
    if (frame.type === 'malformed') log.warn({ what: frame.what }, 'malformed request from Slack');
    if (frame.type === 'disconnect') outdated.resolve(frame.reason);
    if (frame.type !== 'envelope') return;
    const { id, incoming } = frame;
    const answered = Promise.withResolvers<void>();
    // After Slack's time limit nobody waits for an answer.
    const over = Promise.race([answered.promise, pause(ACK_MS)]).then(() => void unanswered.delete(over));
    unanswered.add(over);
    receive(incoming, {
      acknowledge: (answer) => {
        answered.resolve();
        const unsent = client.acknowledge(id, answer);
        if (unsent) log.warn({ name: incoming.name, why: unsent }, 'acknowledgement not sent');
      },
      // Without an acknowledgement Slack delivers an event again, or shows the person an error.
      refuse: () => answered.resolve(),
    });
  });
  client.once('disconnected', () => {
    outdated.resolve('closed');
    ended.resolve();
  });

  /** Waits until all requests are answered, including messages that have arrived and were not read yet. */
  async function allAnswered(): Promise<void> {
    do {
      await Promise.all(unanswered);
      await nextTurn();
    } while (unanswered.size > 0);
  }

  await greeted(client, connectMs);
  return {
    outdated: outdated.promise,
    ended: ended.promise,
    async close() {
      await Promise.race([allAnswered(), pause(drainMs), ended.promise]);
      await shut(client);
    },
  };
}

/**
 * Wraps the SDK's client, of which only connecting, pings and closing are used. Its message handling ends the process
 * on unexpected messages (`null`, an event without a type), and on a request to disconnect it closes the socket before
 * the next one is open. Its own reconnecting leaves rejections unhandled (slackapi/node-slack-sdk#2656).
 */
class SocketClient extends SocketModeClient {
  readonly #receive: (frame: Frame) => void;

  constructor(
    { appToken, apiUrl, logger, connectMs = CONNECT_MS, pongMs = PONG_MS }: SocketOptions,
    receive: (frame: Frame) => void,
  ) {
    super({
      appToken,
      logger,
      autoReconnectEnabled: false,
      clientPingTimeout: pongMs,
      // A fresh object, because the SDK writes into it. Only socket-receiver.ts counts and spaces attempts. No claim covers the
      // call that opens a connection, so the SDK's own `fetch` may make it, by whatever version of HTTP.
      clientOptions: {
        slackApiUrl: apiUrl.href,
        timeout: connectMs,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    this.#receive = receive;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const frame = readFrame(typeof data === 'string' ? data : undefined);
    if (frame.type === 'hello') await super.onWebSocketMessage(data, isBinary);
    else this.#receive(frame);
  }

  /** @returns the reason if it could not be sent */
  acknowledge(envelopeId: string, answer: unknown): string | undefined {
    const socket = this.websocket;
    if (!socket?.isActive()) return 'the connection is gone';
    // The SDK calls back before `send` returns (SlackWebSocket.js).
    let failed: Error | undefined;
    socket.send(JSON.stringify({ envelope_id: envelopeId, payload: toPayload(answer) }), (error) => {
      failed = error;
    });
    return failed?.message;
  }
}

function toPayload(answer: unknown): unknown {
  if (answer === undefined || answer === '') return undefined;
  return typeof answer === 'string' ? { text: answer } : answer;
}

/** Connects, and waits until Slack has greeted. @throws NotConnectedError, TokenRefusedError */
async function greeted(client: SocketClient, connectMs: number): Promise<void> {
  const started = client.start();
  const late = new AbortController();
  // Slack's answer has its own time-out.
  const silence = sleep(2 * connectMs, undefined, { signal: late.signal }).then(() => {
    throw new NotConnectedError(`Slack did not open a connection within ${(2 * connectMs) / 1_000} s.`);
  });
  try {
    await Promise.race([started, silence]);
  } catch (error) {
    void shut(client);
    throw whyNotConnected(error);
  } finally {
    silence.catch(() => {});
    late.abort();
  }
}

/**
 * Closes the client. Slack does not close the TCP connection (slackapi/node-slack-sdk#2752), so a second call closes it
 * without waiting.
 */
async function shut(client: SocketClient): Promise<void> {
  await Promise.race([client.disconnect(), pause(CLOSE_MS)]);
  await client.disconnect();
}

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/** Slack accepts no connection, or can't be reached. The message is a sentence for the operator. */
export class NotConnectedError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether every later attempt is useless, too (https://docs.slack.dev/reference/methods/apps.connections.open). */
const isFinal = (code: string): boolean =>
  isTokenRefused(code) || code === 'missing_scope' || code === 'no_permission';

function whyNotConnected(error: unknown): NotConnectedError | TokenRefusedError {
  if (error instanceof NotConnectedError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) {
    const seconds = Math.min(error.retryAfter, LONGEST_PAUSE_S);
    return new NotConnectedError('Slack allows no more connections for now.', seconds * 1_000);
  }
  if (error instanceof webApi.WebAPIPlatformError) {
    const code = error.data.error;
    return isFinal(code)
      ? new TokenRefusedError(
          `Slack does not accept SLACK_APP_TOKEN (${code}): it must be an app-level token with the scope connections:write.`,
        )
      : new NotConnectedError(`Slack opens no Socket Mode connection (${code}).`);
  }
  // The SDK rejects without a reason if the socket closed before the greeting.
  const reason = error instanceof Error ? error.message : 'the connection was closed before the greeting';
  return new NotConnectedError(`Slack could not be reached over Socket Mode: ${reason}.`);
}
