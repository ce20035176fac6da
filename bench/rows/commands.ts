/** A signed slash command to its acknowledgement, with the installation read from the storage each time. */
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { compare, startAnchor, startBot } from '../lib/contenders.ts';
import { botEnvironment, onRedis, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { closedLoop, type Load } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { commands } from '../lib/requests.ts';
import { seed } from '../lib/seed.ts';

type Contender = 'SQLite' | 'Redis' | 'bare Bolt' | 'raw node:http';

export const commandRow: Row = { name: 'command', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const servers = await startContenders(bench);
  const few = await underLoad(bench, servers, 16);
  const many = await underLoad(bench, servers, 64);
  return (['SQLite', 'Redis'] as const).flatMap((ours) => {
    const what = `command to ack, ${ours}`;
    return [
      compare(few, { what: `${what}, 16`, ours, beside: 'raw node:http', of: 'perSecond' }),
      compare(few, { what: `${what}, 16`, ours, beside: 'bare Bolt', of: 'perSecond' }),
      compare(few, { what: `${what}, 16`, ours, beside: 'raw node:http', of: 'cpuUs' }),
      compare(many, { what: `${what}, 64`, ours, beside: 'bare Bolt', of: 'p99' }),
    ];
  });
}

function underLoad(bench: Bench, servers: Record<Contender, Measured>, connections: number) {
  const { seconds } = bench;
  const loadOf = (name: Contender) => (): Promise<Load> =>
    closedLoop({ server: servers[name], next: commands(SIGNING_SECRET) }, { connections, seconds });
  return inRounds(
    { ...bench, progress: (text) => bench.progress(`${connections} connections, ${text}`) },
    {
      SQLite: loadOf('SQLite'),
      Redis: loadOf('Redis'),
      'bare Bolt': loadOf('bare Bolt'),
      'raw node:http': loadOf('raw node:http'),
    },
  );
}

async function startContenders(bench: Bench): Promise<Record<Contender, Measured>> {
  const startInstalled = async (storageUrl: string) => {
    await seed(botEnvironment(storageUrl, 0), 0);
    return startBot(bench, 'ack', storageUrl);
  };
  return {
    SQLite: await startInstalled(onSqlite(bench.folder, 'command')),
    Redis: await startInstalled(onRedis(await bench.redis(), 'command')),
    'bare Bolt': await startAnchor(bench, 'bolt'),
    'raw node:http': await startAnchor(bench, 'raw'),
  };
}
