/**
 * Implements Bolt's receiver over our own HTTP server (socket-receiver.ts: over Socket Mode). Bodies are limited, and their
 * signatures verified, before they are parsed.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Receiver, webApi } from '@slack/bolt';
import {
  type HttpRequest,
  type HttpResponse,
  json,
  type RequestHead,
  type Route,
} from '../../http/server.ts';
import type { Log } from '../../outbox/ports.ts';
import { untilDone, type Waiting } from '../../until-done.ts';
import { TokenDeadError } from '../client/access.ts';
import { failureOf } from '../client/call-slack.ts';
import { createDispatcher } from './dispatch.ts';
import { type Delivered, MAX_BYTES, parseIncoming } from './incoming.ts';
import { NotConnectedError } from './socket-connection.ts';

const ROUTE = '/slack/events';

export type SlackReceiver = Receiver & {
  routes: readonly Route[];
  /** Whether Slack can reach the bot, as far as known. */
  isReachable(): boolean;
  /** Waits for listeners that still run after their answers. */
  idle(): Promise<void>;
};

/**
 * The reasons to refuse a request. Each may mean that no command works while everything else looks healthy, except that anybody
 * can send a request without a signature, which Slack never does.
 */
const REFUSED = {
  no_signature:
    'request refused: it has no signature of Slack. If commands fail in Slack, a proxy removes its headers; otherwise somebody is probing the address',
  wrong_signature:
    'request refused: not signed with SLACK_SIGNING_SECRET. If commands fail in Slack, compare the variable with the page "Basic Information" of the app',
  wrong_time:
    "request refused: its time is more than 5 minutes away from this machine's clock. If commands fail in Slack, set the clock; otherwise somebody replays old requests, or is probing the address",
};

/** The largest clock difference: older requests may be replays, and times ahead are as suspicious as times behind. */
const MOST_SKEW_SECONDS = 5 * 60;

/** Creates the receiver over HTTP. */
export function createReceiver(options: {
  signingSecret: string;
  log: Log;
  now: () => number;
}): SlackReceiver {
  const { log, now } = options;
  const secret = createSecretKey(options.signingSecret, 'utf8');
  const dispatcher = createDispatcher(log);

  function refused(reason: keyof typeof REFUSED, more: { offsetSeconds?: number } = {}): HttpResponse {
    const level = reason === 'no_signature' ? 'warn' : 'error';
    log[level]({ event: 'request_refused', from: 'slack', reason, route: ROUTE, ...more }, REFUSED[reason]);
    return json(401, { error: 'signature' });
  }

  /** Refuses a request by its headers alone: anybody can send a body, which is then not read. */
  function refuse({ headers }: RequestHead): HttpResponse | undefined {
    const signature = readSignature(headers);
    if (!signature) return refused('no_signature');
    // How far our clock is ahead of the time of the signature; negative: behind.
    const offsetSeconds = Math.round(now() / 1_000 - Number(signature.timestamp));
    return Math.abs(offsetSeconds) > MOST_SKEW_SECONDS ? refused('wrong_time', { offsetSeconds }) : undefined;
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    if (!isSigned(request, secret)) return refused('wrong_signature');
    const incoming = parseIncoming(request);
    if (incoming.type === 'malformed') {
      log.warn(
        { event: 'request_refused', from: 'slack', reason: incoming.type, route: ROUTE },
        'malformed request from Slack',
      );
      return json(400, { error: 'malformed' });
    }
    if (incoming.type === 'answer') return incoming.response;
    return new Promise((respond) =>
      dispatcher.dispatch(incoming, {
        acknowledge: (answer) => respond(toResponse(answer)),
        refuse: (reference) => respond(toRefusal(incoming, reference)),
      }),
    );
  }

  return {
    init: dispatcher.init,
    start: async () => {},
    stop: async () => {},
    routes: [{ method: 'POST', path: ROUTE, maxBytes: MAX_BYTES, refuse, handle }],
    isReachable: () => true,
    idle: dispatcher.idle,
  };
}

function toResponse(answer: unknown): HttpResponse {
  if (answer === undefined || answer === '') return { status: 200 };
  if (typeof answer !== 'string') return json(200, answer as object);
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: answer };
}

/** Answers a failed request. For an event the status makes Slack deliver it again. */
function toRefusal({ type }: Delivered, reference: string | undefined) {
  if (reference === undefined) return { status: 404 };
  return json(type === 'event' ? 503 : 500, { reference });
}

/** Reads the headers of a signature. @returns undefined if they are missing or malformed */
function readSignature(headers: IncomingHttpHeaders): { timestamp: string; digest: string } | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  return { timestamp, digest: signature.slice('v0='.length) };
}

/** Whether a request has the headers of a signature, whoever made it. */
export const hasSignature = ({ headers }: RequestHead): boolean => readSignature(headers) !== undefined;

type Secret = KeyObject | string;

/** The digest of a signature (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
const digestOf = (secret: Secret, timestamp: string, body: string | Buffer): Buffer =>
  createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();

/** Whether a request is signed with this secret, whenever that was. */
export function isSigned(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  signingSecret: Secret,
): boolean {
  const signature = readSignature(headers);
  if (!signature) return false;
  return timingSafeEqual(
    digestOf(signingSecret, signature.timestamp, body),
    Buffer.from(signature.digest, 'hex'),
  );
}

/**
 * Makes Slack's challenge (https://docs.slack.dev/reference/events/url_verification), signed, to check the bot's own address.
 *
 * @param now epoch milliseconds
 */
export function signedChallenge(
  signingSecret: string,
  challenge: string,
  now: number,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ type: 'url_verification', challenge });
  const timestamp = `${Math.floor(now / 1_000)}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digestOf(signingSecret, timestamp, body).toString('hex')}`,
    },
  };
}

/**
 * Tries until Slack answers, at the start: during an outage the process stays alive, and is not ready.
 *
 * @returns undefined if the wait was ended
 * @throws TokenRefusedError; and errors that do not come from Slack
 */
export const untilReached = <T>(connect: () => Promise<T>, waiting: Waiting): Promise<T | undefined> =>
  untilDone(connect, waiting, {
    waitAskedBy,
    message: 'no access to Slack, will retry: this replica is not ready',
  });

/** The errors of calls to Slack; all others are faults of our own. */
const OF_SLACK = [
  webApi.WebAPIPlatformError,
  webApi.WebAPIRequestError,
  webApi.WebAPIHTTPError,
  webApi.WebAPIRateLimitedError,
];

/** The wait that Slack asks for, in milliseconds; 0 if it names none; undefined if waiting is useless. */
function waitAskedBy(error: unknown): number | undefined {
  // A deactivated workspace may come back.
  if (error instanceof TokenDeadError) return 0;
  if (error instanceof NotConnectedError) return error.retryAfterMs;
  if (!OF_SLACK.some((type) => error instanceof type)) return undefined;
  const failure = failureOf(error);
  return failure.type === 'later' ? (failure.retryAfterMs ?? 0) : 0;
}
