/** A signed event of the order service to the answer that says it is kept. */
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { compare, startAnchor, startBot } from '../lib/contenders.ts';
import { botEnvironment, onBothStorages } from '../lib/environment.ts';
import { closedLoop, type Load } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { events } from '../lib/requests.ts';
import { type Seeded, seed } from '../lib/seed.ts';

const CONNECTIONS = 16;

const UNWRITTEN = 'without the write';
const RAW = 'raw node:http';

type Contender = { server: Measured; seeded: Seeded };
type Contenders = Record<'kept' | typeof UNWRITTEN | typeof RAW, Contender>;

export const eventRow: Row = { name: 'event', measure };

function measure(bench: Bench): Promise<Line[]> {
  return onBothStorages(bench, (storage, urlOf) => measureOn(bench, storage, urlOf));
}

async function measureOn(bench: Bench, storage: string, urlOf: (name: string) => string): Promise<Line[]> {
  const loads = await underLoad(bench, await startContenders(bench, urlOf), storage);
  const what = `event to durable answer, ${storage}`;
  const handler = `the same without the write, ${storage}`;
  return [
    compare(loads, { what, ours: 'kept', beside: UNWRITTEN, of: 'perSecond' }),
    compare(loads, { what, ours: 'kept', beside: UNWRITTEN, of: 'cpuUs' }),
    compare(loads, { what: handler, ours: UNWRITTEN, beside: RAW, of: 'perSecond' }),
    compare(loads, { what: handler, ours: UNWRITTEN, beside: RAW, of: 'cpuUs' }),
  ];
}

async function startContenders(bench: Bench, urlOf: (name: string) => string): Promise<Contenders> {
  const startSeeded = async (variant: string): Promise<Contender> => {
    const url = urlOf(variant);
    const seeded = await seed(botEnvironment(url, 0));
    return { server: await startBot(bench, variant, url), seeded };
  };
  const kept = await startSeeded('whole');
  const raw = await startAnchor(bench, 'raw', { EVENTS_SECRET: kept.seeded.eventsSecret });
  return {
    kept,
    [UNWRITTEN]: await startSeeded('unwritten'),
    [RAW]: { server: raw, seeded: kept.seeded },
  };
}

function underLoad(bench: Bench, contenders: Contenders, storage: string) {
  const load = ({ server, seeded }: Contender) => {
    const next = events(seeded);
    return (): Promise<Load> =>
      closedLoop({ server, next }, { connections: CONNECTIONS, seconds: bench.seconds });
  };
  return inRounds({ ...bench, progress: (text) => bench.progress(`${storage}, ${text}`) }, {
    kept: load(contenders.kept),
    [UNWRITTEN]: load(contenders[UNWRITTEN]),
    [RAW]: load(contenders[RAW]),
  } satisfies Record<keyof Contenders, () => Promise<Load>>);
}
