/** Outcomes that are owed when the bot starts: told as fast as Slack permits, whatever one workspace has too many of. */
import { createHistogram } from 'node:perf_hooks';
import { applyEvent } from '../../src/requests/model/events/apply-event.ts';
import { TIMINGS } from '../../src/requests/model/pending-effects.ts';
import { entryOf } from '../../src/requests/store/entry.ts';
import type { Bench, Line, Row } from '../lib/bench.ts';
import { startBot } from '../lib/contenders.ts';
import { botEnvironment, onBothStorages } from '../lib/environment.ts';
import { connect, fill, install, underReview, withStorage, workspaces } from '../lib/seed.ts';
import { startSlack } from '../services/slack.ts';

/** Each workspace has one channel, into which Slack takes one message a second. */
const WORKSPACES = 50;
const OWED_EACH = 200;
/** How many more of them the noisy workspace has, whose outcomes count for none of the figures but its 429s. */
const NOISE = 10;
const NOISY = 'T0NOISY';

type Drained = { perSecond: number; p99: number; refusedPercent: number };

export const outcomeRow: Row = { name: 'outcomes', measure };

function measure(bench: Bench): Promise<Line[]> {
  return onBothStorages(bench, (storage, urlOf) => measureOn(bench, storage, urlOf));
}

async function measureOn(bench: Bench, storage: string, urlOf: (name: string) => string): Promise<Line[]> {
  const quiet = await drain(bench, urlOf('quiet'), 0);
  const noisy = await drain(bench, urlOf('noisy'), NOISE * OWED_EACH);
  const owed = `${(WORKSPACES * OWED_EACH).toLocaleString('en')} outcomes owed, ${storage}`;
  const permitted = { name: 'permitted', figures: [WORKSPACES] };
  const without = { name: 'without it', figures: [quiet.p99] };
  return [
    { what: `${owed}, told`, unit: '/s', ours: [quiet.perSecond], anchor: permitted, aim: '1' },
    { what: `${owed}, 429s`, unit: '%', ours: [quiet.refusedPercent], anchor: undefined, aim: 'under 1' },
    {
      what: `${owed}, beside a noisy workspace, p99`,
      unit: 's',
      ours: [noisy.p99],
      anchor: without,
      aim: '1.1',
    },
    {
      what: `${owed}, with it, 429s`,
      unit: '%',
      ours: [noisy.refusedPercent],
      anchor: undefined,
      aim: 'under 1',
    },
  ];
}

/** Starts the bot on what is owed. @returns what came of the outcomes of all workspaces but the noisy one */
async function drain(bench: Bench, storageUrl: string, noise: number): Promise<Drained> {
  await owe(storageUrl, noise);
  const slack = await startSlack(bench, true);
  const { promise, resolve } = Promise.withResolvers<void>();
  const times = createHistogram();
  const told = new Set<string>();
  let began = 0;
  slack.onPost = ({ workspace, thread }) => {
    if (workspace === NOISY || told.has(`${workspace} ${thread}`)) return;
    told.add(`${workspace} ${thread}`);
    times.record(Math.max(1, Math.round(performance.now() - began)));
    bench.progress(`${told.size} told`);
    if (told.size === WORKSPACES * OWED_EACH) resolve();
  };
  const bot = await startBot(bench, 'whole', storageUrl, { slack: slack.apiUrl });
  began = performance.now();
  await promise;
  const tookMs = performance.now() - began;
  await bot.stop();
  const calls = [...slack.calls.values()].reduce((sum, each) => sum + each, 0);
  return {
    perSecond: (told.size * 1_000) / tookMs,
    p99: times.percentile(99) / 1_000,
    refusedPercent: (slack.refused() * 100) / calls,
  };
}

function owe(storageUrl: string, noise: number): Promise<void> {
  return withStorage(botEnvironment(storageUrl, 0), async (adapters) => {
    for (const workspace of [...workspaces(WORKSPACES), ...(noise > 0 ? [NOISY] : [])]) {
      await install(adapters, workspace);
      await connect(adapters, workspace);
      const count = workspace === NOISY ? noise : OWED_EACH;
      await fill(adapters, count, (n) => entryOf(decided(n, workspace), TIMINGS));
    }
  });
}

/** The service has decided, and nobody was told. */
function decided(n: number, workspace: string) {
  const requestedAt = Date.now();
  const record = underReview(n, { requestedAt, workspace });
  const times = { createdAt: requestedAt, updatedAt: requestedAt + 1 };
  const event = {
    topic: 'updated',
    target: record.target,
    status: 'approved',
    digest: `${n}`,
    ...times,
  } as const;
  return applyEvent(record, event, requestedAt).record;
}
