/** Sends the calls of Slack's Web API client: a `fetch` of ours, which knows whether anything was written. */
import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import {
  ClaimLostError,
  type Exchange,
  exchange,
  type HttpAnswer,
  type SendHttp,
} from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { Refusal } from './access.ts';

/** `channel`: of a post, else empty. */
export type SlackCall = { method: string; channel: string };

export type SlackFetchOptions = {
  send: SendHttp;
  /** For all of it, from the wait for a connection to the last byte. */
  timeoutMs: number;
  /** Asked before a call is begun. @throws NotSentError where it must not be made now */
  admit?: (call: SlackCall) => Promise<void>;
  /** Asked in the tick in which a call is written to its socket: a process may have been frozen until then. */
  mayWrite?: () => boolean;
  /** Told of a 429. @param retryAfterMs of Slack's answer */
  onLimited?: (call: SlackCall, retryAfterMs: number) => Promise<void>;
  /** Told of each refusal. */
  onRefused?: (call: SlackCall, refusal: Refusal) => void;
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

/** A page of a thousand people is well below this. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The deadline of each call covers all of it. */
export const createSlackAgent = (): Agent => new Agent({ headersTimeout: 0, bodyTimeout: 0 });

export const sendOver =
  (dispatcher: Dispatcher): SendHttp =>
  (call, limits, inTime) =>
    exchange(dispatcher, call, limits, inTime);

export function createSlackFetch(options: SlackFetchOptions): typeof fetch {
  const { send, timeoutMs, mayWrite, onRefused } = options;
  const { admit = async () => {}, onLimited = async () => {} } = options;
  const limits = { deadlineMs: timeoutMs, maxBytes: MOST_BYTES };
  return async (url, { headers = {}, body } = {}) => {
    const { origin, pathname } = new URL(String(url));
    const text = typeof body === 'string' ? body : '';
    const call = callOf(pathname, text);
    await admit(call);
    const http = {
      origin,
      path: pathname,
      method: 'POST',
      headers: headers as Record<string, string>,
      body: text,
    } as const;
    const result = await send(http, limits, mayWrite);
    const refusal = onRefused && refusalIn(result);
    if (refusal) onRefused(call, refusal);
    const response = toResponse(result);
    const retryAfter = Number(response.headers.get('retry-after'));
    if (response.status === 429 && retryAfter > 0) await onLimited(call, retryAfter * 1_000);
    return response;
  };
}

const Refused = z.object({
  ok: z.literal(false),
  error: z.string(),
  needed: z.string().optional(),
  provided: z.string().optional(),
});

/** What Slack refused, and why (https://docs.slack.dev/apis/web-api/#responses); undefined for every other answer. */
function refusalIn(result: Exchange): Refusal | undefined {
  if (result.type !== 'answered' || !/"ok":\s*false/.test(result.answer.body.slice(0, 1_000)))
    return undefined;
  return Refused.safeParse(parseJson(result.answer.body)).data;
}

function callOf(path: string, body: string): SlackCall {
  const method = path.slice(path.lastIndexOf('/') + 1);
  const channel = method === 'chat.postMessage' ? (new URLSearchParams(body).get('channel') ?? '') : '';
  return { method, channel };
}

/** @throws NotSentError; what `fetch` throws where the call may have been received, and no answer came */
function toResponse(result: Exchange): Response {
  if (result.type === 'answered') return answered(result.answer);
  const { cause, sent, timedOut } = result;
  if (cause instanceof ClaimLostError) throw new NotSentError('too_late');
  if (!sent) throw new NotSentError(codeOf(cause), { cause });
  if (timedOut) throw new DOMException('Slack did not answer in time.', 'TimeoutError');
  throw new TypeError('fetch failed', { cause });
}

function answered({ status, headers, body }: HttpAnswer): Response {
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value].flat().join(', '),
  ]);
  return new Response(body === '' ? null : body, { status, headers: flat });
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
