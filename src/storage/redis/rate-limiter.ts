/** Limits rates across replicas, by the clock of Redis. One call is one round trip. */
import { z } from 'zod';
import type { BucketName, RateLimiter } from '../../outbox/ports.ts';
import { ASK_AGAIN_MS, LATE_MS, LOST_MS, PROBED_MS } from '../rate-limiter.ts';
import { script } from './connection/commands.ts';
import type { RedisConnection } from './connection/connection.ts';
import { limitKeys } from './keys.ts';

/** The time after which a key expires, counted from the time that it holds: nobody waits for it any more. */
const KEPT_MS = 600_000;

/**
 * Lists a key in the index of its workspace, so that all keys of a workspace can be removed without a scan. Expired keys are
 * dropped from the index.
 */
const REMEMBER = `
local function remember(index, key, ms)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. now)
  redis.call('ZADD', index, now + ms, key)
  if redis.call('PTTL', index) < ms then redis.call('PEXPIRE', index, ms) end
end`;

/** See `putOff` in ../rate-limiter.ts. */
const PUT_OFF = `
local function put_off(queue, free_key, ms)
  if redis.call('EXISTS', free_key) == 1 then
    redis.call('SET', free_key, redis.call('GET', free_key) + ms, 'KEEPTTL')
  end
  for _, who in ipairs(redis.call('ZRANGE', queue, 0, -1)) do redis.call('ZINCRBY', queue, ms, who) end
end`;

/** Returns the end of a pause, which is never further ahead than the pause is long. */
const END_OF_PAUSE = `
local function end_of_pause(ends, ms)
  ends = tonumber(ends or 0)
  return ms and math.min(ends, now + ms) or ends
end`;

/**
 * Same algorithm as in memory (../rate-limiter.ts), where it is explained. Besides, no time is believed that is further ahead
 * than a pause, a probe or the waiting callers can have made it, and the queue keeps its order: the clock of Redis may have
 * been set back, or a server whose clock is behind may have taken over.
 */
const TAKE = script(`${REMEMBER} ${PUT_OFF} ${END_OF_PAUSE}
local index, who, yields, lost = KEYS[1], ARGV[2], ARGV[3] == '1', now - ARGV[4]
local function take(queue, free_key, pause_key, shared_pause, every, burst)
  redis.call('ZREMRANGEBYSCORE', queue, '-inf', '(' .. lost)
  local paused_until, length, why, probe, probed =
    unpack(redis.call('HMGET', pause_key, 'until', 'ms', 'why', 'probe', 'probed'))
  local own_until = end_of_pause(paused_until, length)
  local shared_until, shared_length, shared_why = unpack(redis.call('HMGET', shared_pause, 'until', 'ms', 'why'))
  shared_until = end_of_pause(shared_until, shared_length)
  if shared_until > own_until then why = shared_why end
  local open = math.max(now, own_until, shared_until)
  why = open > now and why or ''
  local ahead = (burst - 1) * every
  local most = open + ahead + (redis.call('ZCARD', queue) + 2) * every + ${PROBED_MS}
  local free = tonumber(redis.call('GET', free_key) or 0)
  if free > most then
    put_off(queue, free_key, most - free)
    free = most
  end
  local from = math.max(free, open > now and open + ahead or open)
  local next_turn = math.max(open, from - ahead)
  local function promise()
    local ms = from + every - now + ${KEPT_MS}
    redis.call('SET', free_key, from + every, 'PX', ms)
    remember(index, free_key, ms)
  end
  if yields then
    local wanted = redis.call('ZCOUNT', queue, '(' .. (now - ${LATE_MS}), '+inf') > 0
    if next_turn <= now and not wanted then
      promise()
      return { 0, '' }
    end
    return { math.max(next_turn - now, wanted and every or 0), why }
  end
  local turn = tonumber(redis.call('ZSCORE', queue, who) or -1)
  if turn < 0 or turn > most or (open > now and turn < open) then
    turn = next_turn
    promise()
  end
  local wait = turn - now
  if wait <= 0 and redis.call('ZCOUNT', queue, '(' .. (now - ${LATE_MS}), '(' .. turn) > 0 then wait = ${ASK_AGAIN_MS} end
  if wait > 0 then
    redis.call('ZADD', queue, turn, who)
    redis.call('PEXPIRE', queue, wait + ${KEPT_MS})
    remember(index, queue, wait + ${KEPT_MS})
    return { probed and math.min(wait, ${PROBED_MS}) or wait, why }
  end
  redis.call('ZREM', queue, who)
  if not probe or own_until > now then return { 0, '' } end
  redis.call('HSET', pause_key, 'until', now + probe, 'ms', probe, 'probed', 1)
  redis.call('PEXPIRE', pause_key, probe + ${KEPT_MS})
  remember(index, pause_key, probe + ${KEPT_MS})
  local first = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2]
  if first and tonumber(first) < now + probe then put_off(queue, free_key, now + probe - first) end
  return { 0, '', 1 }
end
local function take_nth(n)
  local key, size = 4 * n - 2, 2 * n + 3
  return take(KEYS[key], KEYS[key + 1], KEYS[key + 2], KEYS[key + 3], tonumber(ARGV[size]), tonumber(ARGV[size + 1]))
end
if #KEYS == 5 then return take_nth(1) end
local queue, pause_key, shared_pause, outer_queue = KEYS[2], KEYS[4], KEYS[5], KEYS[6]
local has_taken = redis.call('ZSCORE', outer_queue, who) and not redis.call('ZSCORE', queue, who)
  and redis.call('EXISTS', pause_key, shared_pause) == 0
local wait = has_taken and { 0, '' } or take_nth(1)
return wait[1] > 0 and wait or take_nth(2)`);

/** See `bringForward` in ../rate-limiter.ts. */
const BRING_FORWARD = `${PUT_OFF}
local function bring_forward(pause_key, queue, free_key, till)
  local ends, probed = unpack(redis.call('HMGET', pause_key, 'until', 'probed'))
  local ms = probed and ends - till or 0
  if ms > 0 then put_off(queue, free_key, -ms) end
end`;

const PAUSE = script(`${REMEMBER} ${BRING_FORWARD} ${END_OF_PAUSE}
local pause_key, index, queue, free_key = unpack(KEYS)
local _, ms, why, probe = unpack(ARGV)
local ends, length, probed = unpack(redis.call('HMGET', pause_key, 'until', 'ms', 'probed'))
if not probed and now + ms <= end_of_pause(ends, length) then return end
local kept = probe ~= '' and ms + ${KEPT_MS} or tonumber(ms)
bring_forward(pause_key, queue, free_key, now + ms)
redis.call('DEL', pause_key)
redis.call('HSET', pause_key, 'until', now + ms, 'ms', ms, 'why', why)
if probe ~= '' then redis.call('HSET', pause_key, 'probe', probe) end
redis.call('PEXPIRE', pause_key, kept)
remember(index, pause_key, kept)`);

const RESUME = script(`${BRING_FORWARD}
local pause_key, queue, free_key = unpack(KEYS)
bring_forward(pause_key, queue, free_key, now + ${PROBED_MS})
redis.call('DEL', pause_key)`);

/** KEYS: indexes. ARGV: the beginning of the names of the pauses in each. */
const PAUSES = script(`${END_OF_PAUSE}
local found = {}
for n, index in ipairs(KEYS) do
  local prefix = ARGV[n + 1]
  for _, key in ipairs(redis.call('ZRANGE', index, 0, -1)) do
    local ends, length, why
    if string.sub(key, 1, #prefix) == prefix then
      ends, length, why = unpack(redis.call('HMGET', key, 'until', 'ms', 'why'))
    end
    local left = end_of_pause(ends, length) - now
    if left > 0 then found[#found + 1] = { string.sub(key, #prefix + 1), left, why } end
  end
end
return found`);

const FORGET = script(`
for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('UNLINK', key) end
redis.call('UNLINK', KEYS[1])`);

const Paused = z.array(z.tuple([z.string(), z.number(), z.string()]));

const Answer = z.tuple([z.number(), z.string(), z.number().optional()]);

/** @param prefix the prefix of every key @param lostMs see LOST_MS */
export function createRedisRateLimiter(
  connection: RedisConnection,
  prefix: string,
  lostMs = LOST_MS,
): RateLimiter {
  const keys = limitKeys(prefix);
  /** A pause that all workspaces share has no queue. */
  const queueOf = ({ workspace = '', name }: BucketName) => [
    keys.queue(workspace, name),
    keys.free(workspace, name),
  ];
  return {
    async take({ workspace, within, ...bucket }, who, yields = false) {
      const buckets = within ? [bucket, within] : [bucket];
      const touched = buckets.flatMap(({ name, pausedWith = '' }) => [
        ...queueOf({ workspace, name }),
        keys.pause(workspace, name),
        keys.pause(undefined, pausedWith),
      ]);
      const sizes = buckets.flatMap(({ everyMs, burst }) => [`${everyMs}`, `${burst}`]);
      const args = [who, yields ? '1' : '0', `${lostMs}`, ...sizes];
      const { value } = await connection.run(TAKE, [keys.index(workspace), ...touched], args);
      const [ms, why, isProbe] = Answer.parse(value);
      return { ms, ...(why && { why }), ...(isProbe && { isProbe: true }) };
    },
    async pause(bucket, ms, why, probeMs) {
      // The pause is over already, unless a probe has to follow.
      if (ms <= 0 && probeMs === undefined) return;
      const { workspace, name } = bucket;
      const touched = [keys.pause(workspace, name), keys.index(workspace), ...queueOf(bucket)];
      await connection.run(PAUSE, touched, [`${Math.ceil(ms)}`, why, `${probeMs ?? ''}`]);
    },
    async resume(bucket) {
      await connection.run(RESUME, [keys.pause(bucket.workspace, bucket.name), ...queueOf(bucket)]);
    },
    async pauses(workspace) {
      const indexes = [keys.index(workspace), keys.index(undefined)];
      const beginnings = [keys.pause(workspace, ''), keys.pause(undefined, '')];
      const { value } = await connection.run(PAUSES, indexes, beginnings);
      return Paused.parse(value).map(([name, ms, why]) => ({ name, ms, why }));
    },
    async forget(workspace) {
      await connection.run(FORGET, [keys.index(workspace)]);
    },
  };
}
