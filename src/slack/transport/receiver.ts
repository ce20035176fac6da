/**
 * Implements Bolt's receivers: over our own HTTP server, and over Socket Mode. Bodies are limited and verified before
 * they are parsed. At the start the process waits until Slack answers: during an outage it stays alive, and is not ready.
 */
import { createSecretKey } from 'node:crypto';
import { type Receiver, webApi } from '@slack/bolt';
import { type HttpRequest, type HttpResponse, json, type RequestHead, type Route } from '../../http/route.ts';
import type { Log } from '../../outbox/ports.ts';
import { untilDone, type Waiting } from '../../until-done.ts';
import { failureOf } from '../client/failure.ts';
import { createDispatcher } from './dispatch.ts';
import { type Delivered, MAX_BYTES, parseIncoming } from './incoming.ts';
import { checkSignature, checkTime, readSignature, type SignatureCheck } from './signature.ts';
import { NotConnectedError, openConnection, type SocketOptions } from './socket-connection.ts';
import { createSocketLink, type LinkTimings } from './socket-link.ts';

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

/** Logs a refused request. Either reason means that no command works while everything else looks healthy. */
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
