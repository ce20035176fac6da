/**
 * Implements the operations on records as atomic Lua scripts in Redis. Steps that may fail, because a key holds a value
 * of another type, come before the record is written.
 *
 * A record is a hash: `record` as JSON, its `version`, `slot` (empty: none), `subjects` as a JSON list and `place`. A
 * record of an older version has one `subject` instead, until it is written again.
 *
 * The scripts build the keys of all subjects, because only they know the lists that a record leaves.
 */
import { ID_IN_PLACE } from './keys.ts';
import { script } from './script.ts';

/** Reads a record; an empty, unreadable text if the key holds something else; false if it does not exist. */
const READ = `
local function read(key)
  return redis.call('HGET', key, 'record') or (redis.call('EXISTS', key) == 1 and '')
end`;

/** Returns the lists of the subjects that are not among `others`. Fails before any write if one is no list. */
const LISTS = `
local function lists(prefix, subjects, others)
  local known, found = {}, {}
  for _, subject in ipairs(others) do known[subject] = true end
  for _, subject in ipairs(subjects) do
    if not known[subject] then
      found[#found + 1] = prefix .. subject
      redis.call('ZCARD', prefix .. subject)
    end
  end
  return found
end`;

/** Reads the subjects from the fields of a record. */
const SUBJECTS_OF = `
local function subjects_of(several, one)
  if several then return cjson.decode(several) end
  return one and { one } or {}
end`;

export const GET = script(`${READ}
return read(KEYS[1])`);

export const CREATE = script(`${READ} ${LISTS}
local key, slots, due, list = unpack(KEYS)
local _, records, id, version, text, slot, due_at, ref, prefix, subjects, place = unpack(ARGV)
local standing = read(key)
if standing then return { 'exists', standing } end
if slot ~= '' then
  local holder = redis.call('HGET', slots, slot)
  local by = holder and read(records .. holder)
  if by then return { 'slot_taken', by } end
end
local joined = lists(prefix, cjson.decode(subjects), {})
redis.call('ZADD', list, 0, place)
if due_at ~= '' then redis.call('ZADD', due, due_at, ref) end
if slot ~= '' then redis.call('HSET', slots, slot, id) end
for _, about in ipairs(joined) do redis.call('ZADD', about, 0, place) end
redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot, 'subjects', subjects, 'place', place)
return { 'created' }`);

export const UPDATE = script(`${LISTS} ${SUBJECTS_OF}
local key, slots, due = unpack(KEYS)
local _, records, id, expected, version, text, slot, due_at, ref, prefix, subjects = unpack(ARGV)
local standing, held, place, several, one =
  unpack(redis.call('HMGET', key, 'version', 'slot', 'place', 'subjects', 'subject'))
if standing ~= expected then return 'conflict' end
held = held or ''
if slot ~= '' then
  local holder = redis.call('HGET', slots, slot)
  if holder and holder ~= id and redis.call('EXISTS', records .. holder) == 1 then return 'slot_taken' end
end
local left, joined = {}, {}
if several ~= subjects then
  local before, after = subjects_of(several, one), cjson.decode(subjects)
  left, joined = lists(prefix, before, after), lists(prefix, after, before)
end
if due_at == '' then redis.call('ZREM', due, ref) else redis.call('ZADD', due, due_at, ref) end
if held ~= slot and redis.call('HGET', slots, held) == id then redis.call('HDEL', slots, held) end
if slot ~= '' then redis.call('HSET', slots, slot, id) end
for _, about in ipairs(left) do redis.call('ZREM', about, place) end
for _, about in ipairs(joined) do redis.call('ZADD', about, 0, place) end
redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot, 'subjects', subjects)
if one then redis.call('HDEL', key, 'subject') end
return 'updated'`);

export const REMOVE = script(`${LISTS} ${SUBJECTS_OF}
local key, slots, due, list = unpack(KEYS)
local _, prefix, id, ref, expected, listed = unpack(ARGV)
local standing, slot, place, several, one =
  unpack(redis.call('HMGET', key, 'version', 'slot', 'place', 'subjects', 'subject'))
if expected ~= '' and standing ~= expected then return 'conflict' end
local left = lists(prefix, subjects_of(several, one), {})
redis.call('ZREM', due, ref)
if listed ~= '' then redis.call('ZREM', list, listed) end
if place then
  redis.call('ZREM', list, place)
  for _, about in ipairs(left) do redis.call('ZREM', about, place) end
  if redis.call('HGET', slots, slot) == id then redis.call('HDEL', slots, slot) end
end
redis.call('DEL', key)
return 'removed'`);

/**
 * Takes due records from the workspaces in turn (the part of a member before its colon), each with its longest-waiting
 * records first.
 */
export const DUE = script(`
local _, limit, looked_at = unpack(ARGV)
local queues, order, found = {}, {}, {}
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, looked_at)) do
  local workspace = string.match(member, '^[^:]*')
  if not queues[workspace] then
    queues[workspace] = {}
    order[#order + 1] = queues[workspace]
  end
  table.insert(queues[workspace], member)
end
local turn, left = 1, #order > 0
while left and #found < tonumber(limit) do
  left = false
  for _, queue in ipairs(order) do
    if queue[turn] and #found < tonumber(limit) then
      found[#found + 1] = queue[turn]
      left = true
    end
  end
  turn = turn + 1
end
return found`);

export const POSTPONE = script(`
redis.call('ZADD', KEYS[1], 'XX', 'GT', now + ARGV[3], ARGV[2])`);

/** Lists the records of a list below a place. */
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

/** Returns only the server's time, which is in every answer. */
export const NOTHING = script('');
