/** The cost of an event for four replicas on one Redis, beside that for one of them. */
import { createClient } from '@keyv/redis';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { startBot } from '../lib/contenders.ts';
import { botEnvironment, onRedis } from '../lib/environment.ts';
import { requestsInTurn } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { events } from '../lib/requests.ts';
import { seed } from '../lib/seed.ts';

const EVENTS = 16_000;
const CONNECTIONS = 16;

type Cost = { cpuUs: number; commands: number };

export const replicaRow: Row = { name: 'replicas', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const { url } = await bench.redis();
  const client = createClient({ url });
  await client.connect();
  bench.defer(async () => client.destroy());
  const commandsSoFar = async () =>
    Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1]);
  const four = await startReplicas(bench, 'four', 4);
  const one = await startReplicas(bench, 'one', 1);
  const costs = await inRounds(bench, {
    four: () => costOf(four, commandsSoFar),
    one: () => costOf(one, commandsSoFar),
  });
  const line = (what: string, of: keyof Cost): Line => ({
    what: `four replicas, an event, ${what}`,
    unit: of === 'cpuUs' ? 'us' : '',
    ours: costs.four.map((cost) => cost[of]),
    anchor: { name: 'one replica', figures: costs.one.map((cost) => cost[of]) },
  });
  return [line('CPU each', 'cpuUs'), line('Redis commands', 'commands')];
}

async function startReplicas(bench: Bench, name: string, count: number) {
  const url = onRedis(await bench.redis(), name);
  const seeded = await seed(botEnvironment(url, 0));
  const servers: Measured[] = [];
  for (let n = 0; n < count; n += 1) servers.push(await startBot(bench, 'whole', url));
  return { servers, next: events(seeded) };
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** Sends the events to all replicas at the same time, to each its share. */
async function costOf({ servers, next }: Replicas, commandsSoFar: () => Promise<number>): Promise<Cost> {
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuMs(), 0);
  const before = { cpuMs: cpu(), commands: await commandsSoFar() };
  const share = { connections: CONNECTIONS / servers.length, count: EVENTS / servers.length };
  await Promise.all(servers.map((server) => requestsInTurn({ server, next }, share)));
  const commands = (await commandsSoFar()) - before.commands;
  return { cpuUs: ((cpu() - before.cpuMs) * 1_000) / EVENTS, commands: commands / EVENTS };
}
