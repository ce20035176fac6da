import { expect, test } from 'vitest';
import { createRoomForEvents } from '../../src/workspaces/room-for-events.ts';

const MINUTE = 60_000;

function setUp(stored: Record<string, number>) {
  const clock = { now: 0 };
  const counted: string[] = [];
  const count = async (workspace: string) => {
    counted.push(workspace);
    return stored[workspace] ?? 0;
  };
  return {
    clock,
    counted,
    hasRoom: createRoomForEvents({ notices: { count }, monotonic: () => clock.now }, 5),
  };
}

test('a workspace has room for events until it has so many notices, and others have their own', async () => {
  const { hasRoom } = setUp({ T1: 3 });
  const asked: boolean[] = [];
  for (let n = 0; n < 4; n++) asked.push(await hasRoom('T1'));
  expect(asked).toEqual([true, true, false, false]);
  expect(await hasRoom('T2')).toBe(true);
});

test('a workspace has room again once its old notices are removed', async () => {
  const stored = { T1: 5 };
  const { hasRoom, clock } = setUp(stored);
  expect(await hasRoom('T1')).toBe(false);
  stored.T1 = 4;
  clock.now += MINUTE + 1;
  expect(await hasRoom('T1')).toBe(true);
});

test('the notices of a workspace are counted once a minute, however many events come', async () => {
  const { hasRoom, clock, counted } = setUp({ T1: 1 });
  for (let n = 0; n < 100; n++) await hasRoom('T1');
  clock.now += MINUTE + 1;
  await hasRoom('T1');
  expect(counted).toEqual(['T1', 'T1']);
});
