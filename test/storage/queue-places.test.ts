import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../src/outbox/ports.ts';
import { rememberPlaces } from '../../src/storage/queue-places.ts';
import { createRateLimiter } from '../../src/storage/rate-limiter.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const HOUR = 3_600_000;
const bucket: Bucket = { workspace: 'T1', name: 'post C1', everyMs: HOUR, burst: 1 };

/** A limiter that remembers places, and the hours that a caller waits in it. */
async function busyLimiter() {
  const limiter = rememberPlaces(createRateLimiter(), log);
  const hours = async (who: string, of = bucket) => Math.ceil((await limiter.take(of, who)).ms / HOUR);
  await hours('r0 post card');
  return { limiter, hours };
}

const of = (id: string, workspace = 'T1') => ({ workspace, id });

describe('the places that a record holds in queues', () => {
  test('are given up where nothing of it waits any more', async () => {
    const { limiter, hours } = await busyLimiter();
    for (const who of ['r1 post card', 'r1 update card chat.postMessage', 'r2 post card']) await hours(who);
    await limiter.leaveAllBut(of('r1'), () => []);
    expect(await hours('r2 post card')).toBe(1);
  });

  test('are given up in every queue in which it waits', async () => {
    const { limiter, hours } = await busyLimiter();
    const second = { ...bucket, name: 'post C2' };
    for (const of of [bucket, second])
      for (const who of ['r0 call', 'r1 call', 'r2 call']) await hours(who, of);
    await limiter.leaveAllBut(of('r1'), () => []);
    expect([await hours('r2 call'), await hours('r2 call', second)]).toEqual([2, 1]);
  });

  test('are kept by the effects that still wait, and by their further calls', async () => {
    const { limiter, hours } = await busyLimiter();
    for (const who of ['r1 find card', 'r1 post reply 1 users.info', 'r1 post reply 12', 'r2 call'])
      await hours(who);
    await limiter.leaveAllBut(of('r1'), () => ['r1 post reply 1']);
    expect([await hours('r1 post reply 1 users.info'), await hours('r2 call')]).toEqual([1, 2]);
  });

  test('are those of one record in one workspace', async () => {
    const { limiter, hours } = await busyLimiter();
    await hours('r1 call');
    for (const other of [of('r'), of('r1', 'T2'), of('r12')]) await limiter.leaveAllBut(other, () => []);
    expect([await hours('r1 call'), await hours('r2 call')]).toEqual([1, 2]);
  });

  test('are asked for only where it holds one', async () => {
    const { limiter, hours } = await busyLimiter();
    const soon = { ...bucket, name: 'free' };
    expect(await hours('r1 call', soon)).toBe(0);
    await limiter.take(bucket, 'r1 tidy', true);
    await limiter.leaveAllBut(of('r1'), () => {
      throw new Error('nobody waits');
    });
  });

  test('are forgotten once it has had its turn', async () => {
    const waits = [HOUR, 0];
    const limiter = createRateLimiter();
    const remembering = rememberPlaces(
      { ...limiter, take: async () => ({ ms: waits.shift() ?? HOUR }) },
      log,
    );
    for (const _ of [...waits]) await remembering.take(bucket, 'r1 call');
    await remembering.leaveAllBut(of('r1'), () => {
      throw new Error('nobody waits');
    });
  });

  test('are given up before who gives them up goes on', async () => {
    const { limiter } = await busyLimiter();
    const asked = Promise.withResolvers<void>();
    let isDone = false;
    const slow = rememberPlaces({ ...limiter, leave: () => asked.promise }, log);
    await slow.take(bucket, 'r1 call');
    const left = slow
      .leaveAllBut(of('r1'), () => [])
      .then(() => {
        isDone = true;
      });
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    asked.resolve();
    await left;
  });

  test('may not be given up by a storage that is away, and nobody hears of it', async () => {
    const { limiter } = await busyLimiter();
    const leave = () => Promise.reject(new Error('away'));
    const away = rememberPlaces({ ...limiter, leave }, log);
    await away.take(bucket, 'r1 call');
    await away.leaveAllBut(of('r1'), () => []);
  });
});
