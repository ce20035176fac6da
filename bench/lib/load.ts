/** Puts a server under load over real HTTP, and measures it. */
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type { Measured } from './processes.ts';

/** One request, made and signed right before it is sent. */
export type NextRequest = () => { path: string; headers: Record<string, string>; body: string };

export type Load = {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of CPU time that the server used for each request: the figure that a busy machine changes least. */
  cpuUs: number;
};

/** More connections than are ever busy at once, unless the server falls behind. */
const CONNECTIONS_AT_RATE = 64;

type Target = { server: Pick<Measured, 'origin' | 'cpuMs'>; next: NextRequest };

/** Sends requests for so many seconds: each connection sends the next one once it has an answer. */
export function closedLoop(
  target: Target,
  { connections, seconds }: { connections: number; seconds: number },
) {
  const until = performance.now() + seconds * 1_000;
  return whileWanted(target, connections, () => performance.now() < until);
}

/** Sends a number of requests: each connection sends the next one once it has an answer. */
export function requestsInTurn(
  target: Target,
  { connections, count }: { connections: number; count: number },
) {
  let left = count;
  return whileWanted(target, connections, () => left-- > 0);
}

type Due = () => { request: ReturnType<NextRequest>; due: (at: number) => void };

/** Sends so many requests a second, whether or not earlier ones were answered. `due`: called with the time to send a request. */
export async function atRate(
  origin: string,
  next: Due,
  { perSecond, count }: { perSecond: number; count: number },
): Promise<void> {
  const pool = new Pool(origin, { connections: CONNECTIONS_AT_RATE, pipelining: 1 });
  const began = performance.now();
  const answers: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    const at = began + (n * 1_000) / perSecond;
    if (at > performance.now()) await sleep(at - performance.now());
    const { request, due } = next();
    due(at);
    answers.push(send(pool, { method: 'POST', ...request }));
  }
  const refused = (await Promise.all(answers)).find((status) => status > 299);
  await pool.close();
  if (refused !== undefined) throw new Error(`The server answered with ${refused}.`);
}

async function whileWanted(
  { server, next }: Target,
  connections: number,
  isWanted: () => boolean,
): Promise<Load> {
  const pool = new Pool(server.origin, { connections, pipelining: 1 });
  const times = createHistogram();
  const cpuBefore = server.cpuMs();
  const began = performance.now();
  const work = async () => {
    while (isWanted()) await timed(pool, next, performance.now(), times);
  };
  await Promise.all(Array.from({ length: connections }, work));
  const tookMs = performance.now() - began;
  const usedMs = server.cpuMs() - cpuBefore;
  await pool.close();
  return figuresOf(times, { tookMs, usedMs });
}

type Histogram = ReturnType<typeof createHistogram>;

const MICROSECONDS = 1_000;

/** Sends and times one request. @throws if it is refused: a server that refuses is fast, and proves nothing */
async function timed(pool: Pool, next: NextRequest, since: number, times: Histogram): Promise<void> {
  const status = await send(pool, { method: 'POST', ...next() });
  if (status < 200 || status > 299) throw new Error(`The server answered with ${status}.`);
  times.record(Math.max(1, Math.round((performance.now() - since) * MICROSECONDS)));
}

const figuresOf = (times: Histogram, { tookMs, usedMs }: { tookMs: number; usedMs: number }): Load => ({
  perSecond: times.count / (tookMs / 1_000),
  cpuUs: (usedMs * MICROSECONDS) / times.count,
  p50: times.percentile(50) / MICROSECONDS,
  p99: times.percentile(99) / MICROSECONDS,
});

/**
 * Sends a request without the streams of `Pool.request`: the cost of the load must not be what is measured.
 *
 * @returns the status of the answer
 */
export function send(pool: Pool, request: Dispatcher.DispatchOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_, error) => reject(error),
    });
  });
}
