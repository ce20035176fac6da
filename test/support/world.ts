/** A small world for the core: a messenger and an order service whose acts can fail or die at any instant. */

import { advance } from '../../src/requests/advance.ts';
import { nextAct, TIMINGS } from '../../src/requests/agenda.ts';
import type { Answer, ServiceEvent } from '../../src/requests/cause.ts';
import type { Found, Posting, Updating } from '../../src/requests/delivery.ts';
import { entryOf } from '../../src/requests/entry.ts';
import type { Log, Messenger, OrderCalls, RequestStore } from '../../src/requests/ports.ts';
import { RequestRecord } from '../../src/requests/record.ts';
import { type Heard, type RecordEventDeps, recordEvent } from '../../src/requests/record-event.ts';
import type { Telling } from '../../src/requests/telling.ts';
import { NOW } from '../../src/requests/turns.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { queued, T0 } from './records.ts';

/** How one outside act goes: `dies_*` is the end of the process, before or after the act had its effect. */
export const FATES = [
  'works',
  'dies_before',
  'dies_after',
  'fails_before',
  'fails_after',
  'not_sent',
  'refused',
] as const;
export type Fate = (typeof FATES)[number];

export class Death extends Error {}

type Post = { key: string; ts: string };

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function createWorld({ answer, fates = [] }: { answer: Answer; fates?: readonly Fate[] }) {
  let now = T0;
  let posts = 0;
  let lives = 0;
  const left = [...fates];
  const slack: Post[] = [];
  /** What was posted by a process that had outlived its claim, and never heard that it was: the design's one exception. */
  const orphans = new Set<string>();
  const calls: string[] = [];
  const inbox: ServiceEvent[] = [];
  const database = openDatabase(':memory:');
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => now);

  const keyOf = (record: RequestRecord, telling: Telling) => {
    if (telling.type !== 'reply') return `${record.id} ${Object.values(telling).join(' ')}`;
    const to = record.steps.find(({ n }) => n === telling.n)?.reply?.to;
    return `${record.id} ${telling.n} ${to}`;
  };

  const isOrphan = (fate: Fate, claimedUntil = Number.POSITIVE_INFINITY) =>
    claimedUntil < now && (fate === 'dies_after' || fate === 'fails_after');

  function post(key: string, { channel, claim }: RequestRecord): Posting {
    const fate = left.shift() ?? 'works';
    if (fate === 'dies_before') throw new Death();
    if (fate === 'fails_before') return { type: 'doubtful', code: 'timeout' };
    if (fate === 'not_sent') return { type: 'later', code: 'ratelimited', retryAfterMs: 2_000 };
    if (fate === 'refused') return { type: 'refused', code: 'not_in_channel' };
    posts += 1;
    const ts = `${posts}.0`;
    slack.push({ key, ts });
    if (isOrphan(fate, claim?.expiresAt)) orphans.add(ts);
    if (fate === 'dies_after') throw new Death();
    return fate === 'fails_after' ? { type: 'doubtful', code: 'timeout' } : { type: 'posted', channel, ts };
  }

  const messenger: Messenger = {
    post: async (record, telling) => post(keyOf(record, telling), record),
    async update(): Promise<Updating> {
      const fate = left.shift() ?? 'works';
      if (fate.startsWith('dies')) throw new Death();
      if (fate === 'refused') return { type: 'gone', code: 'message_not_found' };
      return fate === 'works' ? { type: 'posted' } : { type: 'later', code: 'timeout' };
    },
    async find(record, telling): Promise<Found> {
      const found = slack.find(({ key }) => key === keyOf(record, telling));
      return found ? { type: 'posted', channel: record.channel, ts: found.ts } : { type: 'absent' };
    },
    readReactions: async () => ({ type: 'read', standing: [] }),
    async remove(_record, { ts }) {
      slack.splice(
        slack.findIndex((message) => message.ts === ts),
        1,
      );
    },
  };

  const orders: OrderCalls = {
    async carryOut(record) {
      const fate = left.shift() ?? 'works';
      if (fate === 'dies_before') throw new Death();
      if (fate === 'not_sent') return { type: 'not_received', why: 'unreachable' };
      if (fate === 'fails_before') return { type: 'no_answer', why: 'timeout' };
      calls.push(record.id);
      if (fate === 'dies_after') throw new Death();
      return fate === 'fails_after' ? { type: 'no_answer', why: 'timeout' } : answer;
    },
  };

  const eventDeps: RecordEventDeps = {
    store,
    inbox: { put: async (_workspace, _kind, event) => void inbox.push(event) },
    trigger() {},
    timings: TIMINGS,
  };

  const deps = (over: { store?: RequestStore; messenger?: Messenger } = {}) => ({
    store,
    messenger,
    calls: orders,
    turn: async () => NOW,
    timings: TIMINGS,
    owner: `life ${lives}`,
    log: silent,
    hear: (heard: Heard, except: string) => recordEvent(eventDeps, heard, except),
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

  return {
    store,
    slack,
    /** Messages that stand twice, where somebody could have known. */
    doubled: () => {
      const keys = slack.filter(({ ts }) => !orphans.has(ts)).map(({ key }) => key);
      return keys.filter((key, i) => keys.indexOf(key) !== i);
    },
    calls,
    inbox,
    deps,
    read,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    ask: async (record = queued()) => store.create(entryOf(record, TIMINGS)),
    hear: (event: ServiceEvent) => recordEvent(eventDeps, { workspace: 'T1', kind: 'cancel_order', event }),
    /** Advances until nothing is owed, through deaths and waits. */
    async play(record = queued()): Promise<RequestRecord> {
      for (let rounds = 0; rounds < 500; rounds++) {
        await advance(deps(), record).catch((error) => {
          if (!(error instanceof Death)) throw error;
          lives += 1;
        });
        const next = nextAct(await read(record), now, TIMINGS);
        if (next.type === 'nothing') return read(record);
        if (next.type === 'wait') now = Math.max(now, next.until);
      }
      throw new Error('the record never comes to rest');
    },
  };
}
