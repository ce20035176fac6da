/** Whether one workspace, one order or a stranger can slow others down, or fill the memory. */
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyEvent } from '../../src/requests/model/events.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { createStaller } from '../../test/support/processes/strangers.ts';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { startAnchor, startBot } from '../lib/contenders.ts';
import { clickingInHistory, type Disturbance, flooding, requestingInVain } from '../lib/disturbances.ts';
import { botEnvironment, onBothStorages, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { atRate, requestsInTurn } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { flips, forms } from '../lib/requests.ts';
import { connect, fill, install, seed, underReview, withStorage, workspaces } from '../lib/seed.ts';
import { startOrderService } from '../services/order-service.ts';
import { startSlack } from '../services/slack.ts';

export const limitRow: Row = { name: 'limits', measure };

async function measure(bench: Bench): Promise<Line[]> {
  return [
    ...(await onBothStorages(bench, (storage, urlOf) => measureFlips(bench, storage, urlOf('flips')))),
    ...(await onBothStorages(bench, (storage, urlOf) => measureOthers(bench, storage, urlOf))),
    ...(await measureMemory(bench)),
  ];
}

/** So fast that neither the bot nor Slack holds back a reply to a flip. */
const POSTS_PER_MINUTE = 99_999;
/** The connections of a burst: many events of the order wait for their turn, though no more than the bot accepts. */
const IN_A_BURST = 50;
/** The events of an order, and the number of them at the beginning and at the end whose CPU time is measured. */
const FLIPS = 5_000;
const COUNTED = 200;

async function measureFlips(bench: Bench, storage: string, url: string): Promise<Line[]> {
  const slack = await startSlack(bench, false);
  const seeded = await seed(botEnvironment(url, 0), 2 * (bench.rounds + 1));
  const services = { slack: slack.apiUrl, postsPerMinute: POSTS_PER_MINUTE };
  const server = await startBot(bench, 'whole', url, services);
  let order = 0;
  const flipOne = async (connections: number) => {
    const next = flips(seeded, order++);
    const some = (count: number) => requestsInTurn({ server, next }, { connections, count });
    const first = await some(COUNTED);
    await some(FLIPS - 2 * COUNTED);
    return { first: first.cpuUs, last: (await some(COUNTED)).cpuUs };
  };
  const flipped = await inRounds(
    { ...bench, progress: (text) => bench.progress(`${storage}, ${text}`) },
    { 'one by one': () => flipOne(1), 'in a burst': () => flipOne(IN_A_BURST) },
  );
  await server.stop();
  return Object.entries(flipped).map(([how, figures]) => ({
    what: `the ${FLIPS.toLocaleString('en')}th event of an order, ${how}, ${storage}, CPU each`,
    unit: 'us',
    ours: figures.map(({ last }) => last),
    anchor: { name: `the first ${COUNTED}`, figures: figures.map(({ first }) => first) },
  }));
}

/** The other workspaces, and their requests a second in all: each stays well within the rates of Slack and of calls. */
const OTHERS = workspaces(40);
const PER_SECOND = 20;

const BUSY = 'T0BUSY';
const STORED = 10_000;
const FAILING = ['T0FAILING0', 'T0FAILING1', 'T0FAILING2'];
const IN_VAIN = 'F-';

type Contender = { name: string; disturbance?: Disturbance; backlog?: true };

const QUIET = 'without it';
const CONTENDERS: readonly Contender[] = [
  { name: QUIET },
  { name: 'ten people clicking in a history of 10,000', disturbance: clickingInHistory(BUSY, 10) },
  { name: '10,000 messages that Slack refuses with 429', backlog: true },
  {
    name: 'three workspaces whose calls fail',
    disturbance: requestingInVain(FAILING, { prefix: IN_VAIN, perSecond: 10 }),
  },
  {
    name: '2,000 unsigned posts/s and 2,000 stalled connections',
    disturbance: flooding({ perSecond: 2_000, stalled: 2_000 }),
  },
];

async function measureOthers(
  bench: Bench,
  storage: string,
  urlOf: (name: string) => string,
): Promise<Line[]> {
  const measured: Record<string, () => Promise<number>> = {};
  for (const [n, contender] of CONTENDERS.entries()) {
    bench.progress(`${storage}, writing ${STORED} requests`);
    measured[contender.name] = await startOthers(bench, contender, urlOf(`others${n}`));
  }
  const p99 = await inRounds(
    { ...bench, progress: (text) => bench.progress(`${storage}, ${text}`) },
    measured,
  );
  const anchor = { name: QUIET, figures: p99[QUIET] ?? [] };
  return CONTENDERS.filter(({ name }) => name !== QUIET).map(({ name }) => ({
    what: `others' click to call at ${PER_SECOND}/s beside ${name}, ${storage}, p99`,
    unit: 'ms',
    ours: p99[name] ?? [],
    anchor,
  }));
}

/** Starts a bot for people of several workspaces. @returns measures how long their clicks take to their calls, at p99 */
async function startOthers(
  bench: Bench,
  { disturbance, backlog }: Contender,
  url: string,
): Promise<() => Promise<number>> {
  const slack = await startSlack(bench, false);
  if (backlog) slack.refusesPosts = BUSY;
  let onCall: (order: string) => void = () => {};
  const orderService = await startOrderService(bench, (path) => {
    const order = path.split('/').at(-2) ?? '';
    if (order.startsWith(IN_VAIN)) return 500;
    onCall(order);
    return 201;
  });
  await seedOthers(url, backlog ?? false);
  const server = await startBot(bench, 'whole', url, { slack: slack.apiUrl, orderService });
  const next = forms(SIGNING_SECRET, OTHERS);
  return async () => {
    const end = disturbance?.({ server, slack });
    const times = createHistogram();
    const waiting = new Map<string, number>();
    const count = PER_SECOND * bench.seconds;
    const { promise, resolve } = Promise.withResolvers<void>();
    onCall = (order) => {
      const since = waiting.get(order);
      if (since === undefined) return;
      times.record(Math.max(1, Math.round((performance.now() - since) * 1_000)));
      if (times.count === count) resolve();
    };
    const numbered = () => {
      const request = next();
      return { request, due: (at: number) => void waiting.set(`A-${request.n}`, at) };
    };
    await atRate(server.origin, numbered, { perSecond: PER_SECOND, count });
    await promise;
    await end?.();
    return times.percentile(99) / 1_000;
  };
}

/** @param owed whether each stored request of the busy workspace owes a message */
function seedOthers(url: string, owed: boolean): Promise<void> {
  const requestedAt = Date.now();
  return withStorage(botEnvironment(url, 0), async (adapters) => {
    for (const workspace of [...OTHERS, BUSY, ...FAILING]) {
      await install(adapters, workspace);
      await connect(adapters, workspace);
    }
    await fill(adapters, STORED, (n) => {
      const record = underReview(n, { requestedAt: requestedAt - n, workspace: BUSY });
      const times = { createdAt: requestedAt - n, updatedAt: requestedAt - n + 1 };
      const event = { topic: 'updated', target: record.target, status: 'approved', digest: `${n}` } as const;
      return requestEntry(
        owed ? applyEvent(record, { ...event, ...times }, requestedAt).record : record,
        TIMINGS,
      );
    });
  });
}

const MB = 1024 * 1024;
const STALLED = 2_000;
/** Longer than the bot waits for the rest of a body. */
const STALLS_MS = 6_000;
const LOOK_MS = 100;

async function measureMemory(bench: Bench): Promise<Line[]> {
  const url = onSqlite(bench.folder, 'stalled');
  await seed(botEnvironment(url, 0), 0);
  const ours = await growthBeside(bench, 'SQLite', await startBot(bench, 'ack', url));
  const bolt = await growthBeside(bench, 'bare Bolt', await startAnchor(bench, 'bolt'));
  const what = `memory that ${STALLED.toLocaleString('en')} connections take which stall after 1 MB`;
  return [{ what, unit: 'MB', ours: [ours], anchor: { name: 'bare Bolt', figures: [bolt] } }];
}

/** @returns by how much the memory of a server grows, in MB */
async function growthBeside({ progress }: Bench, name: string, server: Measured): Promise<number> {
  progress(`${name}, stalled connections`);
  await sleep(STALLS_MS / 2);
  const rest = server.rssMb();
  const staller = createStaller(server.port);
  staller.fillUp(STALLED, { sent: MB - 1, announced: MB });
  let peak = rest;
  for (let waited = 0; waited < STALLS_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    peak = Math.max(peak, server.rssMb());
  }
  staller.close();
  await server.stop();
  return peak - rest;
}
