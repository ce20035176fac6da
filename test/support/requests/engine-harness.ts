/** The core over a fake messenger and a fake order service that can fail, or end the process, at any call. */
import type { ClaimDeps } from '../../../src/outbox/claim.ts';
import { NO_WAIT, SILENT, unreplicated } from '../../../src/outbox/ports.ts';
import type { RequestTypeDeps } from '../../../src/requests/engine/request-type.ts';
import type { Answer, ServiceEvent } from '../../../src/requests/model/cause.ts';
import type { IncomingEvent } from '../../../src/requests/model/events-and-calls.ts';
import { requestDueAt } from '../../../src/requests/model/pending-effects.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { OrderCalls } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import {
  type RecordEventDeps,
  type Recorded,
  recordEvent,
} from '../../../src/requests/use-cases/record-event.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import { databaseInMemory } from '../storage/empty-database.ts';
import { advanceRequest } from './advance-request.ts';
import { createFakeMessenger } from './fake-messenger.ts';
import { Death, type Fate } from './fates.ts';
import { queued, T0 } from './records.ts';

/** @param fates of the outside calls, in order; later calls work */
export function createEngineHarness({ answer, fates = [] }: { answer: Answer; fates?: readonly Fate[] }) {
  let now = T0;
  let lives = 0;
  const left = [...fates];
  const nextFate = () => left.shift() ?? 'works';
  const inbox: ServiceEvent[] = [];
  const database = databaseInMemory();
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => now);
  const settings = createSettingsStore(
    createSqliteRecordStore(database, 'settings', SettingsRecord, () => now),
  );
  const { messenger, posts } = createFakeMessenger(nextFate);
  const { orders, calls } = createFakeOrders(answer, nextFate);

  const eventDeps: RecordEventDeps = {
    store,
    keepUnmatched: async ({ event }) => void inbox.push(event),
    hasRoom: async () => true,
    wake() {},
    timings: TIMINGS,
  };

  const deps = (over: Partial<RequestTypeDeps & ClaimDeps> = {}): RequestTypeDeps & ClaimDeps => ({
    store,
    messenger,
    calls: orders,
    inForce: settings.inForce,
    countApprovers: async (record) => record,
    replicated: unreplicated,
    limit: async () => NO_WAIT,
    timings: TIMINGS,
    claimMs: TIMINGS.claimMs,
    owner: `life ${lives}`,
    log: SILENT,
    recordEvent: (incoming: IncomingEvent, except: string) => recordEvent(eventDeps, incoming, except),
    sleep: async () => {},
    monotonic: () => now,
    stopping: new AbortController().signal,
    ...over,
  });

  async function read(record = queued()): Promise<RequestRecord> {
    const found = await store.get(record);
    if (!found) throw new Error('no such record');
    return found.record;
  }

  /** Advances until nothing is pending, across deaths and waits. */
  async function play(record = queued()): Promise<RequestRecord> {
    for (let rounds = 0; rounds < 500; rounds++) {
      await advanceRequest(deps(), record).catch((error) => {
        if (!(error instanceof Death)) throw error;
        lives += 1;
      });
      const dueAt = requestDueAt(await read(record), TIMINGS);
      if (dueAt === undefined) return read(record);
      now = Math.max(now, dueAt);
    }
    throw new Error('the record never comes to rest');
  }

  return {
    store,
    settings,
    /** The messages in Slack that were not removed. */
    slack: posts,
    /** The keys of messages that were posted twice. */
    doubled: () => {
      const keys = posts.map(({ key }) => key);
      return keys.filter((key, i) => keys.indexOf(key) !== i);
    },
    /** The requests of the calls that the order service received. */
    calls,
    inbox,
    deps,
    read,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    create: async (record = queued()) => store.create(requestEntry(record, TIMINGS)),
    recordEvent: async (event: ServiceEvent) =>
      resultOf(await recordEvent(eventDeps, { workspace: 'T1', kind: 'cancel_order', event })),
    play,
  };
}

export const resultOf = (recorded: Recorded | 'too_many') =>
  recorded === 'too_many' ? recorded : recorded.result;

function createFakeOrders(answer: Answer, nextFate: () => Fate) {
  const calls: string[] = [];
  const orders: OrderCalls = {
    async carryOut(record, { inTime }) {
      if (!inTime()) return { answer: { type: 'not_received', why: 'interrupted' } };
      const fate = nextFate();
      if (fate === 'dies_before') throw new Death();
      if (fate === 'not_sent') return { answer: { type: 'not_received', why: 'unreachable' } };
      if (fate === 'fails_before') return { answer: { type: 'no_answer', why: 'timeout' } };
      calls.push(record.id);
      if (fate === 'dies_after') throw new Death();
      return { answer: fate === 'fails_after' ? { type: 'no_answer', why: 'timeout' } : answer };
    },
  };
  return { orders, calls };
}
