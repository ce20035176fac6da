import { describe, expect, test } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT } from '../../support/slack-harness.ts';

/**
 * Opens a harness whose app is distributed outside the Marketplace, with a thread and more messages than it may read at
 * once.
 */
async function openLimitedHarness() {
  let at = 1_700_000_000_000;
  const limits = { posts: { burst: 100, perSecond: 100 } };
  const harness = await openSlackHarness({ outsideMarketplace: true, limits, now: () => at });
  const { ts } = await harness.post({ text: 'Parent' });
  for (let n = 1; n <= 20; n += 1) await harness.post({ text: `Reply ${n}`, thread_ts: ts });
  for (let n = 1; n <= 20; n += 1) await harness.post({ text: `Message ${n}` });
  return {
    ...harness,
    history: (args: object = {}) => harness.call('conversations.history', { channel: SUPPORT, ...args }),
    replies: (args: object = {}) => harness.call('conversations.replies', { channel: SUPPORT, ts, ...args }),
    pass: (seconds: number) => {
      at += seconds * 1000;
    },
  };
}

describe('an app that is distributed commercially outside the Marketplace', () => {
  test('reads a history once a minute, and is told to wait for the rest of it', async () => {
    const { history, pass } = await openLimitedHarness();
    expect((await history()).ok).toBe(true);
    pass(45);
    await expect(history()).rejects.toMatchObject({ retryAfter: 15 });
    pass(15);
    expect((await history()).ok).toBe(true);
  });

  test('has a call a minute of conversations.replies besides, and no limit on other methods', async () => {
    const { call, history, replies } = await openLimitedHarness();
    expect((await history()).ok).toBe(true);
    expect((await replies()).ok).toBe(true);
    await expect(replies()).rejects.toMatchObject({ retryAfter: 60 });
    for (let n = 0; n < 10; n += 1)
      expect((await call('conversations.info', { channel: SUPPORT })).ok).toBe(true);
  });

  test('has that call in each workspace', async () => {
    const { slack, call, history } = await openLimitedHarness();
    const other = slack.admin.install(SEED.otherTeam);
    const channel = slack.admin.addChannel({
      team_id: SEED.otherTeam,
      name: 'desk',
      members: [other.bot_user_id],
    });
    expect((await history()).ok).toBe(true);
    expect((await call('conversations.history', { channel: channel.id }, other.token)).ok).toBe(true);
    await expect(history()).rejects.toMatchObject({ retryAfter: 60 });
  });

  test.each([{}, { limit: 200 }])('gets 15 messages a page when it asks for %o', async (args) => {
    const { history, pass } = await openLimitedHarness();
    const first = await history(args);
    expect(first.messages).toHaveLength(15);
    expect(first.has_more).toBe(true);
    pass(60);
    const second = await history({ ...args, cursor: first.response_metadata.next_cursor });
    expect(second.messages.map(({ text }) => text)).toEqual([
      'Message 5',
      'Message 4',
      'Message 3',
      'Message 2',
      'Message 1',
      'Parent',
    ]);
    expect(second.response_metadata.next_cursor).toBe('');
  });

  test('gets 15 messages of a thread, the parent being one of them on every page', async () => {
    const { replies, pass } = await openLimitedHarness();
    const first = await replies({ limit: 200 });
    expect(first.messages).toHaveLength(15);
    pass(60);
    const second = await replies({ limit: 200, cursor: first.response_metadata.next_cursor });
    expect(second.messages.map(({ text }) => text)).toEqual([
      'Parent',
      ...[15, 16, 17, 18, 19, 20].map((n) => `Reply ${n}`),
    ]);
  });

  test('is served like any other once it is in the Marketplace', async () => {
    const { slack, history } = await openLimitedHarness();
    await history();
    slack.admin.setApp({ outsideMarketplace: false });
    expect((await history({ limit: 200 })).messages).toHaveLength(21);
  });
});

describe('short pages', () => {
  test('hold so many items in turn, and a cursor while anything is left', async () => {
    const { call, post } = await openSlackHarness({ shortPages: [2, 0, 1] });
    for (const text of ['a', 'b', 'c', 'd', 'e']) await post({ text });
    const pages: string[] = [];
    for (let cursor: string | undefined; cursor !== ''; ) {
      const answer = await call('conversations.history', { channel: SUPPORT, limit: 200, cursor });
      pages.push(answer.messages.map(({ text }) => text).join(''));
      cursor = answer.response_metadata.next_cursor;
      expect(answer.has_more).toBe(cursor !== '');
    }
    expect(pages).toEqual(['ed', '', 'c', 'ba']);
  });

  test('come in every list, and never hold more than was asked for', async () => {
    const { slack, call } = await openSlackHarness();
    slack.admin.setApp({ shortPages: [3] });
    const members = async (limit: number) => (await call('users.list', { limit })).members;
    expect(await members(200)).toHaveLength(3);
    expect(await members(2)).toHaveLength(2);
    slack.admin.setApp({ shortPages: [] });
    expect((await members(200)).length).toBeGreaterThan(3);
  });
});
