import { describe, expect, test } from 'vitest';
import {
  afterLateUpdate,
  afterUpdate,
  type Message,
  newUpkeep,
  type Upkeep,
  updateAtOf,
  withPlace,
} from '../../src/outbox/message.ts';

const NOW = 1_000_000;
const FIRST_REVISION = 1;
const shown = { ...newUpkeep(NOW), shown: 7 };

test('a new message owes an update for the first revision', () => {
  expect(updateAtOf(newUpkeep(NOW), FIRST_REVISION)).toBe(NOW);
});

test('a message whose update was overtaken owes another one, whichever revision it showed', () => {
  const overtaken = afterLateUpdate(shown, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
  expect(updateAtOf(overtaken, FIRST_REVISION)).toBe(NOW);
});

describe('an update that Slack refuses', () => {
  const tried = (upkeep: Upkeep, type: 'kept' | 'posted' | 'later', rendered: number, now: number) =>
    afterUpdate(
      upkeep,
      { type, code: 'edit_window_closed' },
      { rendered, startedAt: now, now, appearMs: 300_000, apartMs: 1_000 },
    );

  test('is tried again after a second, then after twice as long each time, later each day, for a week', () => {
    let upkeep: Upkeep = newUpkeep(NOW);
    const tries: number[] = [];
    for (let at: number | undefined = NOW; at !== undefined; at = updateAtOf(upkeep, 2)) {
      tries.push((at - NOW) / 1_000);
      upkeep = tried(upkeep, 'kept', 2, at);
    }
    expect(tries.slice(0, 6)).toEqual([0, 1, 2, 4, 8, 16]);
    const days = tries.map((seconds) => seconds / 86_400);
    expect(days.findLast((day) => day < 1)).toBeCloseTo(0.76);
    expect(days.filter((day) => day >= 1).map(Math.floor)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('is tried at once where there is a newer revision, or may be an older one, and after a backoff where Slack fails', () => {
    const refused = tried(tried(shown, 'kept', 8, NOW), 'kept', 8, NOW + 60_000);
    expect(updateAtOf(refused, 8)).toBe(NOW + 120_000);
    expect(updateAtOf(refused, 9)).toBe(NOW + 61_000);
    expect(updateAtOf(tried(refused, 'later', 8, NOW + 120_000), 8)).toBe(NOW + 121_000);
    const overtaken = afterLateUpdate(refused, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
    expect(updateAtOf(overtaken, 8)).toBe(NOW + 61_000);
  });

  test('is tried for a week again where it is of a newer revision', () => {
    const later = NOW + 6 * 24 * 60 * 60_000;
    const newer = tried(tried(shown, 'kept', 8, NOW), 'kept', 9, later);
    expect(updateAtOf(newer, 9)).toBe(later + 1_000);
  });

  test('is over once Slack takes one', () => {
    const refused = tried(shown, 'kept', 8, NOW);
    expect(updateAtOf(tried(refused, 'posted', 8, NOW + 1_000), 8)).toBeUndefined();
  });
});

test('a message whose place another copy has taken owes an update, and has its destination', () => {
  const message = {
    key: 'card',
    at: NOW,
    delivery: { status: 'posted' as const, channel: 'C1', ts: '1.1' },
    to: 'thread' as const,
    upkeep: shown,
  } satisfies Message;
  const location = { channel: 'C2', ts: '2.2' };
  const placed = withPlace(message, location, 'requester');
  expect(placed).toMatchObject({ location, to: 'requester' });
  expect(updateAtOf(placed.upkeep ?? shown, FIRST_REVISION)).toBe(NOW);
  expect(withPlace(message, location, undefined).to).toBeUndefined();
});
