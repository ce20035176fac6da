import { expect, test } from 'vitest';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { createUnsignedEvents, UnsignedEventsRecord } from '../../src/workspaces/unsigned-events.ts';
import { databaseInMemory } from '../support/storage/empty-database.ts';

const MINUTE = 60_000;
const MINE = { workspace: 'T1', generation: 'g1' };

function setUp() {
  const clock = { now: 0 };
  const told: string[] = [];
  const storage = { isAway: false, reads: 0, writes: 0 };
  const logged: string[] = [];
  const stored = createSqliteRecordStore(
    databaseInMemory(),
    'unsigned_events',
    UnsignedEventsRecord,
    () => clock.now,
  );
  const records: typeof stored = {
    ...stored,
    get: async (...given) => {
      storage.reads++;
      return stored.get(...given);
    },
    create: async (...given) => {
      storage.writes++;
      return stored.create(...given);
    },
    update: async (...given) => {
      storage.writes++;
      return stored.update(...given);
    },
  };
  /** A process of the bot; all of them have one storage. */
  const start = () =>
    createUnsignedEvents({
      records,
      // A notification has an id of its time, so that it is stored once.
      tell: async ({ workspace, since }) => {
        if (storage.isAway) throw new Error('away');
        if (!told.includes(`${workspace} ${since}`)) told.push(`${workspace} ${since}`);
      },
      monotonic: () => clock.now,
      log: { debug() {}, info() {}, warn() {}, error: (_fields, message) => void logged.push(message) },
    });
  const fail = start();
  const failAt = async (...minutes: number[]) => {
    for (const minute of minutes) {
      clock.now = minute * MINUTE;
      await fail(MINE);
    }
    return told.length;
  };
  return { clock, fail, failAt, start, told, storage, logged, stored };
}

test('the admins are told after the third failure within an hour', async () => {
  const { failAt } = setUp();
  expect(await failAt(0, 30)).toBe(0);
  expect(await failAt(61)).toBe(0);
  expect(await failAt(62)).toBe(1);
});

test('the admins are told after the third failure, whichever processes it reaches', async () => {
  const { start, told } = setUp();
  for (const process of [start(), start(), start()]) await process(MINE);
  expect(told).toEqual(['T1 0']);
});

test('the admins are told once where many fail at the same moment, at all processes', async () => {
  const { start, told } = setUp();
  const processes = [start(), start(), start()];
  await Promise.all(Array.from({ length: 30 }, (_, n) => processes[n % 3]?.(MINE)));
  expect(told).toEqual(['T1 0']);
});

test('the admins are told once an hour, however many there are', async () => {
  const { failAt } = setUp();
  expect(await failAt(...Array.from({ length: 60 }, (_, minute) => minute))).toBe(1);
  expect(await failAt(61)).toBe(1);
  expect(await failAt(62, 63, 64)).toBe(2);
});

test('at most three failures an hour are stored, in one record, and nothing is read once the admins are told', async () => {
  const { fail, failAt, storage, stored } = setUp();
  await failAt(...Array.from({ length: 60 }, (_, minute) => minute));
  for (let i = 0; i < 1_000; i++) await fail(MINE);
  expect(storage).toMatchObject({ reads: 3, writes: 3 });
  expect(await stored.count('T1')).toBe(1);
});

test('failures of one workspace are not those of another', async () => {
  const { fail, told } = setUp();
  for (const workspace of ['T1', 'T2', 'T3', 'T1', 'T2', 'T1']) await fail({ ...MINE, workspace });
  expect(told).toEqual(['T1 0']);
});

test('failures of a former connection are not those of the next one', async () => {
  const { fail, told } = setUp();
  for (const generation of ['g1', 'g1', 'g2', 'g2']) await fail({ ...MINE, generation });
  expect(told).toEqual([]);
});

test('the admins are told of the next connection, also within the hour after they were told of a former one', async () => {
  const { fail, failAt, told, clock } = setUp();
  expect(await failAt(0, 1, 2)).toBe(1);
  clock.now = 3 * MINUTE;
  for (let n = 0; n < 3; n++) await fail({ ...MINE, generation: 'g2' });
  expect(told).toEqual(['T1 0', `T1 ${3 * MINUTE}`]);
});

test('the admins are told at the next failure where that was not possible', async () => {
  const { failAt, storage, logged } = setUp();
  storage.isAway = true;
  expect(await failAt(0, 1, 2)).toBe(0);
  expect(logged).toEqual(['event without a valid signature not counted']);
  storage.isAway = false;
  expect(await failAt(3)).toBe(1);
});

test('admins are told though the clock was a day ahead when they were told before', async () => {
  const { failAt, start, told } = setUp();
  const DAY = 24 * 60;
  expect(await failAt(DAY, DAY, DAY)).toBe(1);
  await failAt(1);
  const afterRestart = start();
  for (let n = 0; n < 3; n++) await afterRestart(MINE);
  expect(told).toHaveLength(2);
});
