/** One WebSocket to Slack, from apps.connections.open to its end. It never opens another one by itself. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Log } from '../../requests/ports/ports.ts';
import { TokenRefusedError } from '../client/access.ts';
import type { Logger } from '../client/bolt-logger.ts';
import { ACK_MS, type Reply } from './dispatch.ts';
import type { Delivered } from './incoming.ts';
import { type Frame, readFrame } from './socket-envelope.ts';

/** How long Slack may take to answer, to open a connection, and to greet: each. */
const CONNECT_MS = 10_000;
/** After so long without a pong a connection counts as dead. The SDK's own 5 s cut live ones (slackapi/bolt-js#2496). */
const PONG_MS = 10_000;
/** How long an instant is waited for in which nothing has to be answered. */
const FAREWELL_MS = 5_000;
/** How long a closing handshake may take; the SDK would give it 30 s. */
const CLOSE_MS = 1_000;

export type SocketOptions = {
  appToken: string;
  apiUrl: URL;
  logger: Logger;
  log: Log;
  connectMs?: number;
  pongMs?: number;
  farewellMs?: number;
};

export type Receive = (incoming: Delivered, reply: Reply) => void;

export type SocketConnection = {
  /** Resolves when another connection is needed: Slack asks for one, or this one has ended. With the reason. */
  outdated: Promise<string>;
  ended: Promise<void>;
  /**
   * Closes it, at an instant in which all that came over it has been answered over it. What Slack sends before it hears
   * of that can't be answered any more, and what Slack still sends meanwhile is taken as ever.
   */
  close(): Promise<void>;
};

/** Slack takes no connection, or none was to be had; the message is a sentence for whoever runs the bot. */
export class NotConnectedError extends Error {
  /** As Slack asked: how long to wait before the next attempt. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Connects, and hands on what comes.
 * @returns once Slack has greeted
 * @throws NotConnectedError, TokenRefusedError
 */
export async function openConnection(options: SocketOptions, receive: Receive): Promise<SocketConnection> {
  const { log, connectMs = CONNECT_MS, farewellMs = FAREWELL_MS } = options;
  const outdated = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  const unanswered = new Set<Promise<void>>();

  const client = new Client(options, (frame) => {
    if (frame.type === 'malformed') log.warn({ what: frame.what }, 'Slack sent what is not understood');
    if (frame.type === 'disconnect') outdated.resolve(frame.reason);
    if (frame.type !== 'envelope') return;
    const { id, incoming } = frame;
    const answered = Promise.withResolvers<void>();
    // Later than that nobody waits for an answer.
    const over = Promise.race([answered.promise, pause(ACK_MS)]).then(() => void unanswered.delete(over));
    unanswered.add(over);
    receive(incoming, {
      acknowledge: (answer) => {
        answered.resolve();
        const unsent = client.acknowledge(id, answer);
        if (unsent) log.warn({ name: incoming.name, why: unsent }, 'the acknowledgement could not be sent');
      },
      // Without an acknowledgement Slack delivers an event again, and tells a person that it did not work.
      refuse: () => answered.resolve(),
    });
  });
  client.once('disconnected', () => {
    outdated.resolve('closed');
    ended.resolve();
  });

  /** What has arrived and was not read yet counts as well. */
  async function nothingIsUnanswered(): Promise<void> {
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
      await Promise.race([nothingIsUnanswered(), pause(farewellMs), ended.promise]);
      await shut(client);
    },
  };
}

/**
 * The SDK's client, of which only connecting, pings and closing are used. What it would do with messages ends the
 * process when one is not as it expects (`null`, an event that is none), and on a request to go it closes the socket
 * before the next one is open. Reconnecting by itself it leaves rejections unhandled (slackapi/node-slack-sdk#2656).
 */
class Client extends SocketModeClient {
  readonly #hear: (frame: Frame) => void;

  constructor(
    { appToken, apiUrl, logger, connectMs = CONNECT_MS, pongMs = PONG_MS }: SocketOptions,
    hear: (frame: Frame) => void,
  ) {
    super({
      appToken,
      logger,
      autoReconnectEnabled: false,
      clientPingTimeout: pongMs,
      // An object of its own: the SDK writes into it. Attempts are counted and spaced in socket-link.ts alone.
      clientOptions: {
        slackApiUrl: apiUrl.href,
        timeout: connectMs,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    this.#hear = hear;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const frame = readFrame(typeof data === 'string' ? data : undefined);
    if (frame.type === 'hello') await super.onWebSocketMessage(data, isBinary);
    else this.#hear(frame);
  }

  /** @returns why it could not be sent, if it could not */
  acknowledge(envelopeId: string, answer: unknown): string | undefined {
    const socket = this.websocket;
    if (!socket?.isActive()) return 'the connection is gone';
    let failed: Error | undefined;
    socket.send(JSON.stringify({ envelope_id: envelopeId, payload: toPayload(answer) }), (error) => {
      failed = error;
    });
    return failed?.message;
  }
}

/** @param answer what a listener acknowledged with: nothing, a text, or an object */
function toPayload(answer: unknown): unknown {
  if (answer === undefined || answer === '') return undefined;
  return typeof answer === 'string' ? { text: answer } : answer;
}

async function greeted(client: Client, connectMs: number): Promise<void> {
  const started = client.start();
  const late = new AbortController();
  // Slack's answer has a time limit of its own.
  const silence = sleep(2 * connectMs, undefined, { signal: late.signal }).then(() => {
    throw new NotConnectedError(`Slack did not open a connection within ${(2 * connectMs) / 1_000} s.`);
  });
  try {
    await Promise.race([started, silence]);
  } catch (error) {
    void shut(client);
    throw explain(error);
  } finally {
    silence.catch(() => {});
    late.abort();
  }
}

/** Slack does not close the TCP connection (slackapi/node-slack-sdk#2752). A second call waits for nobody any more. */
async function shut(client: Client): Promise<void> {
  await Promise.race([client.disconnect(), pause(CLOSE_MS)]);
  await client.disconnect();
}

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/** Codes of apps.connections.open by which no later attempt will fare better (docs.slack.dev/reference/methods). */
const REFUSED_TOKENS = [
  'account_inactive',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'token_expired',
  'token_revoked',
];

function explain(error: unknown): NotConnectedError | TokenRefusedError {
  if (error instanceof NotConnectedError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return new NotConnectedError(
      'Slack lets no more connections be opened for now.',
      error.retryAfter * 1_000,
    );
  }
  if (error instanceof webApi.WebAPIPlatformError) {
    const code = error.data.error;
    return REFUSED_TOKENS.includes(code)
      ? new TokenRefusedError(
          `Slack does not accept SLACK_APP_TOKEN (${code}): it must be an app-level token with the scope connections:write.`,
        )
      : new NotConnectedError(`Slack opens no Socket Mode connection (${code}).`);
  }
  // The SDK rejects without a reason where the socket closed before the greeting.
  const reason = error instanceof Error ? error.message : 'the connection was closed before the greeting';
  return new NotConnectedError(`Slack could not be reached over Socket Mode: ${reason}.`);
}
