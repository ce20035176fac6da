/** A small Bolt receiver over our own server: bodies are capped and verified before anything is parsed. */
import { createSecretKey } from 'node:crypto';
import type { Receiver } from '@slack/bolt';
import { type HttpRequest, type HttpResponse, json, type Route } from '../http/route.ts';
import type { Log } from '../requests/ports.ts';
import { type Delivered, MAX_BYTES, parseIncoming } from './incoming.ts';
import { createIntake } from './intake.ts';
import { isFromSlack } from './signature.ts';

/** A way for what Slack sends to come in. */
export type SlackReceiver = Receiver & {
  /** What our server must serve for it. */
  routes: readonly Route[];
  /** @throws where Slack can't reach us, as far as we know */
  mustBeReachable(): void;
  /** Waits for what listeners still do after they have answered. */
  idle(): Promise<void>;
};

export function createReceiver(options: {
  signingSecret: string;
  log: Log;
  now: () => number;
}): SlackReceiver {
  const secret = createSecretKey(options.signingSecret, 'utf8');
  const intake = createIntake(options.log);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    if (!isFromSlack(request, secret, options.now())) return json(401, { error: 'signature' });
    const incoming = parseIncoming(request);
    if (incoming.type === 'malformed') return json(400, { error: 'malformed' });
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
    routes: [{ method: 'POST', path: '/slack/events', maxBytes: MAX_BYTES, handle }],
    mustBeReachable: () => {},
    idle: intake.idle,
  };
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
