/** Sends the calls of Slack's Web API client with a `fetch` that knows whether anything was written, and logs outages. */
import { Agent, type Dispatcher } from 'undici';
import {
  ClaimLostError,
  type Exchange,
  exchange,
  type HttpAnswer,
  type HttpCall,
  type SendHttp,
} from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { Log } from '../../outbox/ports.ts';

/** `channel`: the channel of a post; otherwise empty. */
export type SlackCall = { method: string; channel: string };

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

/** The size limit of an answer: far more than a page of a thousand people. */
const MOST_BYTES_OF_ANSWER = 16 * 1024 * 1024;

/**
 * Creates the agent for Slack. It has no time-outs, because each call has a deadline, and uses HTTP/1.1, which exchange.ts needs.
 */
export const createSlackAgent = (): Agent => new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false });

export const sendOver =
  (dispatcher: Dispatcher): SendHttp =>
  (call, limits, inTime) =>
    exchange(dispatcher, call, limits, inTime);

/** Sends one call. @throws NotSentError; otherwise like `fetch` if the call may have been received without an answer */
export type SendCall = (call: SlackCall, http: HttpCall) => Promise<HttpAnswer>;

export function createSendCall(options: SlackFetchOptions): SendCall {
  const { send, timeoutMs, admission, onAnswer } = options;
  const limits = { deadlineMs: timeoutMs, maxBytes: MOST_BYTES_OF_ANSWER };
  return async (call, http) => {
    const admitted = admission?.();
    await admitted?.admit(call);
    const answer = withBoundedWait(answerOf(await send(http, limits, admitted?.inTime)));
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
  if (result.type === 'answered') return withoutUnreadable(result.answer);
  const { cause, sent, timedOut } = result;
  if (cause instanceof ClaimLostError) throw new NotSentError('too_late');
  if (!sent) throw new NotSentError(codeOf(cause), { cause });
  if (timedOut) throw new DOMException('Slack did not answer in time.', 'TimeoutError');
  throw new TypeError('fetch failed', { cause });
}

/**
 * Takes the place of a body that is not JSON. Such a body may be part of an answer that holds what people wrote, and the SDK
 * would pass it on as if it were an error code. Because "(unreadable)" is no error code, it stays in doubt whether the call had
 * an effect. A response_url answers with plain text, too, which nobody reads.
 */
const UNREADABLE_BODY = JSON.stringify({ ok: false, error: '(unreadable)' });

const withoutUnreadable = (answer: HttpAnswer): HttpAnswer =>
  answer.status === 200 && parseJson(answer.body) === undefined
    ? { ...answer, body: UNREADABLE_BODY }
    : answer;

/** The longest pause, whatever Retry-After says: a proxy's mistake must not hold messages for days. Seconds. */
export const LONGEST_PAUSE_S = 60 * 60;

function withBoundedWait(answer: HttpAnswer): HttpAnswer {
  const { headers } = answer;
  return Number(headers['retry-after']) > LONGEST_PAUSE_S
    ? { ...answer, headers: { ...headers, 'retry-after': `${LONGEST_PAUSE_S}` } }
    : answer;
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

/**
 * The number of failed calls in a row, without an answer or with a 5xx, that counts as an outage. If fewer fail, the lines about
 * these calls say more.
 */
const FAILURES_IN_A_ROW = 3;

/**
 * Sends calls, and logs that Slack can't be reached: once for each outage, and once when it ends.
 *
 * @param monotonic milliseconds
 */
export function logOutages(send: SendHttp, log: Log, monotonic: () => number): SendHttp {
  let failures = 0;
  let began = 0;

  function learn(result: Exchange): void {
    const why = troubleIn(result);
    if (why === undefined) {
      if (failures >= FAILURES_IN_A_ROW)
        log.info({ failures, ms: Math.round(monotonic() - began) }, 'Slack answers again');
      failures = 0;
      return;
    }
    if (failures === 0) began = monotonic();
    failures += 1;
    if (failures === FAILURES_IN_A_ROW)
      log.error({ why }, 'Slack does not answer: calls to it fail; messages are tried again');
  }

  return async (...call) => {
    const result = await send(...call);
    // A call that was stopped here says nothing about Slack.
    if (result.type === 'answered' || !(result.cause instanceof ClaimLostError)) learn(result);
    return result;
  };
}

/** The reason why a call failed, as a word for the log; undefined if Slack has answered, and not with a 5xx. */
function troubleIn(result: Exchange): string | undefined {
  if (result.type === 'answered')
    return result.answer.status >= 500 ? `http_${result.answer.status}` : undefined;
  if (result.timedOut) return 'time-out';
  return codeOf(result.cause);
}
