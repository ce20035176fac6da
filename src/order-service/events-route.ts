/** POST /events/<endpoint>: receives the events of the order service. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createCache } from '../cache.ts';
import { reportFault } from '../fault.ts';
import { type HttpRequest, type HttpResponse, json, type RequestHead, type Route } from '../http/server.ts';
import type { Log } from '../outbox/ports.ts';
import type { IncomingEvent } from '../requests/model/events-and-calls.ts';
import type { Recorded } from '../requests/use-cases/record-event.ts';
import { type Parsed, parseEvent } from './parse-event.ts';
import type { Sanitizer } from './redact.ts';

export type EventsDeps = {
  /** Finds an endpoint; undefined if no workspace has it. */
  endpoint: (id: string) => Promise<Endpoint | undefined>;
  recordArrival: (endpoint: Endpoint) => Promise<void>;
  /** `too_many`: so many events wait, or are stored, that this one was not recorded. */
  record: (incoming: IncomingEvent) => Promise<Recorded | 'too_many'>;
  /** Counts an event without a valid signature. It never throws. */
  recordUnsigned: (endpoint: Endpoint) => Promise<void>;
  /** The number of such events after which admins are told: no more than these are counted for an endpoint in a minute. */
  unsignedTold: number;
  signatureHeaders: readonly string[];
  monotonic: () => number;
  log: Log;
};

/**
 * The workspace, the generation of its connection, and the secrets for its events. `sanitize` redacts the connection's
 * token from the service's texts.
 */
export type Endpoint = { workspace: string; generation: string; secrets: KeyObject[]; sanitize: Sanitizer };

const ROUTE = '/events/*';
const MAX_BYTES = 256 * 1024;

/** The limit of a topic in the log. */
const LONGEST_TOPIC = 100;

type Reason = 'unknown_endpoint' | 'no_signature' | 'wrong_signature' | 'malformed' | 'too_many';

const logRefused = ({ log }: EventsDeps, reason: Reason, fields: object, message: string): void =>
  log.warn({ event: 'request_refused', from: 'order_service', reason, ...fields }, message);

/** The status of each answer. The sender takes any 2xx for "delivered", and repeats others five times (events.md, "Delivery"). */
const STATUS: Record<Recorded['result'] | 'ignored', number> = {
  applied: 202,
  buffered: 202,
  repeated: 200,
  stale: 200,
  unchanged: 200,
  unmatched: 200,
  ignored: 200,
};

/** Whether a word is the result in an answer to an accepted event. */
export const isResult = (word: unknown): word is keyof typeof STATUS =>
  typeof word === 'string' && Object.hasOwn(STATUS, word);

/** Creates the route. It takes any media type: events.md names none, and the signature tells who has sent the body. */
export function eventsRoute({ endpoint, ...others }: EventsDeps): Route {
  const known: Known = createCache(ENDPOINTS_REMEMBERED);
  const find = async (id: string) => {
    const found = await endpoint(id);
    if (!found) known.delete(id);
    else if (!known.get(id)) known.set(id, createAllowance(others.unsignedTold, others.monotonic));
    return found;
  };
  const deps = { ...others, endpoint: find };
  const countUnsigned = createCountUnsigned(deps, known);
  return {
    method: 'POST',
    path: ROUTE,
    maxBytes: MAX_BYTES,
    refuse: (head) => refuseWithoutSignature(deps, head, countUnsigned),
    handle: (request) =>
      receive(deps, request).catch((error) => {
        // Most likely the storage is unavailable. The sender repeats the event: if it was recorded all the same, it counts once.
        const reference = reportFault(deps.log, error, { route: ROUTE });
        return json(503, { error: 'unavailable', reference });
      }),
  };
}

/** Refuses a request that has no header with the form of a signature, before its body is read: anybody can send a body. */
function refuseWithoutSignature(
  deps: EventsDeps,
  { headers, parameter }: RequestHead,
  countUnsigned: (endpoint: string) => void,
): HttpResponse | undefined {
  if (signatures(headers, deps.signatureHeaders).some((each) => decode(each))) return undefined;
  logRefused(deps, 'no_signature', { route: ROUTE }, 'event refused: missing or malformed signature');
  countUnsigned(parameter);
  return json(401, { error: 'signature' });
}

/**
 * The most look-ups in the storage for requests without a signature to endpoints that this process does not know yet. Each known
 * endpoint has an allowance of its own (`unsignedTold`), which neither made-up addresses nor other endpoints can use up.
 *
 * A request with a made-up signature always costs a look-up, because the secret that refutes it is stored. These look-ups are
 * bounded by the limit of requests without an answer (http/connections.ts): each keeps its place there until it was looked up.
 */
const OTHER_LOOK_UPS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Only endpoints that exist are remembered, so that nobody else can push one out. */
const ENDPOINTS_REMEMBERED = 10_000;

/** Takes one look-up from an allowance. @returns false if there is none left in this minute */
type Allowance = () => boolean;
type Known = ReturnType<typeof createCache<Allowance>>;

function createAllowance(most: number, monotonic: () => number): Allowance {
  let minute = { began: Number.NEGATIVE_INFINITY, used: 0 };
  return () => {
    const now = monotonic();
    if (now - minute.began >= MINUTE_MS) minute = { began: now, used: 0 };
    return minute.used++ < most;
  };
}

/**
 * Counts events that lack a signature, if their endpoint exists: its address is a secret, so that most likely the order service
 * has sent them, and the admins have to be told. The answer does not wait for that.
 */
function createCountUnsigned(
  { endpoint, recordUnsigned, monotonic, log }: EventsDeps,
  known: Known,
): (id: string) => void {
  const others = createAllowance(OTHER_LOOK_UPS_A_MINUTE, monotonic);
  return (id) => {
    const take = known.get(id) ?? others;
    if (!take()) return;
    endpoint(id)
      .then((found) => found && recordUnsigned(found))
      .catch((err) => log.error({ route: ROUTE, err }, 'event without a valid signature not counted'));
  };
}

async function receive(deps: EventsDeps, { parameter, headers, body }: HttpRequest): Promise<HttpResponse> {
  const since = deps.monotonic();
  const endpoint = await deps.endpoint(parameter);
  if (!endpoint) {
    // The path is not logged: an endpoint is a secret, and this may be one of another Countermand.
    logRefused(
      deps,
      'unknown_endpoint',
      { route: ROUTE },
      'event refused: unknown endpoint. If the order service sent it, give it the events URL that /countermand connect shows',
    );
    return json(404, { error: 'not_found' });
  }
  if (!isSigned(body, signatures(headers, deps.signatureHeaders), endpoint.secrets)) {
    logRefused(deps, 'wrong_signature', { workspace: endpoint.workspace }, 'event refused: wrong signature');
    await deps.recordUnsigned(endpoint);
    return json(401, { error: 'signature' });
  }
  const { workspace } = endpoint;
  const parsed = parseEvent(body, endpoint.sanitize);
  if (parsed.type === 'test') {
    deps.log.info({ workspace }, 'test event received');
    return json(STATUS.ignored, { result: 'ignored' });
  }
  // Not awaited: storing the event matters more than the time of its arrival.
  deps
    .recordArrival(endpoint)
    .catch((err) => deps.log.warn({ workspace, err }, 'event arrival not recorded'));
  if (parsed.type === 'malformed') {
    const { digest, problems } = parsed;
    const topic = endpoint.sanitize(String(headers['topic'] ?? ''), LONGEST_TOPIC);
    logRefused(deps, 'malformed', { workspace, topic, digest, problems }, 'event refused: malformed');
    return json(400, { error: 'malformed' });
  }
  return recordParsed(deps, workspace, parsed, since);
}

/** Records an event with a valid signature. @param since when its body had come, monotonic milliseconds */
async function recordParsed(
  deps: EventsDeps,
  workspace: string,
  parsed: Exclude<Parsed, { type: 'malformed' | 'test' }>,
  since: number,
): Promise<HttpResponse> {
  if (parsed.type === 'ignored') {
    deps.log.info({ event: 'event_received', workspace, result: 'ignored' }, 'event received');
    return json(STATUS.ignored, { result: 'ignored' });
  }
  const { kind, event, unreadable } = parsed;
  const { target } = event;
  if (unreadable.length > 0)
    deps.log.warn(
      { workspace, target, fields: unreadable },
      'times of an event not readable: it counts without them',
    );
  const recorded = await deps.record({ workspace, kind, event });
  if (recorded === 'too_many') return refuseForNow(deps, workspace);
  const { result, request } = recorded;
  deps.log.info(
    { event: 'event_received', workspace, request, target, result, ms: Math.round(deps.monotonic() - since) },
    'event received',
  );
  return json(STATUS[result], { result });
}

/** Nothing was recorded: the sender repeats the event, and there may be room for it by then. */
function refuseForNow(deps: EventsDeps, workspace: string): HttpResponse {
  logRefused(deps, 'too_many', { workspace }, 'event refused: too many events of this order or workspace');
  return json(503, { error: 'too_many' });
}

function signatures(headers: IncomingHttpHeaders, names: readonly string[]): string[] {
  return names.flatMap((name) => headers[name] ?? []);
}

const DIGEST_BYTES = 32;

/**
 * Whether an event was signed with one of the workspace's secrets (events.md, "Delivery").
 *
 * @param signatures the values of the signature headers: SHA-256 HMACs of the body in hex or base64, with or without
 *   the prefix `sha256=`
 * @param secrets all valid secrets: one matching pair is enough, so that secrets rotate without a gap
 */
export function isSigned(
  body: Buffer,
  signatures: readonly string[],
  secrets: readonly KeyObject[],
): boolean {
  const given = signatures.map(decode).filter((digest) => digest !== undefined);
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest());
  return expected.some((digest) => given.some((candidate) => timingSafeEqual(digest, candidate)));
}

function decode(signature: string): Buffer | undefined {
  const text = signature.trim().replace(/^sha256=/i, '');
  const digest = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return digest.length === DIGEST_BYTES ? digest : undefined;
}
