/**
 * Runs commands and Lua scripts, each with a time-out (node-redis has none for commands that were sent), and reads the
 * server's clock. A script is one operation and one round trip.
 */
import { createHash } from 'node:crypto';
import type { RedisClientType } from '@keyv/redis';
import { StorageUnavailableError } from '../../storage.ts';

type Script = { text: string; sha: string };

/**
 * Fences a script against late execution. A timed-out command may still be in a buffer, and a paused Redis runs it when
 * it resumes, even if its connection is gone. So each script carries its deadline (ARGV[1], by the server's clock) and
 * does nothing after it.
 */
const fenced = (body: string) => `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now >= tonumber(ARGV[1]) then return { now } end
local function run()
${body}
end
return { now, run() or false }
`;

/** @param body Lua code that returns the result; it reads KEYS, its arguments from ARGV[2] on, and `now` in milliseconds */
export function script(body: string): Script {
  const text = fenced(body);
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

export type Commands = ReturnType<typeof createCommands>;

/** @param answerMs the time-out of an answer */
export function createCommands(client: RedisClientType, clock: ServerClock, answerMs: number) {
  let underWay = 0;
  let becomeIdle = () => {};
  /** Whether a command was given up, and no answer has come since: more commands would only pile up behind it. */
  let silent = false;

  /**
   * Waits for the answer to what is sent. The error of a time-out is made only when it is needed, since a stack costs more than a
   * command.
   */
  async function answered<T>(send: (client: RedisClientType) => Promise<T>): Promise<T> {
    if (silent) throw new StorageUnavailableError('Redis does not answer.');
    const answer = send(client);
    underWay += 1;
    let isAnswered = false;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      if (isAnswered) return;
      silent = true;
      reject(new StorageUnavailableError(`Redis did not answer within ${answerMs} ms.`));
    };
    // The answer may have come while this process was busy or frozen: it is read before `giveUp` runs.
    const timer = setTimeout(() => setImmediate(giveUp), answerMs);
    const end = () => {
      isAnswered = true;
      clearTimeout(timer);
      silent = false;
      underWay -= 1;
      if (underWay === 0) becomeIdle();
    };
    answer.then(end, end);
    answer.then(resolve, reject);
    return promise;
  }

  /** Runs a script. @returns its result, and the server's time then, epoch milliseconds */
  const run = (
    script: Script,
    keys: readonly string[] = [],
    args: readonly string[] = [],
  ): Promise<{ now: number; value: unknown }> =>
    answered(async () => {
      const givenUpAt = performance.now() + answerMs;
      for (;;) {
        const left = givenUpAt - performance.now();
        if (left <= 0) throw new StorageUnavailableError('Redis was too late, and did nothing.');
        const call = { keys: [...keys], arguments: [String(clock.deadline(left)), ...args] };
        const [now, ...values] = readAnswer(await evaluate(client, script, call));
        clock.learn(now);
        // Too late by an imprecise clock: nothing was executed, so it is tried again.
        if (values.length > 0) return { now, value: values[0] };
      }
    });

  return {
    /** Runs a read-only command. Writes are scripts, which the server refuses when they arrive too late. */
    read: answered,
    run,
    /** Resolves when no command is under way. */
    async idle(): Promise<void> {
      if (underWay === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      becomeIdle = resolve;
      await promise;
    },
  };
}

/** @returns the answer of a script: only the server's time if the script came too late @throws if the reply is no such answer */
function readAnswer(reply: unknown): [now: number, ...value: unknown[]] {
  if (!Array.isArray(reply) || typeof reply[0] !== 'number')
    throw new Error('Redis gave an unreadable answer.');
  return [reply[0], ...reply.slice(1)];
}

/** Runs a script by its hash, or by its text if the server does not have it. @returns the reply, not yet checked */
async function evaluate(
  client: RedisClientType,
  { sha, text }: Script,
  call: { keys: string[]; arguments: string[] },
): Promise<unknown> {
  try {
    return await client.evalSha(sha, call);
  } catch (error) {
    // A server has a script from its first run until it restarts.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.eval(text, call);
  }
}

export type ServerClock = ReturnType<typeof createServerClock>;

/**
 * Estimates the server's clock, never later than its real time, so that a deadline never comes too late.
 *
 * @param monotonic monotonic milliseconds
 */
export function createServerClock(monotonic: () => number = () => performance.now()) {
  let ahead: number | undefined;
  return {
    /** @param serverNow epoch milliseconds, as just reported: by now it is later, so the estimate errs on the safe side */
    learn(serverNow: number): void {
      ahead = serverNow - monotonic();
    },
    /** Discards the estimate: another server may have another clock. */
    forget(): void {
      ahead = undefined;
    },
    /** @returns the server's time in `ms` milliseconds; 0, which is past, if no estimate exists yet */
    deadline: (ms: number): number => (ahead === undefined ? 0 : Math.floor(ahead + monotonic() + ms)),
  };
}
