/** Turns between replicas, by the clock of Redis. One question is one round trip. */
import { z } from 'zod';
import type { Turns } from '../../requests/turns.ts';
import { LATE_MS, PAUSE_MS } from '../turns.ts';
import type { RedisConnection } from './connection.ts';
import { turnKeys } from './keys.ts';
import { keysThatBegin } from './scan.ts';
import { script } from './script.ts';

/** Places and times are forgotten this long after they matter: whoever waited so long has gone. */
const KEPT_MS = 600_000;

/** The same as in memory (../turns.ts), where it is explained. */
const TAKE = script(`
local waiting, free_key, hold = unpack(KEYS)
local who, every, burst = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local held_until, why = unpack(redis.call('HMGET', hold, 'until', 'why'))
local open = math.max(now, tonumber(held_until or 0))
local turn = tonumber(redis.call('ZSCORE', waiting, who) or -1)
if turn < 0 or (open > now and turn < open) then
  local ahead = (burst - 1) * every
  local from = math.max(tonumber(redis.call('GET', free_key) or 0), open > now and open + ahead or open)
  turn = math.max(open, from - ahead)
  redis.call('SET', free_key, from + every, 'PX', from + every - now + ${KEPT_MS})
end
local pause = turn - now
if pause <= 0 and redis.call('ZCOUNT', waiting, '(' .. (now - ${LATE_MS}), '(' .. turn) > 0 then pause = ${PAUSE_MS} end
if pause > 0 then
  redis.call('ZADD', waiting, turn, who)
  redis.call('PEXPIRE', waiting, pause + ${KEPT_MS})
  return { pause, open > now and why or '' }
end
redis.call('ZREM', waiting, who)
return { 0, '' }`);

const HOLD = script(`
local ends = now + tonumber(ARGV[2])
if ends <= tonumber(redis.call('HGET', KEYS[1], 'until') or 0) then return end
redis.call('HSET', KEYS[1], 'until', ends, 'why', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ends - now)`);

const UNLINK = script("redis.call('UNLINK', KEYS[1])");

/** Those whose name begins with ARGV[2] wait no more. */
const LEAVE = script(`
for _, who in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(who, 1, #ARGV[2]) == ARGV[2] then redis.call('ZREM', KEYS[1], who) end
end`);

const Answer = z.tuple([z.number(), z.string()]);

/** @param prefix of every key */
export function createRedisTurns(connection: RedisConnection, prefix: string): Turns {
  const keys = turnKeys(prefix);
  return {
    async take({ scope, lane, who, everyMs, burst }) {
      const touched = [keys.waiting(scope, lane), keys.free(scope, lane), keys.hold(scope)];
      const { value } = await connection.run(TAKE, touched, [who, `${everyMs}`, `${burst}`]);
      const [ms, held] = Answer.parse(value);
      return { ms, ...(held && { held }) };
    },
    async hold(scope, ms, why) {
      if (ms > 0) await connection.run(HOLD, [keys.hold(scope)], [`${Math.ceil(ms)}`, why]);
    },
    async forget(workspace) {
      for (const key of await keysThatBegin(connection, keys.all)) {
        if (keys.isOfScope(workspace, key)) await connection.run(UNLINK, [key]);
        else if (keys.isWaiting(key)) await connection.run(LEAVE, [key], [`${workspace} `]);
      }
    },
  };
}
