import { expect, test } from 'vitest';
import { createUnsignedEvents } from '../../../src/order-service/webhook/unsigned-events.ts';

const MINUTE = 60_000;
const MINE = { workspace: 'T1', generation: 'g1' };

function setUp() {
  const clock = { now: 0 };
  const told: string[] = [];
  const storage = { isAway: false };
  const logged: string[] = [];
  const fail = createUnsignedEvents({
    tell: async ({ workspace }) => {
      if (storage.isAway) throw new Error('away');
      told.push(workspace);
    },
    monotonic: () => clock.now,
    log: { debug() {}, info() {}, warn() {}, error: (_fields, message) => void logged.push(message) },
  });
  const failAt = async (...minutes: number[]) => {
    for (const minute of minutes) {
      clock.now = minute * MINUTE;
      await fail(MINE);
    }
    return told.length;
  };
  return { fail, failAt, told, storage, logged };
}

test('the admins are told after the third failure within an hour', async () => {
  const { failAt } = setUp();
  expect(await failAt(0, 30)).toBe(0);
  expect(await failAt(61)).toBe(0);
  expect(await failAt(62)).toBe(1);
});

test('the admins are told once an hour, however many there are', async () => {
  const { failAt } = setUp();
  expect(await failAt(...Array.from({ length: 60 }, (_, minute) => minute))).toBe(1);
  expect(await failAt(61)).toBe(1);
  expect(await failAt(62)).toBe(2);
});

test('failures of one workspace are not those of another', async () => {
  const { fail, told } = setUp();
  for (const workspace of ['T1', 'T2', 'T3', 'T1', 'T2', 'T1']) await fail({ ...MINE, workspace });
  expect(told).toEqual(['T1']);
});

test('failures of a former connection are not those of the next one', async () => {
  const { fail, told } = setUp();
  for (const generation of ['g1', 'g1', 'g2', 'g2']) await fail({ ...MINE, generation });
  expect(told).toEqual([]);
});

test('the admins are told at the next failure where that was not possible', async () => {
  const { failAt, storage, logged } = setUp();
  storage.isAway = true;
  expect(await failAt(0, 1, 2)).toBe(0);
  expect(logged).toEqual(['admins not told of wrong signatures']);
  storage.isAway = false;
  expect(await failAt(3)).toBe(1);
});
