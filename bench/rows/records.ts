/** Whether a storage with a million requests is slower than one with ten thousand, and how large it is. */
import { statSync } from 'node:fs';
import { createClient } from '@keyv/redis';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { startBot } from '../lib/contenders.ts';
import { botEnvironment, onRedis, onSqlite } from '../lib/environment.ts';
import { closedLoop } from '../lib/load.ts';
import { events } from '../lib/requests.ts';
import { seed } from '../lib/seed.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const CONNECTIONS = 16;

export const recordRow: Row = { name: 'records', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const redis = await bench.redis();
  const file = onSqlite(bench.folder, 'many');
  return [
    ...(await measureOn(bench, 'SQLite', {
      few: onSqlite(bench.folder, 'few'),
      many: file,
      size: async () => sizeOf(file.slice('sqlite:'.length)),
    })),
    ...(await measureOn(bench, 'Redis', {
      few: onRedis(redis, 'few'),
      many: onRedis(redis, 'many'),
      size: () => memoryOf(redis.url),
    })),
  ];
}

type Storage = { few: string; many: string; size: () => Promise<number> };

async function measureOn(bench: Bench, storage: string, { few, many, size }: Storage): Promise<Line[]> {
  const start = async (url: string, count: number) => {
    bench.progress(`${storage}, writing ${count} requests`);
    const seeded = await seed(botEnvironment(url, 0), count);
    return { server: await startBot(bench, 'whole', url), next: events(seeded) };
  };
  const small = await start(few, FEW);
  const before = await size().catch(() => 0);
  const large = await start(many, MANY);
  const bytes = ((await size()) - before) / MANY;
  const load = { connections: CONNECTIONS, seconds: bench.seconds };
  const loads = await inRounds(
    { ...bench, progress: (text) => bench.progress(`${storage}, ${text}`) },
    { many: () => closedLoop(large, load), few: () => closedLoop(small, load) },
  );
  const figures = (name: 'many' | 'few', of: 'p99' | 'cpuUs') => loads[name].map((each) => each[of]);
  const line = (what: string, unit: string, of: 'p99' | 'cpuUs'): Line => ({
    what: `${what}, 1,000,000 requests, ${storage}`,
    unit,
    ours: figures('many', of),
    anchor: { name: '10,000', figures: figures('few', of) },
  });
  return [
    line('event to durable answer, p99', 'ms', 'p99'),
    line('event to durable answer, CPU each', 'us', 'cpuUs'),
    { what: `stored request, ${storage}`, unit: 'bytes', ours: [bytes], anchor: undefined },
  ];
}

const sizeOf = (path: string): number => statSync(path).size + statSync(`${path}-wal`).size;

async function memoryOf(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
  client.destroy();
  return used;
}
