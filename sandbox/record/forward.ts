/** Hands a request on to another server, and its answer back, as both came. */
import type { HttpReply, HttpRequest } from '../lib/http/server.ts';

/** What belongs to one connection, or is made anew for the next one. */
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

export type Answered = { status: number; headers: Headers; body: string };

/** @throws where there is no answer: then whoever asked gets none either */
export async function forward(
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

export function toReply({ status, headers, body }: Answered): HttpReply {
  const kept = [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { status, headers: Object.fromEntries(kept), ...(body === '' ? {} : { body }) };
}
