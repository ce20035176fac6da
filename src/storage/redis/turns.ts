/** Turns between replicas, by the clock of Redis. One question is one round trip. */
import { z } from 'zod';
import type { Turns } from '../../requests/turns.ts';
import type { RedisConnection } from './connection.ts';
import { turnKeys } from './keys.ts';
import { script } from './script.ts';

/** Places and times are forgotten this long after they matter: whoever waited so long has gone. */
const KEPT_MS = 600_000;

/** The same as in memory (../turns.ts), where it is explained. */
const TAKE = script(`
local waiting, free_key, hold = unpack(KEYS)
local who, every, burst = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local open = math.max(now, tonumber(redis.call('GET', hold) or 0))
local turn = tonumber(redis.call('ZSCORE', waiting, who) or -1)
if turn < 0 or (open > now and turn < open) then
  local from = math.max(tonumber(redis.call('GET', free_key) or 0), open)
  turn = math.max(open, from - (burst - 1) * every)
  redis.call('SET', free_key, from + every, 'PX', from + every - now + ${KEPT_MS})
end
if turn > now then
  redis.call('ZADD', waiting, turn, who)
  redis.call('PEXPIRE', waiting, turn - now + ${KEPT_MS})
  return turn - now
end
redis.call('ZREM', waiting, who)
return 0`);

const HOLD = script(`
local until_ = math.max(now + tonumber(ARGV[2]), tonumber(redis.call('GET', KEYS[1]) or 0))
redis.call('SET', KEYS[1], until_, 'PX', until_ - now)`);

/** @param prefix of every key */
export function createRedisTurns(connection: RedisConnection, prefix: string): Turns {
  const keys = turnKeys(prefix);
  return {
    async take({ scope, lane, who, everyMs, burst }) {
      const touched = [keys.waiting(scope, lane), keys.free(scope, lane), keys.hold(scope)];
      const { value } = await connection.run(TAKE, touched, [who, `${everyMs}`, `${burst}`]);
      return z.number().parse(value);
    },
    async hold(scope, ms) {
      if (ms > 0) await connection.run(HOLD, [keys.hold(scope)], [`${Math.ceil(ms)}`]);
    },
  };
}
