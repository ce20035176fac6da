/**
 * Implements the operations on records as atomic Lua scripts in Redis. Steps that may fail, because a key holds a value
 * of another type, come before the record is written.
 *
 * A record is a hash: `record` as JSON, its `version`, `slot` (empty: none), `subjects` as a JSON list and `place`.
 *
 * The scripts build the keys of all subjects, because only they know the lists that a record leaves.
 */
import { LISTED_SUBJECT } from '../../outbox/record-store.ts';
import { script } from './connection/commands.ts';
import { ID_IN_PLACE } from './keys.ts';

/** The number of keys of the record that is written, and the numbers of keys and of arguments for each further one. */
const OWN_KEYS = 6;
const FURTHER_KEYS = 5;
const FURTHER_ARGUMENTS = 8;

/** Reads a record; an empty, unreadable text if its hash has none; false if it does not exist. */
const READ = `
local function read(key)
  return redis.call('HGET', key, 'record') or (redis.call('EXISTS', key) == 1 and '')
end`;

/**
 * `difference` returns the subjects that are not among `others`. It fails, before any write, if the key of one holds no list.
 * `join` and `leave` keep the lists of subjects, and the list of the subjects that can be listed themselves: its key is the
 * prefix of their keys, without the last colon.
 */
const SUBJECTS = `
local function is_listed(subject)
  return string.sub(subject, 1, ${LISTED_SUBJECT.length}) == '${LISTED_SUBJECT}'
end
local function difference(prefix, subjects, others)
  local known, found = {}, {}
  for _, subject in ipairs(others) do known[subject] = true end
  for _, subject in ipairs(subjects) do
    if not known[subject] then
      found[#found + 1] = subject
      redis.call('ZCARD', prefix .. subject)
      if is_listed(subject) then redis.call('ZCARD', string.sub(prefix, 1, -2)) end
    end
  end
  return found
end
local function join(prefix, subjects, place)
  for _, subject in ipairs(subjects) do
    redis.call('ZADD', prefix .. subject, 0, place)
    if is_listed(subject) then redis.call('ZADD', string.sub(prefix, 1, -2), 0, subject) end
  end
end
local function leave(prefix, subjects, place)
  for _, subject in ipairs(subjects) do
    redis.call('ZREM', prefix .. subject, place)
    if is_listed(subject) and redis.call('EXISTS', prefix .. subject) == 0 then
      redis.call('ZREM', string.sub(prefix, 1, -2), subject)
    end
  end
end`;

/**
 * Whether the conditions of a write are met. Their keys follow the keys of the write, and their versions (empty: the record must
 * not exist) follow its arguments.
 */
const ARE_MET = `
local function are_met(further)
  local conditions = #KEYS - ${OWN_KEYS} - ${FURTHER_KEYS} * further
  for i = 1, conditions do
    local key = KEYS[${OWN_KEYS} + i]
    local version = redis.call('HGET', key, 'version') or (redis.call('EXISTS', key) == 1 and 'unreadable') or ''
    if version ~= ARGV[#ARGV - ${FURTHER_ARGUMENTS} * further - conditions + i] then return false end
  end
  return true
end`;

/** Notes the earliest due time of a workspace, after one of its records has changed. */
const NOTE_DUE = `
local function note_due(due, waiting, workspace)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[1] then redis.call('ZADD', waiting, first[2], workspace) else redis.call('ZREM', waiting, workspace) end
end`;

/** Writes a record that does not exist yet, beginning with the step that may fail. CREATE takes the slot after it. */
const WRITE_NEW = `
local function write_new(
  key, list, due, waiting, workspaces, id, version, text, slot, due_at, workspace, prefix, joined, subjects, place
)
  if due_at ~= '' then
    redis.call('ZADD', due, due_at, id)
    note_due(due, waiting, workspace)
  end
  redis.call('ZADD', workspaces, 0, workspace)
  redis.call('ZADD', list, 0, place)
  join(prefix, joined, place)
  redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot, 'subjects', subjects, 'place', place)
end`;

/**
 * Creates further records, whose keys and arguments stand last. `read_further` reads them and touches the keys that they need,
 * before anything is written, so that a key of another type fails the whole script.
 */
const FURTHER = `
local function read_further(further)
  local found = {}
  for n = further, 1, -1 do
    local keys, args = #KEYS - ${FURTHER_KEYS} * n, #ARGV - ${FURTHER_ARGUMENTS} * n
    local key, list, due, waiting, workspaces = unpack(KEYS, keys + 1, keys + ${FURTHER_KEYS})
    local id, version, text, due_at, workspace, prefix, subjects, place = unpack(ARGV, args + 1, args + ${FURTHER_ARGUMENTS})
    local joined = difference(prefix, cjson.decode(subjects), {})
    redis.call('ZCARD', list)
    redis.call('ZCARD', workspaces)
    if due_at ~= '' then
      redis.call('ZCARD', due)
      redis.call('ZCARD', waiting)
    end
    found[#found + 1] = {
      key, list, due, waiting, workspaces, id, version, text, '', due_at, workspace, prefix, joined, subjects, place,
    }
  end
  return found
end
local function write_further(found)
  for _, each in ipairs(found) do
    if redis.call('EXISTS', each[1]) == 0 then write_new(unpack(each)) end
  end
end`;

const CONDITIONAL = `${SUBJECTS} ${ARE_MET} ${NOTE_DUE} ${WRITE_NEW} ${FURTHER}`;

export const GET = script(`${READ}
return read(KEYS[1])`);

export const CREATE = script(`${READ} ${CONDITIONAL}
local key, slots, due, list, waiting, workspaces = unpack(KEYS)
local further = tonumber(ARGV[2])
local _, _, records, id, version, text, slot, due_at, workspace, prefix, subjects, place = unpack(ARGV)
local stored = read(key)
if stored then return { 'exists', stored } end
if not are_met(further) then return { 'unmet' } end
if slot ~= '' then
  local holder = redis.call('HGET', slots, slot)
  local by = holder and read(records .. holder)
  if by then return { 'slot_taken', by } end
end
local joined = difference(prefix, cjson.decode(subjects), {})
redis.call('ZCARD', list)
redis.call('ZCARD', workspaces)
if due_at ~= '' then redis.call('ZCARD', waiting) end
local others = read_further(further)
write_new(key, list, due, waiting, workspaces, id, version, text, slot, due_at, workspace, prefix, joined, subjects, place)
if slot ~= '' then redis.call('HSET', slots, slot, id) end
write_further(others)
return { 'created' }`);

export const UPDATE = script(`${CONDITIONAL}
local key, slots, due, _, waiting = unpack(KEYS)
local further = tonumber(ARGV[2])
local _, _, records, id, version, text, slot, due_at, workspace, prefix, subjects, expected = unpack(ARGV)
local stored_version, stored_slot, place, stored_subjects = unpack(redis.call('HMGET', key, 'version', 'slot', 'place', 'subjects'))
if stored_version ~= expected then return 'conflict' end
if not are_met(further) then return 'unmet' end
stored_slot = stored_slot or ''
local takes_slot = slot ~= '' and slot ~= stored_slot
local holder = takes_slot and redis.call('HGET', slots, slot)
if holder and holder ~= id and redis.call('EXISTS', records .. holder) == 1 then return 'slot_taken' end
local left, joined = {}, {}
if stored_subjects ~= subjects then
  local before, after = cjson.decode(stored_subjects), cjson.decode(subjects)
  left, joined = difference(prefix, before, after), difference(prefix, after, before)
end
local due_moves = (redis.call('ZSCORE', due, id) or '') ~= due_at
if due_moves then redis.call('ZCARD', waiting) end
local others = read_further(further)
if due_moves then
  if due_at == '' then redis.call('ZREM', due, id) else redis.call('ZADD', due, due_at, id) end
  note_due(due, waiting, workspace)
end
if stored_slot ~= slot and redis.call('HGET', slots, stored_slot) == id then redis.call('HDEL', slots, stored_slot) end
if takes_slot then redis.call('HSET', slots, slot, id) end
leave(prefix, left, place)
join(prefix, joined, place)
redis.call('HSET', key, 'record', text, 'version', version, 'slot', slot, 'subjects', subjects)
write_further(others)
return 'updated'`);

export const REMOVE = script(`${SUBJECTS} ${NOTE_DUE}
local key, slots, due, list, waiting, workspaces = unpack(KEYS)
local _, prefix, id, workspace, expected, listed = unpack(ARGV)
local stored_version, slot, place, subjects = unpack(redis.call('HMGET', key, 'version', 'slot', 'place', 'subjects'))
if expected ~= '' and stored_version ~= expected then return 'conflict' end
local left = difference(prefix, subjects and cjson.decode(subjects) or {}, {})
redis.call('ZREM', due, id)
note_due(due, waiting, workspace)
if listed ~= '' then redis.call('ZREM', list, listed) end
if place then
  redis.call('ZREM', list, place)
  leave(prefix, left, place)
  if redis.call('HGET', slots, slot) == id then redis.call('HDEL', slots, slot) end
end
if redis.call('ZCARD', list) == 0 then redis.call('ZREM', workspaces, workspace) end
redis.call('DEL', key)
return 'removed'`);

/**
 * Takes due records from the workspaces in turn, the one that has waited longest first, and each with its
 * longest-waiting records first. `lists`: what the key of a workspace's due records begins with; the workspace follows, encoded
 * as in the list of workspaces.
 */
export const DUE = script(`
local _, lists, limit = unpack(ARGV)
limit = tonumber(limit)
local workspaces = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
local share = math.max(1, limit - #workspaces + 1)
local queues, found = {}, {}
for i, workspace in ipairs(workspaces) do
  queues[i] = redis.call('ZRANGE', lists .. workspace, '-inf', now, 'BYSCORE', 'LIMIT', 0, share)
end
for turn = 1, share do
  for i, workspace in ipairs(workspaces) do
    if #found == 2 * limit then return found end
    if queues[i][turn] then
      found[#found + 1] = workspace
      found[#found + 1] = queues[i][turn]
    end
  end
end
return found`);

export const POSTPONE = script(`${NOTE_DUE}
local due, waiting = unpack(KEYS)
local _, id, ms, workspace = unpack(ARGV)
redis.call('ZADD', due, 'XX', 'GT', now + ms, id)
note_due(due, waiting, workspace)`);

const listed = (range: string) =>
  script(`${READ}
local _, records, from, limit = unpack(ARGV)
local texts = {}
for _, place in ipairs(redis.call('ZRANGE', KEYS[1], from, ${range}, 'LIMIT', 0, limit)) do
  texts[#texts + 1] = read(records .. string.sub(place, ${ID_IN_PLACE})) or nil
end
return texts`);

/** Lists the records of a list below a place, the newest first. */
export const LIST = listed(`'-', 'BYLEX', 'REV'`);

/** Lists the records of a list above a place, the oldest first. */
export const LIST_FROM_THE_OLDEST = listed(`'+', 'BYLEX'`);

/** Returns only the server's time, which is in every answer. */
export const READ_TIME = script('');
