/** The connection from Slack to the app, and its transport over signed HTTP. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Faults } from '../../lib/faults/faults.ts';
import { type PostResult, post } from '../../lib/http/client.ts';
import type { Journal, JournalKind } from '../../lib/http/journal.ts';
import { jsonOrText } from '../../lib/json.ts';
import { APP } from '../world/app/installations.ts';

/** The address at which the app receives requests of Slack: its request URL, or the connections that it opens itself. */
export type AppAddress = { requestUrl: string } | { socketMode: true };

/** The connection from Slack to the app. */
export type AppConnection = {
  /** Sets the address; may be called again, for example after a restart of the app. */
  connect(address: AppAddress): void;
  /** Sends a request and waits for its acknowledgement, up to Slack's time-out. */
  send(request: AppRequest): Promise<PostResult>;
  /** Sends any request over HTTP. Throws if the app is on Socket Mode. */
  sendRaw(request: RawRequest): Promise<PostResult>;
};

/** Creates a connection without an address yet. */
export function createAppConnection(options: {
  journal: Journal;
  faults: Faults;
  http: HttpTransport;
  sockets: Transport;
}): AppConnection {
  const { journal, faults, http, sockets } = options;
  let address: Partial<{ requestUrl: string; socketMode: true }> = {};

  async function send(about: Pick<AppRequest, 'kind' | 'name'>, prepared: Prepared): Promise<PostResult> {
    const { kind, name } = about;
    const underway = journal.begin({ from: 'slack', to: 'bot', kind, name, request: prepared.shown });
    const result = withFault(await prepared.send(), about, faults);
    const response = result.ended === 'answered' && { status: result.status, body: jsonOrText(result.body) };
    underway.end({ ended: result.ended, ...(response && { response }) });
    return result;
  }

  return {
    connect: (next) => {
      address = next;
    },
    send: (request) =>
      send(request, address.socketMode ? sockets(request) : http.prepare(request, address.requestUrl)),
    sendRaw: (raw) => {
      if (address.socketMode)
        throw new Error('the app is on Socket Mode: there is no URL to send requests to');
      return send({ kind: 'interactivity', name: 'raw' }, http.prepareRaw(raw, address.requestUrl));
    },
  };
}

/** Loses the answer if that is ordered: the app has processed the request, and Slack waits until its time-out. */
function withFault(result: PostResult, about: Pick<AppRequest, 'kind' | 'name'>, faults: Faults): PostResult {
  const strike = faults.take('app.answer', about);
  if (!strike) return result;
  const { type } = strike.fault;
  if (type !== 'unanswered') throw new Error(`a fault of type ${type} can't strike an answer of the app`);
  return { ended: 'timeout', reason: 'the answer was lost' };
}

/** Sends Slack's url_verification challenge. @returns whether the app sent it back */
export async function verifyRequestUrl(connection: AppConnection): Promise<boolean> {
  const challenge = randomBytes(24).toString('hex');
  const body = { type: 'url_verification', token: APP.verificationToken, challenge };
  const result = await connection.send({ kind: 'event', name: 'url_verification', encoding: 'json', body });
  return result.ended === 'answered' && result.status === 200 && result.body.includes(challenge);
}

/** A request of Slack to the app, independent of the transport. */
export type AppRequest = {
  kind: Extract<JournalKind, 'command' | 'interactivity' | 'options' | 'event'>;
  /** The command, the payload's type, or the event's type. */
  name: string;
  /** The encoding of the body over HTTP: form fields, a `payload` field with JSON, or JSON. */
  encoding: 'form' | 'payload' | 'json';
  body: Record<string, unknown>;
  /** For an event that is sent again: the number of the attempt, and the result of the previous one, if known. */
  retry?: { attempt: number; failure: PostResult | undefined };
};

/** A request that is ready to send. */
export type Prepared = {
  /** The request as the journal keeps it. */
  shown: unknown;
  /** Sends it and waits for the acknowledgement, up to Slack's time-out. */
  send(): Promise<PostResult>;
};

/** Prepares requests for one transport. */
export type Transport = (request: AppRequest) => Prepared;

/** A request with a custom body: the fields of a command, the payload of an interaction, or the envelope of an event. */
export type CustomRequest = Pick<AppRequest, 'body'> & { kind: 'command' | 'interactivity' | 'event' };

const ENCODINGS = { command: 'form', interactivity: 'payload', event: 'json' } as const;

/** Converts a custom request to the request that Slack would send. */
export function toAppRequest({ kind, body }: CustomRequest): AppRequest {
  const { command, event, type } = body;
  const eventType = event && typeof event === 'object' && 'type' in event ? event.type : undefined;
  return { kind, name: String(command ?? eventType ?? type), encoding: ENCODINGS[kind], body };
}

/** A request that Slack would not send: any body, any signature. */
export type RawRequest = {
  body: string;
  contentType?: string;
  /** Left out: the app's signing secret. */
  signingSecret?: string;
  /** In seconds; left out: now. */
  timestamp?: number;
  /** Added last, so that they replace Slack's own headers. */
  headers?: Record<string, string>;
};

/** Sends signed requests to the app's request URL. */
type HttpTransport = {
  prepare(request: AppRequest, url: string | undefined): Prepared;
  prepareRaw(request: RawRequest, url: string | undefined): Prepared;
};

export function createHttpTransport(options: {
  signingSecret: string;
  /** Epoch milliseconds. */
  signedAt: () => number;
  ackTimeoutMs: number;
  closing: AbortSignal;
}): HttpTransport {
  const { signingSecret, signedAt, ackTimeoutMs: timeoutMs, closing: signal } = options;
  const currentTimestamp = () => Math.floor(signedAt() / 1000);

  function prepare(raw: RawRequest, url: string | undefined, shown: unknown): Prepared {
    const { body, contentType = 'application/x-www-form-urlencoded', headers: extra = {} } = raw;
    const headers = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+sandbox)',
      ...signatureHeaders(body, raw.signingSecret ?? signingSecret, raw.timestamp ?? currentTimestamp()),
      ...extra,
    };
    return {
      shown: { headers, body: shown },
      send: async () =>
        url
          ? post(url, { headers, body, timeoutMs, signal })
          : { ended: 'no_connection', reason: 'no app is connected' },
    };
  }

  return {
    prepare: ({ encoding, body, retry }, url) =>
      prepare({ ...encode(encoding, body), headers: retryHeaders(retry) }, url, body),
    prepareRaw: (raw, url) => prepare(raw, url, raw.body),
  };
}

function encode(encoding: AppRequest['encoding'], body: Record<string, unknown>) {
  if (encoding === 'json') return { contentType: 'application/json', body: JSON.stringify(body) };
  const fields =
    encoding === 'payload' ? { payload: JSON.stringify(body) } : (body as Record<string, string>);
  return { body: new URLSearchParams(fields).toString() };
}

function retryHeaders(retry: AppRequest['retry']): Record<string, string> {
  if (!retry) return {};
  return { 'x-slack-retry-num': `${retry.attempt}`, 'x-slack-retry-reason': reasonOf(retry.failure) };
}

/** Returns Slack's reason for a retry; `redeliver` counts as a missed acknowledgement. */
function reasonOf(failure: PostResult | undefined): string {
  if (failure?.ended === 'answered') return 'http_error';
  return failure?.ended === 'no_connection' ? 'connection_failed' : 'http_timeout';
}

/** Returns the signature headers of a request. */
function signatureHeaders(body: string, secret: string, timestamp: number) {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': `${timestamp}`, 'x-slack-signature': `v0=${digest}` };
}
