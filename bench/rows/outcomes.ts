/** Whether outcomes that are pending at the start are told as fast as Slack permits, even if one workspace has too many. */
import { createHistogram } from 'node:perf_hooks';
import { applyEvent } from '../../src/requests/model/events.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import type { Bench, Line, Row } from '../lib/bench.ts';
import { startBot } from '../lib/contenders.ts';
import { botEnvironment, onBothStorages } from '../lib/environment.ts';
import { connect, fill, install, underReview, withStorage, workspaces } from '../lib/seed.ts';
import { startSlack } from '../services/slack.ts';

/** Each of these has one channel, into which Slack takes one message a second. */
const WORKSPACES = 50;
const OWED_EACH = 200;
/** A workspace with ten times as many outcomes. They count in the share of 429s alone. */
const NOISY = 'T0NOISY';

/** The outcomes of a single workspace, and its channels: Slack's limit for a workspace is what slows them. */
const OWED_BY_ONE = 600;
const CHANNELS_OF_ONE = 50;

/** The outcomes that one workspace is owed when the bot starts. */
type Backlog = { workspace: string; outcomes: number; channels: number };

const ALL: readonly Backlog[] = workspaces(WORKSPACES).map((workspace) => ({
  workspace,
  outcomes: OWED_EACH,
  channels: 1,
}));
const NOISE: Backlog = { workspace: NOISY, outcomes: 10 * OWED_EACH, channels: 1 };
const ONE: Backlog = { workspace: 'T0ONE', outcomes: OWED_BY_ONE, channels: CHANNELS_OF_ONE };

type Drained = { perSecond: number; p99: number; refusedPercent: number };

export const outcomeRow: Row = { name: 'outcomes', measure };

function measure(bench: Bench): Promise<Line[]> {
  return onBothStorages(bench, (storage, urlOf) => measureOn(bench, storage, urlOf));
}

async function measureOn(bench: Bench, storage: string, urlOf: (name: string) => string): Promise<Line[]> {
  const quiet = await drain(bench, urlOf('quiet'), ALL);
  const noisy = await drain(bench, urlOf('noisy'), [...ALL, NOISE]);
  const one = await drain(bench, urlOf('one'), [ONE]);
  const owed = `${(WORKSPACES * OWED_EACH).toLocaleString('en')} outcomes owed, ${storage}`;
  const ofOne = `${OWED_BY_ONE} owed by one workspace in ${CHANNELS_OF_ONE} channels, ${storage}`;
  const permitted = { name: 'permitted', figures: [WORKSPACES] };
  const without = { name: 'without it', figures: [quiet.p99] };
  return [
    { what: `${owed}, told`, unit: '/s', ours: [quiet.perSecond], anchor: permitted },
    { what: `${owed}, 429s`, unit: '%', ours: [quiet.refusedPercent], anchor: undefined },
    {
      what: `${owed}, beside a noisy workspace, p99`,
      unit: 's',
      ours: [noisy.p99],
      anchor: without,
    },
    {
      what: `${owed}, with it, 429s`,
      unit: '%',
      ours: [noisy.refusedPercent],
      anchor: undefined,
    },
    { what: `${ofOne}, told`, unit: '/s', ours: [one.perSecond], anchor: undefined },
    { what: `${ofOne}, 429s`, unit: '%', ours: [one.refusedPercent], anchor: undefined },
  ];
}

/**
 * Starts the bot with pending outcomes, and waits until all but those of the noisy workspace are told. Only `refusedPercent`
 * counts that workspace, too.
 */
async function drain(bench: Bench, storageUrl: string, backlogs: readonly Backlog[]): Promise<Drained> {
  await owe(storageUrl, backlogs);
  const counted = backlogs.filter(({ workspace }) => workspace !== NOISY);
  const owed = counted.reduce((sum, { outcomes }) => sum + outcomes, 0);
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
    if (told.size === owed) resolve();
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

function owe(storageUrl: string, backlogs: readonly Backlog[]): Promise<void> {
  return withStorage(botEnvironment(storageUrl, 0), async (adapters) => {
    for (const { workspace, outcomes, channels } of backlogs) {
      await install(adapters, workspace);
      await connect(adapters, workspace);
      await fill(adapters, outcomes, (n) =>
        requestEntry(decided(n, workspace, `C0SUPPORT${n % channels}`), TIMINGS),
      );
    }
  });
}

/** A request that the service has decided, of which nobody was told yet. */
function decided(n: number, workspace: string, channel: string) {
  const requestedAt = Date.now();
  const record = underReview(n, { requestedAt, workspace, channel });
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
