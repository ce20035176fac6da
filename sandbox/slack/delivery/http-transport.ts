import { createHmac } from 'node:crypto';
import { type PostResult, post } from '../../lib/http/client.ts';
import type { AppRequest, Prepared } from './app-request.ts';

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
export type HttpTransport = {
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
