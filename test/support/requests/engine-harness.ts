/** The core over a fake messenger and a fake order service that can fail, or end the process, at any call. */

import { advance } from '../../../src/requests/engine/advance.ts';
import type { Answer, ServiceEvent } from '../../../src/requests/model/cause.ts';
import type { IncomingEvent } from '../../../src/requests/model/events/apply-event.ts';
import { deliveryOf, destinationOfReply } from '../../../src/requests/model/facts/messages.ts';
import type {
  Destination,
  Found,
  Posting,
  Tidied,
  Updating,
} from '../../../src/requests/model/messages/delivery.ts';
import type { MessageKey } from '../../../src/requests/model/messages/message.ts';
import { nextEffect, TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type {
  ClaimGuard,
  Log,
  Messenger,
  OrderCalls,
  RequestStore,
} from '../../../src/requests/ports/ports.ts';
import { NOW } from '../../../src/requests/ports/rate-limiter.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import { type RecordEventDeps, recordEvent } from '../../../src/requests/use-cases/record-event.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { queued, T0 } from './records.ts';

/**
 * The result of one outside call: with `dies_*` the process ends before or after the call has its effect. `appears_late`: the
 * call has its effect, but its answer is lost and the effect is invisible for minutes.
 */
export const FATES = [
  'works',
  'dies_before',
  'dies_after',
  'fails_before',
  'fails_after',
  'appears_late',
  'not_sent',
  'refused',
] as const;
export type Fate = (typeof FATES)[number];

export class Death extends Error {}

/** Slack's answers if nothing was posted. */
const UNPOSTED: Partial<Record<Fate, Posting>> = {
  fails_before: { type: 'doubtful', code: 'timeout' },
  not_sent: { type: 'later', code: 'ratelimited', retryAfterMs: 2_000 },
  refused: { type: 'refused', code: 'not_in_channel' },
};

/** `key`: its request and step. `place`: its conversation. It is visible from `visibleAt` on. */
type Post = { key: string; place: string; ts: string; visibleAt: number };

/** Less than a post may take to appear. */
const LATE_MS = TIMINGS.appearMs - 60_000;

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function createEngineHarness({ answer, fates = [] }: { answer: Answer; fates?: readonly Fate[] }) {
  let now = T0;
  let posts = 0;
  let lives = 0;
  const left = [...fates];
  const slack: Post[] = [];
  const calls: string[] = [];
  const inbox: ServiceEvent[] = [];
  const database = openDatabase(':memory:');
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => now);

  const keyOf = (record: RequestRecord, messageKey: MessageKey) =>
    `${record.id} ${Object.values(messageKey).join(' ')}`;
  const placeOf = (record: RequestRecord, messageKey: MessageKey, to?: Destination) =>
    `${to ?? destinationOfReply(record, messageKey) ?? messageKey.type}`;

  function post(record: RequestRecord, messageKey: MessageKey, { inTime }: ClaimGuard): Posting {
    const fate = left.shift() ?? 'works';
    if (fate === 'dies_before') throw new Death();
    const unposted = UNPOSTED[fate];
    if (unposted) return unposted;
    if (!inTime()) return { type: 'later', code: 'too_late' };
    posts += 1;
    const ts = `${posts}.0`;
    const visibleAt = fate === 'appears_late' ? now + LATE_MS : now;
    slack.push({ key: keyOf(record, messageKey), place: placeOf(record, messageKey), ts, visibleAt });
    if (fate === 'dies_after') throw new Death();
    const isUnanswered = fate === 'fails_after' || fate === 'appears_late';
    return isUnanswered
      ? { type: 'doubtful', code: 'timeout' }
      : { type: 'posted', channel: record.channel, ts };
  }

  function visible(record: RequestRecord, messageKey: MessageKey, to?: Destination): Post[] {
    const [key, place] = [keyOf(record, messageKey), placeOf(record, messageKey, to)];
    return slack.filter((each) => each.key === key && each.place === place && each.visibleAt <= now);
  }

  function remove(gone: string): void {
    slack.splice(
      slack.findIndex(({ ts }) => ts === gone),
      1,
    );
  }

  function tidy(record: RequestRecord, messageKey: MessageKey, to: Destination | undefined): Tidied {
    const fate = left.shift() ?? 'works';
    if (fate.startsWith('dies')) throw new Death();
    if (fate !== 'works') return { type: 'later', code: 'timeout' };
    const all = visible(record, messageKey, to);
    const standing = deliveryOf(record, messageKey);
    const recorded = standing?.status === 'posted' ? standing : undefined;
    const isElsewhere = to !== destinationOfReply(record, messageKey);
    const isThere = recorded && (isElsewhere || all.some(({ ts }) => ts === recorded.ts));
    const kept = isThere ? recorded : all[0] && { channel: record.channel, ts: all[0].ts };
    const copies = all.filter(({ ts }) => ts !== kept?.ts);
    for (const { ts } of copies) remove(ts);
    return { type: 'tidied', kept, removed: copies.length, linked: 0, voters: [], uncounted: [], left: [] };
  }

  const messenger: Messenger = {
    post: async (record, messageKey, guard) => post(record, messageKey, guard),
    async update(): Promise<Updating> {
      const fate = left.shift() ?? 'works';
      if (fate.startsWith('dies')) throw new Death();
      if (fate === 'refused') return { type: 'gone', code: 'message_not_found' };
      return fate === 'works' ? { type: 'posted' } : { type: 'doubtful', code: 'timeout' };
    },
    async find(record, messageKey): Promise<Found> {
      const [found] = visible(record, messageKey);
      return found ? { type: 'posted', channel: record.channel, ts: found.ts } : { type: 'absent' };
    },
    tidy: async (record, { messageKey, to }) => tidy(record, messageKey, to),
    readReactions: async () => ({ type: 'read', standing: [] }),
    readVoterRights: async () => ({ type: 'read', problems: new Map() }),
    async remove(_record, { ts }) {
      remove(ts);
      return true;
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
    wake() {},
    timings: TIMINGS,
  };

  const deps = (over: { store?: RequestStore; messenger?: Messenger } = {}) => ({
    store,
    messenger,
    calls: orders,
    limit: async () => NOW,
    timings: TIMINGS,
    owner: `life ${lives}`,
    log: silent,
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

  return {
    store,
    slack,
    /** The steps that have two messages. */
    doubled: () => {
      const keys = slack.map(({ key }) => key);
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
    create: async (record = queued()) => store.create(entryOf(record, TIMINGS)),
    recordEvent: async (event: ServiceEvent) =>
      (await recordEvent(eventDeps, { workspace: 'T1', kind: 'cancel_order', event })).result,
    /** Advances until nothing is pending, across deaths and waits. */
    async play(record = queued()): Promise<RequestRecord> {
      for (let rounds = 0; rounds < 500; rounds++) {
        await advance(deps(), record).catch((error) => {
          if (!(error instanceof Death)) throw error;
          lives += 1;
        });
        const next = nextEffect(await read(record), now, TIMINGS);
        if (next.type === 'nothing') return read(record);
        if (next.type === 'wait') now = Math.max(now, next.until ?? now);
      }
      throw new Error('the record never comes to rest');
    },
  };
}
