/** The time from the start of the process until it takes connections, beside bare Bolt. */
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { bundleInto } from '../lib/bundle.ts';
import { botEnvironment, onRedis, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { startServer } from '../lib/processes.ts';
import { seed } from '../lib/seed.ts';

const CLONE = 'bin/countermand.mjs';

/** A start takes half a second, so there are more rounds than for contenders that are under load for seconds. */
const ROUNDS_EACH = 3;

export const startRow: Row = { name: 'start', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const sqlite = onSqlite(bench.folder, 'start');
  const redis = onRedis(await bench.redis(), 'start');
  for (const url of [sqlite, redis]) await seed(botEnvironment(url, 0), 0);
  const bundle = await bundleInto(bench.folder);
  const bot = (entry: string, url: string) => timeOf(bench, [entry], (port) => botEnvironment(url, port));
  const times = await inRounds(
    { ...bench, rounds: bench.rounds * ROUNDS_EACH },
    {
      'a clone, SQLite': bot(CLONE, sqlite),
      'a clone, Redis': bot(CLONE, redis),
      'the bundle, SQLite': bot(bundle, sqlite),
      'the bundle, Redis': bot(bundle, redis),
      bolt: timeOf(bench, ['bench/anchors/bolt.mjs'], (port) => ({
        PORT: `${port}`,
        SLACK_SIGNING_SECRET: SIGNING_SECRET,
      })),
    },
  );
  const names = ['a clone, SQLite', 'a clone, Redis', 'the bundle, SQLite', 'the bundle, Redis'] as const;
  return names.flatMap((name) =>
    (['ms', 'cpuMs'] as const).map((of) => ({
      what: `start to listening from ${name}${of === 'ms' ? '' : ', CPU'}`,
      unit: 'ms',
      ours: times[name].map((time) => time[of]),
      anchor: { name: 'bare Bolt', figures: times.bolt.map((time) => time[of]) },
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
