import { expect, test } from 'vitest';
import { createLimitedCalls } from '../../slack/api/limits.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { openSlackDesk } from '../support/slack-desk.ts';

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
] as const)('tier %i takes %i calls at once, then one every so often', (tier, calls, waitSeconds) => {
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
  const { post, call, slack } = await openSlackDesk({ limits, now: time.now });
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
  const { slack, post } = await openSlackDesk({ limits: { postsOfWorkspace: 3 }, now: time.now });
  slack.admin.invite(partners, slack.installation().bot_user_id);
  for (const channel of [support, partners, support]) expect((await post({ channel })).ok).toBe(true);
  await expect(post({ channel: partners })).rejects.toMatchObject({ retryAfter: 20 });
  time.pass(20);
  expect((await post({ channel: partners })).ok).toBe(true);
});

test('a post that its channel has no room for takes nothing of the workspace', () => {
  const time = clock();
  const limits = createLimitedCalls({ posts: { burst: 1, perSecond: 1 }, postsOfWorkspace: 2 }, time.now);
  const post = (channel: string) =>
    limits.take({ team: 'T', method: 'chat.postMessage', tier: 'post', channel });
  expect([post('C1'), post('C1'), post('C1'), post('C2')]).toEqual([undefined, 1, 1, undefined]);
});

test('each workspace has limits of its own', async () => {
  const limits = { methods: { 'users.list': 1 } };
  const { call, slack } = await openSlackDesk({ limits });
  const other = slack.admin.install(SEED.otherTeam);
  expect((await call('users.list')).ok).toBe(true);
  await expect(call('users.list')).rejects.toMatchObject({ retryAfter: 60 });
  expect((await call('users.list', {}, other.token)).ok).toBe(true);
});
