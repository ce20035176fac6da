/** Lua scripts: each is one operation, and one round trip. */
import { createHash } from 'node:crypto';

export type Script = { text: string; sha: string };

/**
 * A command that was given up may still lie in a buffer: Redis that was paused runs it when it wakes, though its
 * connection is gone. So each script carries the time at which it was given up (ARGV[1], by the server's clock) and
 * does nothing from then on.
 */
const FENCED = (body: string) => `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now >= tonumber(ARGV[1]) then return { now } end
local function act()
${body}
end
return { now, act() or false }
`;

/** @param body Lua that returns what it found; it finds KEYS, its arguments from ARGV[2] on, and `now` in milliseconds */
export function script(body: string): Script {
  const text = FENCED(body);
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** What a script answered: the server's time alone where it came too late. */
export type Answer = { now: number; late: true } | { now: number; late: false; value: unknown };

/** @throws where it is no answer of a script */
export function readAnswer(reply: unknown): Answer {
  if (!Array.isArray(reply) || typeof reply[0] !== 'number')
    throw new Error('Redis gave an unreadable answer.');
  const [now, value] = reply;
  return reply.length === 1 ? { now, late: true } : { now, late: false, value };
}
