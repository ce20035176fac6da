/**
 * Implements Bolt's receivers: over our own HTTP server, and over Socket Mode. Bodies are limited and verified before
 * they are parsed. At the start the process waits until Slack answers: during an outage it stays alive, and is not ready.
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
import { failureOf } from '../client/calls.ts';
import { createDispatcher } from './dispatch.ts';
import { type Delivered, MAX_BYTES, parseIncoming } from './incoming.ts';
import { NotConnectedError, openConnection, type SocketOptions } from './socket-connection.ts';
import { createSocketLink, type LinkTimings } from './socket-receiver.ts';

const ROUTE = '/slack/events';

export type SlackReceiver = Receiver & {
  routes: readonly Route[];
  /** Whether Slack can reach the bot, as far as known. */
  isReachable(): boolean;
  /** Waits for listeners that still run after their answers. */
  idle(): Promise<void>;
};

/** Creates the receiver over HTTP. @param options `countRefused`: counts each refused request by its reason */
export function createReceiver(options: {
  signingSecret: string;
  log: Log;
  now: () => number;
  countRefused: (reason: string) => void;
}): SlackReceiver {
  const { log, now, countRefused } = options;
  const secret = createSecretKey(options.signingSecret, 'utf8');
  const dispatcher = createDispatcher(log);

  function refuseUnsigned(check: SignatureCheck): HttpResponse | undefined {
    if (check.type === 'valid') return undefined;
    countRefused(check.type);
    logRefused(log, check);
    return json(401, { error: 'signature' });
  }

  /** Refuses a request by its headers alone: anybody can send a body, which is then not read. */
  function refuse({ headers }: RequestHead): HttpResponse | undefined {
    const signature = readSignature(headers);
    return refuseUnsigned(signature ? checkTime(signature, now()) : { type: 'wrong_signature' });
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const refusal = refuseUnsigned(checkSignature(request, secret));
    if (refusal) return refusal;
    const incoming = parseIncoming(request);
    if (incoming.type === 'malformed') {
      countRefused(incoming.type);
      log.warn({ route: ROUTE }, 'malformed request from Slack');
      return json(400, { error: 'malformed' });
    }
    if (incoming.type === 'answer') return incoming.response;
    return answerOf(incoming);
  }

  function answerOf(incoming: Delivered): Promise<HttpResponse> {
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

/** Logs a refused request, as an error: either reason may mean that no command works while everything else looks healthy. */
function logRefused(log: Log, check: Exclude<SignatureCheck, { type: 'valid' }>): void {
  const { type: reason, ...offset } = check;
  const message =
    reason === 'wrong_signature'
      ? 'request refused: not signed with SLACK_SIGNING_SECRET. If commands fail in Slack, compare the variable with the page "Basic Information" of the app'
      : "request refused: its time is more than 5 minutes away from this machine's clock. If commands fail in Slack, set the clock; otherwise somebody replays old requests, or is probing the address";
  log.error({ route: ROUTE, reason, ...offset }, message);
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

/** Creates the receiver over Socket Mode, which behaves like the receiver over HTTP and needs no public address. */
export function createSocketReceiver(options: SocketOptions & { timings?: LinkTimings }): SlackReceiver {
  const dispatcher = createDispatcher(options.log);
  const link = createSocketLink({ ...options, open: () => openConnection(options, dispatcher.dispatch) });
  return {
    init: dispatcher.init,
    start: link.start,
    // Requests are accepted until the connections have closed: Slack sends a command over one connection, once.
    stop: link.stop,
    routes: [],
    isReachable: link.isUp,
    idle: dispatcher.idle,
  };
}

/**
 * Tries until Slack answers.
 *
 * @returns undefined if the wait was ended
 * @throws TokenRefusedError; and errors that do not come from Slack
 */
export const untilReached = <T>(connect: () => Promise<T>, waiting: Waiting): Promise<T | undefined> =>
  untilDone(connect, waiting, {
    waitAskedBy,
    message: 'Slack is unreachable, will retry: this replica is not ready',
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
  if (error instanceof NotConnectedError) return error.retryAfterMs;
  if (!OF_SLACK.some((type) => error instanceof type)) return undefined;
  const failure = failureOf(error);
  return failure.type === 'later' ? (failure.retryAfterMs ?? 0) : 0;
}

/** Checks whether Slack signed a request, and when; signs a request as Slack does, to check the bot's own address. */

/** The largest clock difference: older requests may be replays, and times ahead are as suspicious as times behind. */
const MOST_SKEW_SECONDS = 5 * 60;

export type SignatureCheck =
  | { type: 'valid' }
  /** The signature is missing, or made with another secret. */
  | { type: 'wrong_signature' }
  /** `offsetSeconds`: how far our clock is ahead of the time of the signature; negative: behind. */
  | { type: 'wrong_time'; offsetSeconds: number };

type Signature = { timestamp: string; digest: Buffer };

/** Reads the headers of a signature. @returns undefined if they are missing or malformed */
function readSignature(headers: IncomingHttpHeaders): Signature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  return { timestamp, digest: Buffer.from(signature.slice('v0='.length), 'hex') };
}

/** Checks that a signature is about as old as it may be. @param now epoch milliseconds */
function checkTime({ timestamp }: Signature, now: number): SignatureCheck {
  const offsetSeconds = Math.round(now / 1_000 - Number(timestamp));
  return Math.abs(offsetSeconds) > MOST_SKEW_SECONDS
    ? { type: 'wrong_time', offsetSeconds }
    : { type: 'valid' };
}

/** Checks that Slack has signed a request (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
function checkSignature(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  secret: KeyObject,
): SignatureCheck {
  const signature = readSignature(headers);
  if (!signature) return { type: 'wrong_signature' };
  const expected = createHmac('sha256', secret).update(`v0:${signature.timestamp}:`).update(body).digest();
  return { type: timingSafeEqual(expected, signature.digest) ? 'valid' : 'wrong_signature' };
}

/**
 * Makes Slack's challenge (https://docs.slack.dev/reference/events/url_verification), signed
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
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
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
  };
}

/** Whether a request is signed with this secret, whenever that was. */
export const isSignedBy = (signingSecret: string, request: Pick<HttpRequest, 'headers' | 'body'>): boolean =>
  checkSignature(request, createSecretKey(signingSecret, 'utf8')).type === 'valid';
