import { describe, expect, test } from 'vitest';
import { createLimitedCalls } from '../../../slack/api/limits.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT } from '../../support/slack-harness.ts';
import { testWith } from '../../support/test-with.ts';

const clock = () => {
  let at = 1_700_000_000_000;
  return {
    now: () => at,
    pass: (seconds: number) => {
      at += seconds * 1000;
    },
  };
};

test.each([
  [1, 1, 60],
  [2, 20, 3],
  [3, 50, 2],
  [4, 100, 1],
] as const)('tier %i takes %i calls at once, then one every %i s', (tier, calls, waitSeconds) => {
  const time = clock();
  const limits = createLimitedCalls({}, time.now);
  const call = { team: 'T', method: 'some.method', tier };
  for (let n = 0; n < calls; n += 1) expect(limits.take(call)).toBeUndefined();
  expect(limits.take(call)).toBe(waitSeconds);
  time.pass(waitSeconds);
  expect(limits.take(call)).toBeUndefined();
});

test('posts are limited by channel; other channels and methods go on', async () => {
  const time = clock();
  const limits = { posts: { burst: 2, perSecond: 1 } };
  const { post, call, slack } = await openSlackHarness({ limits, now: time.now });
  slack.admin.invite(SEED.channels.partners, slack.installation().bot_user_id);
  await post({});
  await post({});
  await expect(post({})).rejects.toMatchObject({ retryAfter: 1 });
  expect((await post({ channel: SEED.channels.partners })).ok).toBe(true);
  expect((await call('users.list')).ok).toBe(true);
  time.pass(1);
  expect((await post({})).ok).toBe(true);
  expect(slack.messages('#support')).toHaveLength(3);
});

test('posts to all channels of a workspace together are limited, too', async () => {
  const time = clock();
  const { support, partners } = SEED.channels;
  const { slack, post } = await openSlackHarness({ limits: { postsOfWorkspace: 3 }, now: time.now });
  slack.admin.invite(partners, slack.installation().bot_user_id);
  for (const channel of [support, partners, support]) expect((await post({ channel })).ok).toBe(true);
  await expect(post({ channel: partners })).rejects.toMatchObject({ retryAfter: 20 });
  time.pass(20);
  expect((await post({ channel: partners })).ok).toBe(true);
});

test('a post over the limit of its channel does not count for the workspace', () => {
  const time = clock();
  const limits = createLimitedCalls({ posts: { burst: 1, perSecond: 1 }, postsOfWorkspace: 2 }, time.now);
  const post = (channel: string) =>
    limits.take({ team: 'T', method: 'chat.postMessage', tier: 'post', channel });
  expect([post('C1'), post('C1'), post('C1'), post('C2')]).toEqual([undefined, 1, 1, undefined]);
});

test('each workspace has limits of its own', async () => {
  const limits = { methods: { 'users.list': 1 } };
  const { call, slack } = await openSlackHarness({ limits });
  const other = slack.admin.install(SEED.otherTeam);
  expect((await call('users.list')).ok).toBe(true);
  await expect(call('users.list')).rejects.toMatchObject({ retryAfter: 60 });
  expect((await call('users.list', {}, other.token)).ok).toBe(true);
});

/** Opens a harness whose app is distributed outside the Marketplace, with a thread and more messages than it may read at once. */
async function openLimitedHarness() {
  const { now, pass } = clock();
  const limits = { posts: { burst: 100, perSecond: 100 } };
  const harness = await openSlackHarness({ outsideMarketplace: true, limits, now });
  const { ts } = await harness.post({ text: 'Parent' });
  for (let n = 1; n <= 20; n += 1) await harness.post({ text: `Reply ${n}`, thread_ts: ts });
  for (let n = 1; n <= 20; n += 1) await harness.post({ text: `Message ${n}` });
  return {
    ...harness,
    history: (args: object = {}) => harness.call('conversations.history', { channel: SUPPORT, ...args }),
    replies: (args: object = {}) => harness.call('conversations.replies', { channel: SUPPORT, ts, ...args }),
    pass,
  };
}

describe('an app that is distributed commercially outside the Marketplace', () => {
  const test = testWith(openLimitedHarness, ['history', 'replies', 'pass', 'slack']);

  test('reads a history once a minute, and is told to wait for the rest of it', async ({ history, pass }) => {
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

  test.for([{}, { limit: 200 }])(
    'gets 15 messages a page when it asks for %o',
    async (args, { history, pass }) => {
      const first = await history(args);
      expect(first.messages).toHaveLength(15);
      expect(first.has_more).toBe(true);
      pass(60);
      const second = await history({ ...args, cursor: first.response_metadata.next_cursor });
      const rest = [5, 4, 3, 2, 1].map((n) => `Message ${n}`);
      expect(second.messages.map(({ text }) => text)).toEqual([...rest, 'Parent']);
      expect(second.response_metadata.next_cursor).toBe('');
    },
  );

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

  test('is served like any other once it is in the Marketplace', async ({ slack, history }) => {
    await history();
    slack.admin.setApp({ outsideMarketplace: false });
    expect((await history({ limit: 200 })).messages).toHaveLength(21);
  });
});

describe('short pages', () => {
  test('hold the given numbers of items in turn, and a cursor while anything is left', async () => {
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
