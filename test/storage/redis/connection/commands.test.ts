import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SILENT } from '../../../../src/outbox/ports.ts';
import { createServerClock } from '../../../../src/storage/redis/connection/commands.ts';
import { createRedisConnection } from '../../../../src/storage/redis/connection/connection.ts';
import { emptyRedis, needsRedis } from '../../../support/redis/redis.ts';

test('a deadline by the clock of the server is never later than it is here', () => {
  let here = 5_000.4;
  const clock = createServerClock(() => here);
  expect(clock.deadline(100)).toBe(0);
  // It was 1,000 there when it answered, and the answer was under way for a while.
  clock.learn(1_000);
  here += 50;
  expect(clock.deadline(100)).toBe(1_150);
  expect(clock.deadline(99.9)).toBe(1_149);
  clock.forget();
  expect(clock.deadline(100)).toBe(0);
});

describe('the answer of a script', () => {
  needsRedis();

  test.each([
    ['a word', "return 'OK'"],
    ['nothing', 'return false'],
    ['an empty list', 'return {}'],
    ['a list without the time', "return { 'x', 1 }"],
  ])('is a fault where it is %s', async (_name, text) => {
    const { url } = await emptyRedis();
    const connection = createRedisConnection(url);
    await connection.open(SILENT);
    onTestFinished(connection.close);
    const sha = createHash('sha1').update(text).digest('hex');
    await expect(connection.run({ text, sha })).rejects.toThrow('Redis gave an unreadable answer.');
  });
});
