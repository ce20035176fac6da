/** A small Bolt receiver over our own server: bodies are capped and verified before anything is parsed. */
import { createSecretKey } from 'node:crypto';
import type { Receiver } from '@slack/bolt';
import { type HttpRequest, type HttpResponse, json, type Route } from '../../http/route.ts';
import type { Log } from '../../requests/ports/ports.ts';
import { createIntake } from './dispatch.ts';
import { type Delivered, MAX_BYTES, parseIncoming } from './incoming.ts';
import { checkSignature, type SignatureCheck } from './signature.ts';

const ROUTE = '/slack/events';

/** A way for what Slack sends to come in. */
export type SlackReceiver = Receiver & {
  /** What our server must serve for it. */
  routes: readonly Route[];
  /** Whether Slack can reach us, as far as we know. */
  isReachable(): boolean;
  /** Waits for what listeners still do after they have answered. */
  idle(): Promise<void>;
};

/** @param options `countRefused`: told of each request that was refused, with the reason */
export function createReceiver(options: {
  signingSecret: string;
  log: Log;
  now: () => number;
  countRefused: (reason: string) => void;
}): SlackReceiver {
  const { log, now, countRefused } = options;
  const secret = createSecretKey(options.signingSecret, 'utf8');
  const intake = createIntake(log);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const check = checkSignature(request, secret, now());
    if (check.type !== 'valid') {
      countRefused(check.type);
      logRefused(log, check);
      return json(401, { error: 'signature' });
    }
    const incoming = parseIncoming(request);
    if (incoming.type === 'malformed') {
      countRefused(incoming.type);
      log.warn({ route: ROUTE }, 'Slack sent what is not understood');
      return json(400, { error: 'malformed' });
    }
    if (incoming.type === 'answer') return incoming.response;
    return dispatch(incoming);
  }

  function dispatch(incoming: Delivered): Promise<HttpResponse> {
    return new Promise((respond) =>
      intake.take(incoming, {
        acknowledge: (answer) => respond(toResponse(answer)),
        refuse: (reference) => respond(toRefusal(incoming, reference)),
      }),
    );
  }

  return {
    init: intake.init,
    start: async () => {},
    stop: async () => {},
    routes: [{ method: 'POST', path: ROUTE, maxBytes: MAX_BYTES, handle }],
    isReachable: () => true,
    idle: intake.idle,
  };
}

/** Either one means that no command works, while everything else looks well. */
function logRefused(log: Log, check: Exclude<SignatureCheck, { type: 'valid' }>): void {
  const { type: reason, ...offset } = check;
  const message =
    reason === 'wrong_signature'
      ? 'a request was refused: it is not signed with SLACK_SIGNING_SECRET. If commands fail in Slack, compare the variable with the page "Basic Information" of the app'
      : "a request was refused: its signature is right, and its time is more than 5 minutes away from this machine's clock. Set the clock, unless somebody has repeated an old request";
  log.error({ route: ROUTE, reason, ...offset }, message);
}

/** @param answer what a listener acknowledged with: nothing, a text, or an object that Slack reads as JSON */
function toResponse(answer: unknown): HttpResponse {
  if (answer === undefined || answer === '') return { status: 200 };
  if (typeof answer !== 'string') return json(200, answer as object);
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: answer };
}

/** An event that could not be recorded must read as one to deliver again. */
function toRefusal({ type }: Delivered, reference: string | undefined) {
  if (reference === undefined) return { status: 404 };
  return json(type === 'event' ? 503 : 500, { reference });
}
