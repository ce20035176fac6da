/** POST /events/<endpoint>: where the order service tells what became of a request. */

import { createSecretKey } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { reportFault } from '../../fault.ts';
import { type HttpRequest, type HttpResponse, json, type Route } from '../../http/route.ts';
import type { Heard, Hearing } from '../../requests/model/events/apply-event.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { Recorded } from '../../requests/use-cases/record-event.ts';
import { parseEvent, type Shown } from './parse.ts';
import { isSigned } from './signature.ts';

export type EventsDeps = {
  /** Undefined where it is nobody's. */
  endpoint: (id: string) => Promise<Endpoint | undefined>;
  /** Notes that an event has come, whatever it says. */
  sighted: (endpoint: Endpoint) => Promise<void>;
  record: (heard: Heard) => Promise<Recorded>;
  signatureHeaders: readonly string[];
  /** Told of each event that was refused, with the reason. */
  countRefused: (reason: 'unknown_endpoint' | 'wrong_signature' | 'malformed') => void;
  /** Milliseconds that only ever grow. */
  monotonic: () => number;
  log: Log;
};

/**
 * The workspace and the generation of its connection; the secrets that open it; `shown` takes the token of the connection
 * out of what the service writes.
 */
export type Endpoint = { workspace: string; generation: string; secrets: string[]; shown: Shown };

const ROUTE = '/events/*';
const MAX_BYTES = 256 * 1024;

/** In the log. */
const LONGEST_TOPIC = 100;

/** The sender takes any 2xx for "delivered" and sends anything else again, five times (events.md, "Delivery"). */
const STATUS: Record<Hearing | 'unmatched' | 'ignored', number> = {
  applied: 202,
  held: 202,
  repeated: 200,
  stale: 200,
  unchanged: 200,
  unmatched: 200,
  ignored: 200,
};

export function eventsRoute(deps: EventsDeps): Route {
  return {
    method: 'POST',
    path: ROUTE,
    maxBytes: MAX_BYTES,
    mediaTypes: ['application/json'],
    handle: (request) =>
      receive(deps, request).catch((error) => {
        // Most likely the storage is away. Nothing was recorded, so the sender has to send it again.
        const reference = reportFault(deps.log, error, { route: 'events' });
        return json(503, { error: 'unavailable', reference });
      }),
  };
}

async function receive(deps: EventsDeps, { parameter, headers, body }: HttpRequest): Promise<HttpResponse> {
  const began = deps.monotonic();
  const endpoint = await deps.endpoint(parameter);
  if (!endpoint) {
    deps.countRefused('unknown_endpoint');
    // Not the path: an endpoint is a secret, and this may be one of another installation.
    deps.log.warn(
      { route: ROUTE },
      'an event was refused: it came for an endpoint that no workspace has. If the order service sends it, give it the events URL that /countermand connect shows',
    );
    return json(404, { error: 'not_found' });
  }
  const secrets = endpoint.secrets.map((secret) => createSecretKey(secret, 'utf8'));
  if (!isSigned(body, signatures(headers, deps.signatureHeaders), secrets)) {
    deps.countRefused('wrong_signature');
    deps.log.warn({ workspace: endpoint.workspace }, 'event with a missing or wrong signature');
    return json(401, { error: 'signature' });
  }
  const parsed = parseEvent(body, endpoint.shown);
  if (parsed.type === 'malformed') {
    const { digest, problems } = parsed;
    deps.countRefused('malformed');
    const topic = endpoint.shown(String(headers['topic'] ?? ''), LONGEST_TOPIC);
    deps.log.warn({ workspace: endpoint.workspace, topic, digest, problems }, 'malformed event');
    return json(400, { error: 'malformed' });
  }
  const { workspace } = endpoint;
  // Not waited for: that an event is kept is worth more than when the last one came.
  deps.sighted(endpoint).catch((err) => deps.log.warn({ workspace, err }, 'the last event was not noted'));
  if (parsed.type === 'ignored') {
    deps.log.info({ workspace, result: 'ignored' }, 'event received');
    return json(STATUS.ignored, { result: 'ignored' });
  }
  const { target } = parsed.event;
  const { result, request } = await deps.record({ workspace, ...parsed });
  deps.log.info(
    { workspace, request, target, result, ms: Math.round(deps.monotonic() - began) },
    'event received',
  );
  return json(STATUS[result], { result });
}

function signatures(headers: IncomingHttpHeaders, names: readonly string[]): string[] {
  return names.flatMap((name) => headers[name] ?? []);
}
