import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import {
  createSlackRateLimits,
  type LimitedEffect,
  NOTHING_TAKEN,
} from '../../../src/slack/client/rate-limits.ts';
import { limitedEffect } from '../../../src/slack/messages/messenger.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import { REQUEST, T0, withRepliesTo } from '../../support/requests/records.ts';

const POST = { method: 'chat.postMessage', channel: 'C1' };
const LIMITED = { status: 429, headers: { 'retry-after': '7' }, body: '' };

const limitsAt = (clock: () => number) =>
  createSlackRateLimits(createRateLimiter(clock), { postsPerMinute: 60 }, SILENT);
const effect = (main = NOTHING_TAKEN, workspace = 'T1') => ({ workspace, who: 'an effect', main });

test('a 429 pauses its method, for posts in its channel alone, for as long as Slack asks', async () => {
  let now = 0;
  const limits = limitsAt(() => now);
  await limits.pauseAfter('T1', POST, LIMITED);
  const waits = async () => [
    (await limits.takeForMainCall(effect(POST))).ms,
    (await limits.takeForMainCall(effect({ ...POST, channel: 'C2' }))).ms,
    (await limits.takeForMainCall(effect({ method: 'chat.update', channel: '' }))).ms,
    (await limits.takeForMainCall(effect(POST, 'T2'))).ms,
  ];
  expect(await waits()).toEqual([7_000, 0, 0, 0]);
  now = 7_000;
  expect(await waits()).toEqual([0, 0, 0, 0]);
});

test('a workspace posts no more than 300 messages in its first minute, in however many channels', async () => {
  let now = 0;
  const limits = limitsAt(() => now);
  let posted = 0;
  const waiting = new Map(Array.from({ length: 400 }, (_, n) => [n, 0]));
  for (; now < 60_000; now += 100)
    for (const [n, until] of waiting) {
      if (until > now) continue;
      const main = { ...POST, channel: `C${n % 100}` };
      const { ms } = await limits.takeForMainCall({ workspace: 'T1', who: `effect ${n}`, main });
      if (ms > 0) waiting.set(n, now + ms);
      else posted += Number(waiting.delete(n));
    }
  expect(posted).toBeGreaterThan(290);
  expect(posted).toBeLessThanOrEqual(300);
  expect(await limits.takeForMainCall(effect(POST, 'T2'))).toEqual({ ms: 0 });
});

test.for([
  ['another answer', { ...LIMITED, status: 200 }],
  ['a 429 without a time', { ...LIMITED, headers: {} }],
  ['a 429 with an unreadable time', { ...LIMITED, headers: { 'retry-after': 'soon' } }],
] as const)('%s pauses nothing', async ([, answer]) => {
  const limits = limitsAt(() => 0);
  await limits.pauseAfter('T1', POST, answer);
  expect(await limits.takeForMainCall(effect(POST))).toMatchObject({ ms: 0 });
});

test('a 429 on a method for which no effect takes a token holds nothing up, and is not told as a pause', async () => {
  const limiter = createRateLimiter(() => 0);
  const limits = createSlackRateLimits(limiter, { postsPerMinute: 60 }, SILENT);
  await limits.pauseAfter('T1', { method: 'users.conversations', channel: '' }, LIMITED);
  expect(await limiter.pauses('T1')).toEqual([]);
});

test('an effect makes its main call once with the token it has taken, and takes one for each other call', async () => {
  const limits = limitsAt(() => 0);
  const admit = limits.takeForOtherCalls(effect(POST));
  await limits.pauseAfter('T1', POST, LIMITED);
  await admit(POST);
  await expect(admit(POST)).rejects.toMatchObject({ code: 'ratelimited', retryAfterMs: 7_000 });
  await admit({ method: 'users.info', channel: '' });
});

test('an effect that yields lets all others go first', async () => {
  let now = 0;
  const limits = limitsAt(() => now);
  const main = { method: 'conversations.history', channel: '' };
  const tidy = { workspace: 'T1', who: 'a tidy', main, yields: true };
  const search = { workspace: 'T1', who: 'a search', main };
  await limits.pauseAfter('T1', main, LIMITED);
  for (const waiting of [tidy, search]) await limits.takeForMainCall(waiting);
  now = 7_000;
  expect((await limits.takeForMainCall(tidy)).ms).toBeGreaterThan(0);
  expect(await limits.takeForMainCall(search)).toEqual({ ms: 0 });
});

test.for([2, 3])(
  'an effect with %i calls of one method makes all in a few tries, though others wait for that method',
  async (calls) => {
    let now = 0;
    const limits = limitsAt(() => now);
    const read = { method: 'users.info', channel: '' };
    await limits.pauseAfter('T1', read, LIMITED);
    const others = Array.from({ length: 50 }, (_, n) => ({ workspace: 'T1', who: `R${n}`, main: read }));
    const turnOf = async (main: LimitedEffect) => {
      for (let ms = 1; ms > 0; now += ms) ({ ms } = await limits.takeForMainCall(main));
    };
    const tried = async () => {
      await turnOf({ ...effect(read) });
      const admit = limits.takeForOtherCalls(effect(read));
      const made = await Promise.allSettled(Array.from({ length: calls }, () => admit(read)));
      for (const each of others) await limits.takeForMainCall(each);
      const late = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.retryAfterMs] : []));
      now += Math.max(0, ...late);
      return late.length === 0;
    };
    let tries = 1;
    while (!(await tried()) && tries < 20) tries += 1;
    expect(tries).toBe(2);
  },
);

test('a record that waits for its turn in the whole workspace waits for its turn in each channel, too', async () => {
  let now = 0;
  const limits = limitsAt(() => now);
  const inChannel = (channel: string, who = 'a record') => ({
    workspace: 'T1',
    who,
    main: { ...POST, channel },
  });
  for (let n = 0; n < 120; n += 1) await limits.takeForMainCall(inChannel(`C${n}`, `R${n}`));
  for (let n = 0; n < 60; n += 1) await limits.takeForMainCall(inChannel('U1', `to U1 ${n}`));
  const { ms } = await limits.takeForMainCall(inChannel('C200'));
  expect(ms).toBeGreaterThan(0);
  now = ms;
  expect((await limits.takeForMainCall(inChannel('U1'))).ms).toBeGreaterThan(30_000);
});

test('a direct message that is not wanted any more leaves its turn to the next one of its request', async () => {
  const limits = limitsAt(() => 0);
  const record = withNote(newRecord(REQUEST, T0), { type: 'card_delayed' }, T0);
  const other = { ...record, id: 'R2' };
  const wait = async (of: RequestRecord, messageKey: string) =>
    (await limits.takeForMainCall(limitedEffect(of, { type: 'post', messageKey }))).ms;
  await limits.pauseAfter('T1', { ...POST, channel: record.requester }, LIMITED);
  expect(await wait(record, 'card_delayed:1')).toBe(7_000);
  expect(await wait(other, 'card_delayed:1')).toBe(8_000);

  const expired = withRepliesTo(transition(record, { type: 'expire' }, T0) ?? record, 'requester');
  expect(await wait(expired, 'reply:2')).toBe(7_000);
  expect(await wait({ ...expired, id: 'R3' }, 'reply:2')).toBe(9_000);
});
