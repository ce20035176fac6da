/**
 * Promise 6: one workspace's backlog, rate limits and slowness hold nobody else's requests. The runner, the list of what
 * is due and the rate limiter are the real ones; time is not, so that what is compared are turns and not machines.
 */
import { beforeAll, expect, test } from 'vitest';
import { createRunner, type RunnerOptions } from '../../src/jobs/runner.ts';
import type { RecordRef } from '../../src/outbox/record-store.ts';
import { RequestRecord } from '../../src/requests/model/record.ts';
import { createRateLimiter } from '../../src/storage/rate-limiter.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry } from '../support/requests/records.ts';
import { databaseInMemory } from '../support/storage/empty-database.ts';
import { virtualTime } from '../support/time/virtual-time.ts';

const BUSY = 'T0';
const OTHERS = Array.from({ length: 99 }, (_, n) => `T${n + 1}`);
const BACKLOG = 5_000;

const SECOND = 1_000;
const REQUESTS_EACH = 12;
const EVERY_MS = 2 * SECOND;
/** The time that one record takes the process, which does one thing at a time. */
const TURN_MS = 0.1;
const CALL_MS = 200;
const SLOW_CALL_MS = 10 * SECOND;

type Run = { backlog: number; options?: Partial<RunnerOptions> };

/**
 * @returns how long each request of the others took, from when it was made: those that were triggered, and those that were
 * swept
 */
async function play({ backlog, options = {} }: Run) {
  const time = virtualTime();
  const database = databaseInMemory();
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, time.now);
  const limiter = createRateLimiter(time.now);
  const took = { triggered: [] as number[], swept: [] as number[] };
  const made = new Map<string, { at: number; by: keyof typeof took }>();

  let free = 0;
  const turn = () => {
    free = Math.max(free, time.exact()) + TURN_MS;
    return time.sleep(free - time.exact());
  };

  async function advance(ref: RecordRef): Promise<number | undefined> {
    await turn();
    if (!(await store.get(ref))) return undefined;
    const bucket = { workspace: ref.workspace, name: 'post', everyMs: 100, burst: 1 };
    const { ms } = await limiter.take(bucket, ref.id);
    if (ms > 0) {
      await store.postpone(ref, ms);
      return ms;
    }
    await time.sleep(ref.workspace === BUSY ? SLOW_CALL_MS : CALL_MS);
    await turn();
    await store.remove(ref);
    const request = made.get(ref.id);
    if (request) took[request.by].push(time.exact() - request.at);
    return undefined;
  }

  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() };
  const { due, postpone } = store;
  const about = (ref: RecordRef) => ref;
  const runner = createRunner({ runtime: time, due, postpone, about, log, options });
  const create = async (workspace: string, id: string) => {
    const entry = restingEntry(queued({ workspace, id, target: id }, time.now()));
    await store.create({ ...entry, slot: undefined, dueAt: time.now() });
    return { workspace, id };
  };

  runner.start(advance);
  for (let n = 0; n < backlog; n++) runner.wake(await create(BUSY, `backlog-${n}`));
  // As Slack says it to a bot that has posted too much.
  await limiter.pause({ workspace: BUSY, name: 'post' }, 3 * SECOND, 'rate_limited');
  OTHERS.forEach((workspace, n) => {
    for (let round = 0; round < REQUESTS_EACH; round++) {
      const at = round * EVERY_MS + (n * EVERY_MS) / OTHERS.length;
      // One in three lost its trigger, as in a crash: it is found among 5,000 that are due as well.
      const by = round % 3 === 0 ? 'swept' : 'triggered';
      const id = `${workspace}-${round}`;
      time.after(at, async () => {
        made.set(id, { at: time.exact(), by });
        const ref = await create(workspace, id);
        if (by === 'triggered') runner.wake(ref);
      });
    }
  });
  await time.passUntil(60 * SECOND);
  const left = await store.count(BUSY);
  void runner.stop();
  database.close();
  return { took, left };
}

function p99(all: readonly number[]): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

const COUNTS = { triggered: OTHERS.length * 8, swept: OTHERS.length * 4 };

let without: Awaited<ReturnType<typeof play>>;
beforeAll(async () => {
  without = await play({ backlog: 0 });
});

test('a backlog of 5,000, rate-limited and slow, moves the p99 of 99 other workspaces by less than a tenth', async () => {
  const beside = await play({ backlog: BACKLOG });
  // It is being worked on, and not over soon.
  expect(beside.left).toBeGreaterThan(BACKLOG / 2);
  expect(beside.left).toBeLessThan(BACKLOG);
  for (const by of ['triggered', 'swept'] as const) {
    expect([without.took[by].length, beside.took[by].length]).toEqual([COUNTS[by], COUNTS[by]]);
    expect(p99(beside.took[by]) / p99(without.took[by])).toBeLessThan(1.1);
  }
});

test('without a share for each workspace it would move: the figures tell the two apart', async () => {
  const beside = await play({ backlog: BACKLOG, options: { share: 128 } });
  expect(p99(beside.took.triggered) / p99(without.took.triggered)).toBeGreaterThan(2);
});
