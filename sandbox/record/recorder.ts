/**
 * Proxies between a bot and Slack: forwards the traffic of both unchanged, and keeps samples from which tests can be made.
 * It changes the address of a Socket Mode connection so that this passes through the proxy, too, and loses the answers that
 * it is told to lose.
 */
import { type HttpReply, type HttpRequest, startHttpServer } from '../lib/http/server.ts';
import { jsonOrText } from '../lib/json.ts';
import { isObject, readDelivery, readForm, timelineFieldsOf } from './read-payload.ts';
import type { Recording } from './recording.ts';
import { createRelay, type Relay } from './relay.ts';

type Options = {
  recording: Recording;
  /** The Web API of Slack, or of a local Slack. */
  slackApiUrl: string;
  botUrl: string;
  port?: number;
  /** The answers of Slack that the bot does not get; left out: none. */
  loses?: Loses;
};

export async function startRecorder(options: Options) {
  const relay = createRelay(options.recording);
  const api = await startHttpServer({
    handle: (request) => answer(request, () => callSlack(options, relay, request)),
    upgrade: relay.upgrade,
  });
  const front = await startHttpServer({
    port: options.port,
    handle: (request) => answer(request, () => deliver(options, request)),
  });
  return {
    /** The bot's SLACK_API_URL. */
    apiUrl: `${api.origin}/api/`,
    /** The address at which Slack, or a tunnel from it, reaches the bot. */
    frontUrl: front.origin,
    async close() {
      relay.close();
      await Promise.all([api.close(), front.close()]);
    },
  };
}

/** If the other side does not answer, or its answer is to be lost, the caller gets no answer either. */
async function answer({ client }: HttpRequest, handOn: () => Promise<HttpReply>): Promise<void> {
  try {
    client.send(await handOn());
  } catch {
    client.drop();
  }
}

async function callSlack(
  { recording, slackApiUrl, loses }: Options,
  relay: Relay,
  request: HttpRequest,
): Promise<HttpReply> {
  const began = recording.begin();
  const path = request.target.replace(/^\/api\//, '');
  const method = path.replace(/\?.*$/, '');
  const answered = await forward(request, new URL(path, slackApiUrl).href);
  const body = jsonOrText(answered.body);
  const { status } = answered;
  const retryAfter = answered.headers.get('retry-after') ?? undefined;
  const error = isObject(body) ? codeIn(body['error']) : undefined;
  const args = readForm(request.body);
  const isLost = isObject(body) && body['ok'] === true && loses?.(method, args) === true;
  recording.keep({
    folder: 'web-api',
    name: method,
    from: 'bot',
    began,
    sample: { request: args, response: { status, ...(retryAfter && { retryAfter }), body } },
    timeline: { status, error, retryAfter, ...(isLost && { lost: true }) },
  });
  if (isLost) throw new Error(`The answer to ${method} is lost.`);
  const isLink = method === 'apps.connections.open' && isObject(body) && typeof body['url'] === 'string';
  if (!isLink) return toReply(answered);
  const url = relay.ticketFor(String(body['url']), `ws://${request.headers.host}`);
  return toReply({ ...answered, body: JSON.stringify({ ...body, url }) });
}

/** Returns an error code of Slack; any other value is not kept in clear. */
const codeIn = (value: unknown) =>
  typeof value === 'string' && /^\w{1,80}$/.test(value) ? value : undefined;

async function deliver({ recording, botUrl }: Options, request: HttpRequest): Promise<HttpReply> {
  const { target, body, headers, method } = request;
  const isFromSlack = method === 'POST' && headers['x-slack-signature'] !== undefined;
  const delivery = isFromSlack ? readDelivery(body, headers['content-type']) : undefined;
  const began = delivery && recording.begin();
  const answered = await forward(request, new URL(target, botUrl).href);
  if (delivery && began) {
    const { folder, name, body: fields } = delivery;
    const answer = answered.body === '' ? {} : { answer: jsonOrText(answered.body) };
    const retry = headers['x-slack-retry-num'];
    const retryNum = typeof retry === 'string' ? retry : undefined;
    const timeline = { status: answered.status, ...timelineFieldsOf(fields), retryNum };
    recording.keep({ folder, name, from: 'slack', began, sample: { body: fields, ...answer }, timeline });
  }
  return toReply(answered);
}

/** Whether the answer to a call that Slack has processed is lost. */
type Loses = (method: string, args: Record<string, unknown>) => boolean;

/** Loses the answers to the first message in a channel and to the first reply in a thread. */
export function losesFirstPosts(): Loses {
  const left = new Set(['message', 'reply']);
  return (method, args) => {
    if (method !== 'chat.postMessage' || !/^[CG]/.test(String(args['channel']))) return false;
    return left.delete(args['thread_ts'] === undefined ? 'message' : 'reply');
  };
}

/** Headers of one connection, and headers that are computed anew for the next one. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
]);

type Answered = { status: number; headers: Headers; body: string };

/** @throws if there is no answer; the client then gets none either */
async function forward(
  { method, headers, body, client }: Pick<HttpRequest, 'method' | 'headers' | 'body' | 'client'>,
  to: string,
): Promise<Answered> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    OF_THE_CONNECTION.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const response = await fetch(to, {
    method,
    headers: kept,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
    redirect: 'manual',
    signal: client.gone,
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

function toReply({ status, headers, body }: Answered): HttpReply {
  const kept = [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { status, headers: Object.fromEntries(kept), ...(body === '' ? {} : { body }) };
}
