/** The connection from Slack to the app, and its transport over signed HTTP. */
import { createHmac } from 'node:crypto';
import type { Faults } from '../../lib/faults/faults.ts';
import { type PostResult, post } from '../../lib/http/client.ts';
import type { Journal, JournalKind } from '../../lib/http/journal.ts';
import { jsonOrText } from '../../lib/json.ts';

/** The address at which the app receives requests of Slack: its request URL, or the connections that it opens itself. */
export type AppAddress = { requestUrl: string } | { socketMode: true };

export type AppConnection = ReturnType<typeof createAppConnection>;

export function createAppConnection(
  options: HttpOptions & { journal: Journal; faults: Faults; overSockets: Transport },
) {
  const { journal, faults, overSockets } = options;
  let address: Partial<{ requestUrl: string; socketMode: true }> = {};

  async function send(about: Pick<AppRequest, 'kind' | 'name'>, prepared: Prepared): Promise<PostResult> {
    const { kind, name } = about;
    const underway = journal.begin({ from: 'slack', to: 'bot', kind, name, request: prepared.shown });
    const result = withFault(await prepared.send(), about, faults);
    const response = result.ended === 'answered' && { status: result.status, body: jsonOrText(result.body) };
    underway.end({ ended: result.ended, ...(response && { response }) });
    return result;
  }

  const overHttp = (raw: RawRequest, shown: unknown) => prepareHttp(options, raw, address.requestUrl, shown);
  return {
    /** Sets the address; may be called again, for example after a restart of the app. */
    connect: (next: AppAddress) => {
      address = next;
    },
    send: (request: AppRequest) =>
      send(request, address.socketMode ? overSockets(request) : overHttp(encode(request), request.body)),
    /** Sends any request over HTTP. Throws if the app is on Socket Mode. */
    sendRaw: (raw: RawRequest) => {
      if (address.socketMode)
        throw new Error('the app is on Socket Mode: there is no URL to send requests to');
      return send({ kind: 'interactivity', name: 'raw' }, overHttp(raw, raw.body));
    },
  };
}

/** Loses the app's answer if a fault says so: the app has processed the request, and Slack reports a time-out at once. */
function withFault(result: PostResult, about: Pick<AppRequest, 'kind' | 'name'>, faults: Faults): PostResult {
  const strike = faults.take('app.answer', about);
  if (!strike) return result;
  const { type } = strike.fault;
  if (type !== 'unanswered') throw new Error(`a fault of type ${type} can't strike an answer of the app`);
  return { ended: 'timeout' };
}

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

export type Prepared = {
  shown: unknown;
  /** Sends it and waits for the acknowledgement, up to Slack's time-out. */
  send(): Promise<PostResult>;
};

export type Transport = (request: AppRequest) => Prepared;

/** A request with a custom body: the fields of a command, the payload of an interaction, or the envelope of an event. */
export type CustomRequest = Pick<AppRequest, 'body'> & { kind: 'command' | 'interactivity' | 'event' };

const ENCODINGS = { command: 'form', interactivity: 'payload', event: 'json' } as const;

export function toAppRequest({ kind, body }: CustomRequest): AppRequest {
  const { command, event, type } = body;
  const eventType = event && typeof event === 'object' && 'type' in event ? event.type : undefined;
  return { kind, name: String(command ?? eventType ?? type), encoding: ENCODINGS[kind], body };
}

/** A request that Slack would not send: any body, any signature. */
type RawRequest = {
  body: string;
  contentType?: string;
  /** Left out: the app's signing secret. */
  signingSecret?: string;
  /** In seconds; left out: now. */
  timestamp?: number;
  /** Added last, so that they replace Slack's own headers. */
  headers?: Record<string, string>;
};

type HttpOptions = {
  signingSecret: string;
  signedAt: () => number;
  ackTimeoutMs: number;
  closing: AbortSignal;
};

function prepareHttp(
  { signingSecret, signedAt, ackTimeoutMs: timeoutMs, closing: signal }: HttpOptions,
  raw: RawRequest,
  url: string | undefined,
  shown: unknown,
): Prepared {
  const { body, timestamp = Math.floor(signedAt() / 1000) } = raw;
  const headers = {
    'content-type': raw.contentType ?? 'application/x-www-form-urlencoded',
    'user-agent': 'Slackbot 1.0 (+sandbox)',
    ...signatureHeaders(body, raw.signingSecret ?? signingSecret, timestamp),
    ...raw.headers,
  };
  return {
    shown: { headers, body: shown },
    send: async () => (url ? post(url, { headers, body, timeoutMs, signal }) : { ended: 'no_connection' }),
  };
}

function encode({ encoding, body, retry }: AppRequest): RawRequest {
  const headers = retryHeaders(retry);
  if (encoding === 'json') return { contentType: 'application/json', body: JSON.stringify(body), headers };
  const fields =
    encoding === 'payload' ? { payload: JSON.stringify(body) } : (body as Record<string, string>);
  return { body: new URLSearchParams(fields).toString(), headers };
}

function retryHeaders(retry: AppRequest['retry']): Record<string, string> {
  if (!retry) return {};
  return { 'x-slack-retry-num': `${retry.attempt}`, 'x-slack-retry-reason': reasonOf(retry.failure) };
}

/**
 * Returns Slack's reason for a retry (https://docs.slack.dev/apis/events-api/#retries). `redeliver` counts as a missed
 * acknowledgement, and no page says which reason a lost connection is.
 */
function reasonOf(failure: PostResult | undefined): string {
  if (!failure || failure.ended === 'timeout') return 'http_timeout';
  return failure.ended === 'answered' ? 'http_error' : 'connection_failed';
}

function signatureHeaders(body: string, secret: string, timestamp: number) {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': `${timestamp}`, 'x-slack-signature': `v0=${digest}` };
}
