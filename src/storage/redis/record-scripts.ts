/**
 * The operations on records, as they run within Redis, each as a whole or not at all. What can fail because a key
 * holds something else comes before the record itself is written.
 *
 * A record is a hash: `record` as JSON, its `version`, `slot` (empty: none), `subject` and `place`.
 */
import { ID_IN_PLACE } from './keys.ts';
import { script } from './script.ts';

/** What stands there; an empty text, which is unreadable, where it is no record; false where there is nothing. */
const READ = `
local function read(key)
  return redis.call('HGET', key, 'record') or (redis.call('EXISTS', key) == 1 and '')
end`;

export const GET = script(`${READ}
return read(KEYS[1])`);

export const CREATE = script(`${READ}
local key, slots, due, list, about = unpack(KEYS)
local _, records, id, version, text, slot, due_at, ref, place, subject = unpack(ARGV)
local standing = read(key)
if standing then return { 'exists', standing } end
if slot ~= '' then
  local holder = redis.call('HGET', slots, slot)
  local by = holder and read(records .. holder)
  if by then return { 'slot_taken', by } end
end
redis.call('ZADD', list, 0, place)
redis.call('ZADD', about, 0, place)
if due_at ~= '' then redis.call('ZADD', due, due_at, ref) end
if slot ~= '' then redis.call('HSET', slots, slot, id) end
redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot, 'subject', subject, 'place', place)
return { 'created' }`);

export const UPDATE = script(`
local key, slots, due = unpack(KEYS)
local _, records, id, expected, version, text, slot, due_at, ref = unpack(ARGV)
local standing, held = unpack(redis.call('HMGET', key, 'version', 'slot'))
if standing ~= expected then return 'conflict' end
held = held or ''
if slot ~= '' then
  local holder = redis.call('HGET', slots, slot)
  if holder and holder ~= id and redis.call('EXISTS', records .. holder) == 1 then return 'slot_taken' end
end
if due_at == '' then redis.call('ZREM', due, ref) else redis.call('ZADD', due, due_at, ref) end
if held ~= slot and redis.call('HGET', slots, held) == id then redis.call('HDEL', slots, held) end
if slot ~= '' then redis.call('HSET', slots, slot, id) end
redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot)
return 'updated'`);

export const REMOVE = script(`
local key, slots, due, list = unpack(KEYS)
local _, subjects, id, ref = unpack(ARGV)
local slot, subject, place = unpack(redis.call('HMGET', key, 'slot', 'subject', 'place'))
redis.call('ZREM', due, ref)
if place then
  redis.call('ZREM', list, place)
  redis.call('ZREM', subjects .. subject, place)
  if redis.call('HGET', slots, slot) == id then redis.call('HDEL', slots, slot) end
end
redis.call('DEL', key)`);

export const DUE = script(`
return redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])`);

export const POSTPONE = script(`
redis.call('ZADD', KEYS[1], 'XX', now + ARGV[3], ARGV[2])`);

/** The records of a list, from below a place on. */
export const LIST = script(`${READ}
local _, records, from, limit = unpack(ARGV)
local texts = {}
for _, place in ipairs(redis.call('ZRANGE', KEYS[1], from, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)) do
  texts[#texts + 1] = read(records .. string.sub(place, ${ID_IN_PLACE})) or nil
end
return texts`);

export const LIST_HOLDING = script(`${READ}
local _, records, limit = unpack(ARGV)
local texts = {}
for _, id in ipairs(redis.call('HVALS', KEYS[1])) do
  if #texts == tonumber(limit) then break end
  texts[#texts + 1] = read(records .. id) or nil
end
return texts`);

/** The server's time is in every answer. */
export const NOTHING = script('');
