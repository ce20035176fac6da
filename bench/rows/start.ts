/** From the start of the process until it takes connections, beside bare Bolt. */
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { botEnvironment, onRedis, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { startServer } from '../lib/processes.ts';
import { seed } from '../lib/seed.ts';

/** A start takes half a second: more rounds than of what is under load for seconds. */
const ROUNDS_EACH = 3;

export const startRow: Row = { name: 'start', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const sqlite = onSqlite(bench.folder, 'start');
  const redis = onRedis(await bench.redis(), 'start');
  for (const url of [sqlite, redis]) await seed(botEnvironment(url, 0), 0);
  const bot = (url: string) => timeOf(bench, ['bin/countermand.mjs'], (port) => botEnvironment(url, port));
  const times = await inRounds(
    { ...bench, rounds: bench.rounds * ROUNDS_EACH },
    {
      SQLite: bot(sqlite),
      Redis: bot(redis),
      bolt: timeOf(bench, ['bench/anchors/bolt.mjs'], (port) => ({
        PORT: `${port}`,
        SLACK_SIGNING_SECRET: SIGNING_SECRET,
      })),
    },
  );
  return (['SQLite', 'Redis'] as const).flatMap((storage) =>
    (['ms', 'cpuMs'] as const).map((of) => ({
      what: `start to listening from a clone, ${storage}${of === 'ms' ? '' : ', CPU'}`,
      unit: 'ms',
      ours: times[storage].map((time) => time[of]),
      anchor: { name: 'bare Bolt', figures: times.bolt.map((time) => time[of]) },
      aim: '1.4',
    })),
  );
}

function timeOf({ folder }: Bench, args: string[], env: (port: number) => Record<string, string>) {
  return async () => {
    const port = await freePort();
    const server = await startServer(args, { port, env: env(port), folder });
    const cpuMs = server.cpuMs();
    await server.stop();
    return { ms: server.startMs, cpuMs };
  };
}
