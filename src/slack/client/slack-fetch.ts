/** Sends the calls of Slack's Web API client with a `fetch` that knows whether anything was written. */
import { Agent, type Dispatcher } from 'undici';
import {
  ClaimLostError,
  type Exchange,
  exchange,
  type HttpAnswer,
  type HttpCall,
  type SendHttp,
} from '../../http/exchange.ts';

/** `channel`: the channel of a post; otherwise empty. */
export type SlackCall = { method: string; channel: string };

/** Decides whether a call may be made. */
export type Admission = {
  /** Called before a call begins. @throws NotSentError if it must not be made now */
  admit: (call: SlackCall) => Promise<void>;
  /** Whether a call may still be written. Called in the tick of the write: the process may have been frozen until then. */
  inTime: () => boolean;
};

export type SlackFetchOptions = {
  send: SendHttp;
  /** The deadline of the whole call, from the wait for a connection to the last byte. */
  timeoutMs: number;
  /** Called at the start of each call. Left out: every call may be made. */
  admission?: () => Admission;
  /** Called after each answer, whatever it says. */
  onAnswer?: (call: SlackCall, answer: HttpAnswer) => Promise<void>;
};

/** Slack has certainly not received the call. */
export class NotSentError extends Error {
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(`The call was not sent: ${code}.`, { cause });
    this.name = 'NotSentError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Far more than a page of a thousand people. */
const MOST_BYTES_OF_ANSWER = 16 * 1024 * 1024;

/** Without time-outs, because each call has a deadline. */
export const createSlackAgent = (): Agent => new Agent({ headersTimeout: 0, bodyTimeout: 0 });

export const sendOver =
  (dispatcher: Dispatcher): SendHttp =>
  (call, limits, inTime) =>
    exchange(dispatcher, call, limits, inTime);

/**
 * Sends one call.
 *
 * @throws NotSentError; otherwise like `fetch` if the call may have been received without an answer
 */
export type SendCall = (call: SlackCall, http: HttpCall) => Promise<HttpAnswer>;

export function createSendCall(options: SlackFetchOptions): SendCall {
  const { send, timeoutMs, admission, onAnswer } = options;
  const limits = { deadlineMs: timeoutMs, maxBytes: MOST_BYTES_OF_ANSWER };
  return async (call, http) => {
    const given = admission?.();
    await given?.admit(call);
    const answer = answerOf(await send(http, limits, given?.inTime));
    await onAnswer?.(call, answer);
    return answer;
  };
}

export function createSlackFetch(options: SlackFetchOptions): typeof fetch {
  const sendCall = createSendCall(options);
  return async (url, { headers = {}, body } = {}) => {
    const { origin, pathname: path } = new URL(String(url));
    const text = typeof body === 'string' ? body : '';
    const http = {
      origin,
      path,
      method: 'POST',
      headers: headers as Record<string, string>,
      body: text,
    } as const;
    return toResponse(await sendCall(callOf(path, text), http));
  };
}

function callOf(path: string, body: string): SlackCall {
  const method = path.slice(path.lastIndexOf('/') + 1);
  const channel = method === 'chat.postMessage' ? (new URLSearchParams(body).get('channel') ?? '') : '';
  return { method, channel };
}

function answerOf(result: Exchange): HttpAnswer {
  if (result.type === 'answered') return result.answer;
  const { cause, sent, timedOut } = result;
  if (cause instanceof ClaimLostError) throw new NotSentError('too_late');
  if (!sent) throw new NotSentError(codeOf(cause), { cause });
  if (timedOut) throw new DOMException('Slack did not answer in time.', 'TimeoutError');
  throw new TypeError('fetch failed', { cause });
}

function toResponse({ status, headers, body }: HttpAnswer): Response {
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value].flat().join(', '),
  ]);
  return new Response(body === '' ? null : body, { status, headers: flat });
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
