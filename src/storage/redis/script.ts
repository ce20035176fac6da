/** Prepares and runs Lua scripts: each is one operation and one round trip. */
import { createHash } from 'node:crypto';
import type { RedisClientType } from '@keyv/redis';

export type Script = { text: string; sha: string };

/**
 * Fences a script against late execution. A timed-out command may still be in a buffer, and a paused Redis runs it when
 * it resumes, even if its connection is gone. So each script carries its deadline (ARGV[1], by the server's clock) and
 * does nothing after it.
 */
const FENCED = (body: string) => `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now >= tonumber(ARGV[1]) then return { now } end
local function run()
${body}
end
return { now, run() or false }
`;

/**
 * @param body Lua code that returns the result; it reads KEYS, its arguments from ARGV[2] on, and `now` in milliseconds
 */
export function script(body: string): Script {
  const text = FENCED(body);
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** The answer of a script: only the server's time if it was too late. */
export type Answer = { now: number; late: true } | { now: number; late: false; value: unknown };

/** @throws if the reply is no answer of a script */
export function readAnswer(reply: unknown): Answer {
  if (!Array.isArray(reply) || typeof reply[0] !== 'number')
    throw new Error('Redis gave an unreadable answer.');
  const [now, value] = reply;
  return reply.length === 1 ? { now, late: true } : { now, late: false, value };
}

/** @returns the reply, unread */
export async function evaluate(
  client: RedisClientType,
  { sha, text }: Script,
  call: { keys: string[]; arguments: string[] },
): Promise<unknown> {
  try {
    return await client.evalSha(sha, call);
  } catch (error) {
    // A server caches a script after its first run, until it restarts.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.eval(text, call);
  }
}
