/** Resident memory after the start and while 100,000 commands come, beside bare Bolt. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Line, Row } from '../lib/bench.ts';
import { bundleInto } from '../lib/bundle.ts';
import { startAnchor, startBot, startBundle } from '../lib/contenders.ts';
import { botEnvironment, onRedis, onSqlite, SIGNING_SECRET } from '../lib/environment.ts';
import { requestsInTurn } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { commands } from '../lib/requests.ts';
import { seed } from '../lib/seed.ts';

const REQUESTS = 100_000;
const SAMPLES = 20;
const CONNECTIONS = 16;
/** The wait after a start, when a process still compiles and collects garbage. */
const SETTLES_MS = 3_000;

type Memory = { rest: number; half: number; peak: number; end: number };

export const memoryRow: Row = { name: 'memory', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const bolt = await memoryOf(bench, 'bare Bolt', await startAnchor(bench, 'bolt'));
  const bundle = await bundleInto(bench.folder);
  const lines: Line[] = [];
  for (const [storage, url] of [
    ['SQLite', onSqlite(bench.folder, 'memory')],
    ['Redis', onRedis(await bench.redis(), 'memory')],
  ] as const) {
    await seed(botEnvironment(url, 0), 0);
    const bundled = await memoryAtRest(await startBundle(bench, bundle, url));
    const own = await memoryOf(bench, storage, await startBot(bench, 'ack', url));
    lines.push(
      lineOf(`memory at rest, bundle, ${storage}`, bundled, { name: 'bare Bolt', figures: [bolt.rest] }),
      lineOf(`memory under load, ${storage}`, own.peak, { name: 'bare Bolt', figures: [bolt.peak] }),
      lineOf(`memory after 100,000 requests, ${storage}`, own.end, {
        name: 'after 50,000',
        figures: [own.half],
      }),
    );
  }
  return lines;
}

async function memoryAtRest(server: Measured): Promise<number> {
  await sleep(SETTLES_MS);
  const rest = server.rssMb();
  await server.stop();
  return rest;
}

async function memoryOf({ progress }: Bench, name: string, server: Measured): Promise<Memory> {
  await sleep(SETTLES_MS);
  const rest = server.rssMb();
  const samples: number[] = [];
  const target = { server, next: commands(SIGNING_SECRET) };
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    await requestsInTurn(target, { connections: CONNECTIONS, count: REQUESTS / SAMPLES });
    samples.push(server.rssMb());
    progress(`${name}, ${(REQUESTS / SAMPLES) * sample} requests`);
  }
  await server.stop();
  return { rest, half: samples[SAMPLES / 2] ?? 0, peak: Math.max(...samples), end: samples.at(-1) ?? 0 };
}

const lineOf = (what: string, ours: number, anchor: Line['anchor']): Line => ({
  what,
  unit: 'MB',
  ours: [ours],
  anchor,
});
