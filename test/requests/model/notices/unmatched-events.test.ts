import { describe, expect, test } from 'vitest';
import type { Notice, UnmatchedEvents } from '../../../../src/requests/model/notices/notice.ts';
import {
  applyNoticeResult,
  applyNoticeTidy,
  applyNoticeUpdate,
  pendingNoticeEffects,
} from '../../../../src/requests/model/notices/notice-effects.ts';
import {
  countEvent,
  isCurrentHour,
  newHour,
} from '../../../../src/requests/model/notices/unmatched-events.ts';
import { time } from '../../../../src/slack/blocks/text.ts';
import { noticeMessage } from '../../../../src/slack/messages/content/notice.ts';
import { T0 } from '../../../support/requests/records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function counting(times: number, hour = newHour('T1', 'C1', undefined, T0), now = T0): UnmatchedEvents {
  return Array.from({ length: times }).reduce<UnmatchedEvents>((next) => countEvent(next, now).hour, hour);
}

const shownIn = (hour: UnmatchedEvents, shown: number): UnmatchedEvents => ({
  ...hour,
  shown,
  delivery: { status: 'posted', channel: 'C1', ts: '1.0' },
});

/** The effect that is due first. */
const nextOf = (hour: Notice) =>
  pendingNoticeEffects(hour).toSorted((one, other) => one.at - other.at)[0]?.effect.type;

describe('the count of unmatched events', () => {
  test('owes a message once there are more than five, and an update for each further one', () => {
    expect(nextOf(counting(5))).toBe('remove');
    expect(nextOf(counting(6))).toBe('post');
    expect(nextOf(shownIn(counting(6), 1))).toBe('remove');
    expect(nextOf(shownIn(counting(7), 1))).toBe('update');
  });

  test('is updated if another copy of its message stays: nobody knows how many that one shows', () => {
    const shown = shownIn(counting(6), 1);
    const rest = { removed: 1, linked: 0, voters: [], uncounted: [], left: [] };
    const tidied = (kept: { channel: string; ts: string } | undefined) =>
      nextOf(applyNoticeTidy(shown, { type: 'tidied', kept, ...rest }, T0));
    expect(tidied({ channel: 'C1', ts: '2.0' })).toBe('update');
    expect(tidied(undefined)).toBe('remove');
  });

  test('says since when it counts, also where the clock was set back since the former hour', () => {
    const counted = counting(6, newHour('T1', 'C1', counting(1), T0 - 30_000), T0 - 30_000);
    expect(noticeMessage(counting(6)).text).toContain(`(since ${time(T0)})`);
    expect(noticeMessage(counted).text).toContain(`(since ${time(T0 - 30_000)})`);
  });

  test('is tried again after a second where Slack refuses it, however late in its hour, and then for a week', () => {
    const owed = countEvent(counting(5), T0 + 50 * MINUTE).hour;
    const tries: number[] = [];
    let [next, now]: [Notice, number] = [owed, T0 + 50 * MINUTE];
    while (next.delivery.status === 'owed') {
      tries.push(now);
      const attempt = { since: now, until: now, now, doubtMs: 30_000, appearMs: 5 * MINUTE };
      next = applyNoticeResult(next, { type: 'refused', code: 'ekm_access_denied' }, attempt);
      now = next.delivery.status === 'owed' ? next.delivery.notBefore : now;
    }
    expect(tries.slice(0, 4).map((at) => (at - T0) / 1_000 - 50 * 60)).toEqual([0, 1, 2, 4]);
    expect(Math.floor((now - T0) / (7 * 24 * HOUR))).toBe(1);
  });

  test('does not grow with the events', () => {
    expect(counting(10_000)).toMatchObject({ summed: 9_995 });
    expect(JSON.stringify(counting(10_000)).length).toBeLessThan(5_000);
  });

  test('is of the newest hour, also where the clock was set back and the channel changed', () => {
    const former = counting(1);
    const [now, later] = [T0 - 30_000, T0 + 150_000];
    const next = newHour('T1', 'C2', former, now);
    expect(next.at).toBeGreaterThan(former.at);
    expect(isCurrentHour(next, 'C2', now)).toBe(true);
    expect(isCurrentHour(next, 'C2', later)).toBe(true);
    const dayBefore = T0 - 24 * HOUR;
    expect(isCurrentHour(next, 'C2', dayBefore)).toBe(false);
    expect(isCurrentHour(newHour('T1', 'C2', next, dayBefore), 'C2', dayBefore + 60_000)).toBe(true);
    expect(countEvent(counting(5), T0 - 24 * HOUR).how).toBe('posted');
  });

  test('begins anew after an hour, and in another channel, and never posts more than five within an hour', () => {
    const late = T0 + HOUR - 1;
    const busy = counting(5, newHour('T1', 'C1', undefined, T0), late);
    expect([
      isCurrentHour(busy, 'C1', late),
      isCurrentHour(busy, 'C1', T0 + HOUR),
      isCurrentHour(busy, 'C2', late),
    ]).toEqual([true, false, false]);
    const next = newHour('T1', 'C1', busy, T0 + HOUR);
    expect(next.id).not.toBe(busy.id);
    expect(counting(1, next, T0 + HOUR).summed).toBe(1);
    expect(counting(1, newHour('T1', 'C1', busy, late + HOUR), late + HOUR).summed).toBe(0);
  });

  test('is updated again after an update in doubt, and not once its message is gone', () => {
    const hour = shownIn(counting(7), 1);
    const updating = { rendered: 2, startedAt: T0, now: T0, appearMs: 1_000, apartMs: 1_000 };
    const doubtful = applyNoticeUpdate(hour, { type: 'doubtful', code: 'timeout' }, updating);
    expect(nextOf(doubtful)).toBe('update');
    const gone = applyNoticeUpdate(hour, { type: 'gone', code: 'message_not_found' }, updating);
    expect(nextOf(gone)).toBe('remove');
  });
});
