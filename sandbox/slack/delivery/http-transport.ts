import { type PostResult, post } from '../../lib/http/client.ts';
import type { AppRequest, Prepared } from './app-request.ts';
import { signatureHeaders } from './sign.ts';

/** A request that Slack would not send: any body, any signature. */
export type RawRequest = {
  body: string;
  contentType?: string;
  /** Left out: the app's own secret. */
  signingSecret?: string;
  /** In seconds; left out: now. */
  timestamp?: number;
  /** Added last, so that they replace what Slack would send. */
  headers?: Record<string, string>;
};

/** Signed requests to the app's one URL. */
export type HttpTransport = {
  prepare(request: AppRequest, url: string | undefined): Prepared;
  prepareRaw(request: RawRequest, url: string | undefined): Prepared;
};

export function createHttpTransport(options: {
  signingSecret: string;
  ackTimeoutMs: number;
  closing: AbortSignal;
}): HttpTransport {
  const { signingSecret, ackTimeoutMs: timeoutMs, closing: signal } = options;

  function prepare(raw: RawRequest, url: string | undefined, shown: unknown): Prepared {
    const { body, contentType = 'application/x-www-form-urlencoded', headers: extra = {} } = raw;
    const headers = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+sandbox)',
      ...signatureHeaders(body, raw.signingSecret ?? signingSecret, raw.timestamp),
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

/** Slack's words for why it tries again; a redelivery by hand stands for a missed acknowledgement. */
function reasonOf(failure: PostResult | undefined): string {
  if (failure?.ended === 'answered') return 'http_error';
  return failure?.ended === 'no_connection' ? 'connection_failed' : 'http_timeout';
}
