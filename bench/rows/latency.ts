/** The time from a click to the card in Slack, and from an event to its reply, beside bare Bolt making the same calls. */
import { createHistogram } from 'node:perf_hooks';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { startAnchor, startBot } from '../lib/contenders.ts';
import { botEnvironment, onRedis, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { atRate } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { forms, type Numbered, outcomes } from '../lib/requests.ts';
import { connect, fill, install, underReview, withStorage, workspaces } from '../lib/seed.ts';
import { startOrderService } from '../services/order-service.ts';
import { type BenchSlack, startSlack } from '../services/slack.ts';

const PER_SECOND = 200;
const NAMES = workspaces(20);
/** So fast that neither the bot nor Slack holds anything back. */
const POSTS_PER_MINUTE = 99_999;
/** The number of requests from which the calls for one request are learned, before the anchor starts. */
const LEARNED_FROM = 100;

/** A request, and the message that must follow: the first one that names its order, or stands in its thread. */
type Way = 'click to card' | 'event to reply';
const WAYS: readonly Way[] = ['click to card', 'event to reply'];

export const latencyRow: Row = { name: 'latency', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const redis = await bench.redis();
  const lines: Line[] = [];
  for (const way of WAYS) {
    const sqliteBot = await startOurs(bench, way, onSqlite(bench.folder, way.replaceAll(' ', '-')));
    const redisBot = await startOurs(bench, way, onRedis(redis, way.replaceAll(' ', '-')));
    const bolt = await startBolt(bench, way, await learnCalls(sqliteBot));
    const delays = await inRounds(
      { ...bench, progress: (text) => bench.progress(`${way}, ${text}`) },
      {
        SQLite: () => delayOf(bench, sqliteBot),
        Redis: () => delayOf(bench, redisBot),
        bolt: () => delayOf(bench, bolt),
      },
    );
    for (const storage of ['SQLite', 'Redis'] as const) {
      const what = `${way} at ${PER_SECOND}/s, ${storage}`;
      lines.push(...compare(what, delays[storage], delays.bolt));
    }
  }
  return lines;
}

type Delay = { p99: number; cpuUs: number };

function compare(what: string, ours: Delay[], bolt: Delay[]): Line[] {
  const p99 = ours.map((delay) => delay.p99);
  const beside = (of: keyof Delay) => ({ name: 'bare Bolt', figures: bolt.map((delay) => delay[of]) });
  const added = p99.map((each, round) => each - (bolt[round]?.p99 ?? Number.NaN));
  const cpuUs = ours.map((delay) => delay.cpuUs);
  return [
    { what: `${what}, p99`, unit: 'ms', ours: p99, anchor: beside('p99') },
    { what: `${what}, p99, added`, unit: 'ms', ours: added, anchor: undefined },
    { what: `${what}, CPU each`, unit: 'us', ours: cpuUs, anchor: beside('cpuUs') },
  ];
}

type Contender = { server: Pick<Measured, 'origin' | 'cpuMs'>; slack: BenchSlack; next: () => Numbered };

async function startOurs(bench: Bench, way: Way, storageUrl: string): Promise<Contender> {
  const slack = await startSlack(bench, false);
  const services = {
    slack: slack.apiUrl,
    orderService: await startOrderService(bench),
    postsPerMinute: POSTS_PER_MINUTE,
  };
  const orders = LEARNED_FROM + PER_SECOND * bench.seconds * (bench.rounds + 1);
  const endpoints = await seedAll(storageUrl, way === 'click to card' ? 0 : orders);
  const server = await startBot(bench, 'whole', storageUrl, services);
  return {
    server,
    slack,
    next: way === 'click to card' ? forms(SIGNING_SECRET, NAMES) : outcomes(endpoints),
  };
}

/** Installs and connects every workspace, and divides the orders among them. */
function seedAll(storageUrl: string, orders: number) {
  const requestedAt = Date.now();
  return withStorage(botEnvironment(storageUrl, 0), async (adapters) => {
    const endpoints = [];
    for (const workspace of NAMES) {
      await install(adapters, workspace);
      endpoints.push({ ...(await connect(adapters, workspace)), requestedAt });
    }
    await fill(adapters, orders, (n) => {
      const workspace = NAMES[(n + 1) % NAMES.length] ?? '';
      return requestEntry(underReview(n + 1, { requestedAt, workspace }), TIMINGS);
    });
    return endpoints;
  });
}

async function startBolt(bench: Bench, way: Way, calls: readonly string[]): Promise<Contender> {
  const slack = await startSlack(bench, false);
  const server = await startAnchor(bench, 'bolt-calls', {
    SLACK_API_URL: slack.apiUrl,
    CALLS: JSON.stringify(calls),
  });
  const event = outcomes([{ endpoint: '', eventsSecret: 'anchor', requestedAt: Date.now() }]);
  const next =
    way === 'click to card' ? forms(SIGNING_SECRET, NAMES) : () => ({ ...event(), path: '/outcomes' });
  return { server, slack, next };
}

/** Sends one request after the other. @returns the methods that the bot calls for each of them, the message first */
async function learnCalls({ server, slack, next }: Contender): Promise<string[]> {
  await followed({ server, slack, next }, { perSecond: PER_SECOND / 10, count: LEARNED_FROM });
  const each = [...slack.calls].map(([method, count]) => ({
    method,
    times: Math.round(count / LEARNED_FROM),
  }));
  const rest = each.flatMap(({ method, times }) => Array.from({ length: times }, () => method));
  return rest.toSorted((a, b) => Number(b === 'chat.postMessage') - Number(a === 'chat.postMessage'));
}

async function delayOf({ seconds }: Bench, contender: Contender): Promise<Delay> {
  const { server } = contender;
  const count = PER_SECOND * seconds;
  const cpuBefore = server.cpuMs();
  const times = await followed(contender, { perSecond: PER_SECOND, count });
  return {
    p99: times.percentile(99) / 1_000,
    cpuUs: ((server.cpuMs() - cpuBefore) * 1_000) / count,
  };
}

/** Sends at a rate, and waits until each request is followed by its message. @returns the times, in microseconds */
async function followed(
  { server, slack, next }: Contender,
  { perSecond, count }: { perSecond: number; count: number },
) {
  const times = createHistogram();
  const waiting = new Map<number, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  slack.onPost = ({ text, thread }) => {
    const n = numberOf(text, thread);
    const since = waiting.get(n);
    if (since === undefined) return;
    waiting.delete(n);
    times.record(Math.max(1, Math.round((performance.now() - since) * 1_000)));
    if (times.count === count) resolve();
  };
  const numbered = () => {
    const request = next();
    return { request, due: (at: number) => void waiting.set(request.n, at) };
  };
  await atRate(server.origin, numbered, { perSecond, count });
  await promise;
  return times;
}

/** The number of the order that a message is about: named in its text, or by the place of its thread (lib/seed.ts). */
const numberOf = (text: string, thread: string | undefined): number =>
  Number(/A-(\d+)/.exec(text)?.[1] ?? thread?.split('.')[1]);
