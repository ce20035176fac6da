/** Stores the member index in Redis: a sorted set for each key, and for each member the set of its keys. */
import type { MemberIndex } from '../../workspaces/member-index.ts';
import type { RedisConnection } from './connection/connection.ts';
import { indexKeys } from './keys.ts';
import { script } from './script.ts';

/** Writes the member's own set first, so that every listed entry can be unlisted again. */
const ADD = script(`
local own, member, lists = KEYS[1], ARGV[2], ARGV[3]
for i = 4, #ARGV do
  redis.call('SADD', own, ARGV[i])
  redis.call('ZADD', lists .. ARGV[i], 0, member)
end`);

const KEEP = script(`
local own, member, lists = KEYS[1], ARGV[2], ARGV[3]
local kept = {}
for i = 4, #ARGV do
  kept[ARGV[i]] = true
  redis.call('SADD', own, ARGV[i])
  redis.call('ZADD', lists .. ARGV[i], 0, member)
end
for _, key in ipairs(redis.call('SMEMBERS', own)) do
  if not kept[key] then
    redis.call('ZREM', lists .. key, member)
    redis.call('SREM', own, key)
  end
end`);

/** @param prefix the prefix of every key @param name the name of the index */
export function createRedisMemberIndex(
  connection: RedisConnection,
  prefix: string,
  name: string,
): MemberIndex {
  const { lists, own } = indexKeys(prefix, name);
  const run = async (...call: Parameters<RedisConnection['run']>) => void (await connection.run(...call));
  return {
    add: (member, keys) => run(ADD, [own(member)], [member, lists, ...keys]),
    keep: (member, keys) => run(KEEP, [own(member)], [member, lists, ...keys]),
    // The bounds of a list: https://redis.io/docs/latest/commands/zrange/, "Lexicographical ranges".
    members: (key, { after, limit }) =>
      connection.read((client) =>
        client.zRange(lists + key, after === undefined ? '-' : `(${after}`, '+', {
          BY: 'LEX',
          LIMIT: { offset: 0, count: limit },
        }),
      ),
    count: (key) => connection.read((client) => client.zCard(lists + key)),
  };
}
