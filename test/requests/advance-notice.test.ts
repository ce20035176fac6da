import { describe, expect, test } from 'vitest';
import { type AdvanceNoticeDeps, advanceNotice } from '../../src/requests/advance-notice.ts';
import { TIMINGS } from '../../src/requests/agenda.ts';
import type { Posting } from '../../src/requests/delivery.ts';
import { type NewNotice, Notice, newNotice, noticeEntry } from '../../src/requests/notice.ts';
import { NOW } from '../../src/requests/turns.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { event, T0 } from '../support/records.ts';

const DAY = 24 * 60 * 60_000;
const KEPT = 30 * DAY;

/** One notice, and a Slack that always answers the same. */
async function keep(answer: Posting, given: Partial<NewNotice> = {}) {
  let now = T0;
  let posts = 0;
  const errors: object[] = [];
  const notices = createSqliteRecordStore(openDatabase(':memory:'), 'notices', Notice, () => now);
  const notice = newNotice(
    { workspace: 'T1', kind: 'cancel_order', event: event(), channel: 'C1', ...given },
    now,
  );
  await notices.create(noticeEntry(notice));
  const deps: AdvanceNoticeDeps = {
    notices,
    notifier: {
      post: async () => {
        posts += 1;
        return answer;
      },
      find: async () => ({ type: 'absent' }),
      addressees: async () => ({ type: 'found', people: [] }),
    },
    trigger() {},
    isInForce: async () => true,
    turn: async () => NOW,
    timings: TIMINGS,
    owner: 'o',
    stopping: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {}, error: (fields) => void errors.push(fields) },
  };
  return {
    errors,
    posts: () => posts,
    isDue: async () => (await notices.due(1)).length === 1,
    read: async () => (await notices.get(notice))?.record,
    advance: () => advanceNotice(deps, notice),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('a notice', () => {
  test.each<[string, Posting, Partial<NewNotice>]>([
    ['was posted', { type: 'posted', channel: 'C1', ts: '1.0' }, {}],
    ['could not be posted', { type: 'refused', code: 'is_archived' }, {}],
    ['had no channel', { type: 'refused', code: 'never_asked' }, { channel: undefined }],
    ['is still tried, with a token that was revoked', { type: 'later', code: 'token_revoked' }, {}],
    ['may have been posted', { type: 'doubtful', code: 'timeout' }, {}],
  ])('that %s is removed after 30 days', async (_name, answer, given) => {
    const kept = await keep(answer, given);
    let left = 0;
    for (let passed = 0; passed < KEPT; passed += left) {
      left = Math.min((await kept.advance()) ?? KEPT, KEPT - passed);
      expect(left).toBeGreaterThan(0);
      // A month of tries, a minute each: the first of them and the last are enough here.
      if (passed > DAY) left = Math.max(left, KEPT - passed - 2 * 60_000);
      kept.pass(left);
    }
    expect(await kept.read()).toBeDefined();
    expect(await kept.isDue()).toBe(true);
    expect(await kept.advance()).toBeUndefined();
    expect(await kept.read()).toBeUndefined();
  });

  test('that nobody could tell for 30 days is not told any more', async () => {
    const kept = await keep({ type: 'posted', channel: 'C1', ts: '1.0' });
    kept.pass(KEPT + DAY);
    await kept.advance();
    expect([kept.posts(), await kept.read()]).toEqual([0, undefined]);
  });

  test('that is given up is in the log as an error', async () => {
    const kept = await keep({ type: 'refused', code: 'not_in_channel' });
    await kept.advance();
    expect(kept.errors).toMatchObject([{ workspace: 'T1', channel: 'C1', code: 'not_in_channel' }]);
  });

  test('that is tried again, or was posted, is no error', async () => {
    for (const answer of [
      { type: 'later', code: 'ratelimited' },
      { type: 'posted', channel: 'C1', ts: '1.0' },
    ] as const) {
      const kept = await keep(answer);
      await kept.advance();
      expect(kept.errors).toEqual([]);
    }
  });
});
