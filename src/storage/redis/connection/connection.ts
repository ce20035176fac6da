/**
 * The connection to Redis, made to fail closed. A command is answered in time, or it fails. One that failed may have
 * been done before that, and its answer lost; it is never done afterwards.
 */
import { createClient, type RedisClientType } from '@keyv/redis';
import type { Log } from '../../../requests/ports/ports.ts';
import { readAnswer, type Script } from '../script.ts';
import { createServerClock } from '../server-clock.ts';
import { checkServer } from './check-server.ts';
import { addressOf, type ClientAddress } from './client-address.ts';
import { reasonOf } from './reason.ts';

export type RedisConnection = {
  /** For commands that change nothing. Those that do are scripts, which the server refuses when they come too late. */
  read<T>(send: (client: RedisClientType) => Promise<T>): Promise<T>;
  /** @returns what the script returned, and the server's time at that moment, epoch milliseconds */
  run(
    script: Script,
    keys?: readonly string[],
    args?: readonly string[],
  ): Promise<{ now: number; value: unknown }>;
  /**
   * Connects, and checks that the server can be trusted with requests. From then on a connection that is lost is made
   * again, for ever.
   *
   * @throws in one sentence, where it can't be reached or must not be used
   */
  open(log: Log): Promise<void>;
  /** Lets what is under way be answered, and hangs up. */
  close(): Promise<void>;
};

/** All in milliseconds. */
export type RedisLimits = {
  connect: number;
  /** How long the answer to a command is waited for. */
  answer: number;
  /** A connection on which nothing moved for so long is given up. */
  silence: number;
  /** Pings keep a sound connection moving. */
  ping: number;
};

/** Slack waits three seconds for us, and often we wait for more than one answer of the storage. */
const LIMITS: RedisLimits = { connect: 2_000, answer: 1_500, silence: 4_000, ping: 1_000 };
const LONGEST_BACKOFF_MS = 1_000;

/**
 * @param url user, password, database and TLS are taken from it
 * @param path of a socket that leads to the server, in place of its address
 */
export function createRedisConnection(
  url: string,
  limits: RedisLimits = LIMITS,
  path?: string,
): RedisConnection {
  const clock = createServerClock();
  const underWay = new Set<Promise<unknown>>();
  /** A command was given up, and nothing has come back since: more of them would only pile up behind it. */
  let silent = false;
  let phase: 'opening' | 'open' | 'closing' = 'opening';
  const client = createFailingClient(addressOf(url, path), limits, () => phase === 'open');

  /**
   * node-redis has no time-out for commands that were sent: this is theirs. Its error is made only when it is needed, since
   * a stack costs more than a command.
   */
  async function read<T>(send: (client: RedisClientType) => Promise<T>): Promise<T> {
    if (silent) throw new Error('Redis does not answer.');
    const answer = send(client);
    underWay.add(answer);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      if (!underWay.has(answer)) return;
      silent = true;
      reject(new Error(`Redis did not answer within ${limits.answer} ms.`));
    };
    // A last look for an answer that has come while this process was busy or frozen.
    const timer = setTimeout(() => setImmediate(giveUp), limits.answer);
    const end = () => {
      clearTimeout(timer);
      silent = false;
      underWay.delete(answer);
    };
    answer.then(end, end);
    answer.then(resolve, reject);
    return promise;
  }

  const run: RedisConnection['run'] = (script, keys = [], args = []) => {
    const givenUpAt = performance.now() + limits.answer;
    return read(async () => {
      for (;;) {
        const left = givenUpAt - performance.now();
        if (left <= 0) throw new Error('Redis was too late, and did nothing.');
        const call = { keys: [...keys], arguments: [String(clock.deadline(left)), ...args] };
        const answer = readAnswer(await evaluate(client, script, call));
        clock.learn(answer.now);
        // Late by a clock that was not known well enough: nothing was done, so it is tried again.
        if (!answer.late) return answer;
      }
    });
  };

  async function close() {
    phase = 'closing';
    await Promise.allSettled(underWay);
    if (client.isOpen) client.destroy();
  }

  return {
    read,
    run,
    async open(log) {
      watch(client, log, () => phase === 'open');
      client.on('ready', clock.forget);
      try {
        await connect(client);
        for (const warning of await checkServer(client)) log.warn({ storage: 'redis' }, warning);
      } catch (error) {
        await close();
        throw error;
      }
      phase = 'open';
    },
    close,
  };
}

/** Keeps no command for later. The first connection is tried once: nobody knows yet whether it ever worked. */
function createFailingClient(
  { url, socket }: ClientAddress,
  { connect: connectTimeout, silence: socketTimeout, ping: pingInterval }: RedisLimits,
  mayTryAgain: () => boolean,
): RedisClientType {
  return createClient({
    url,
    disableOfflineQueue: true,
    pingInterval,
    socket: {
      ...socket,
      connectTimeout,
      socketTimeout,
      reconnectStrategy: (tries) => mayTryAgain() && backoffMs(tries),
    },
  });
}

const backoffMs = (tries: number) =>
  Math.min(20 * 2 ** tries, LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);

async function evaluate(
  client: RedisClientType,
  { sha, text }: Script,
  call: { keys: string[]; arguments: string[] },
): Promise<unknown> {
  try {
    return await client.evalSha(sha, call);
  } catch (error) {
    // A server knows a script once it has run it, and forgets it when it ends.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.eval(text, call);
  }
}

/** Tells the log once that the connection is lost, and once that it is back, however often it is tried meanwhile. */
function watch(client: RedisClientType, log: Log, isOpen: () => boolean): void {
  let lost = false;
  client.on('error', (error) => {
    if (!lost && isOpen()) log.warn({ err: error }, 'the connection to Redis is lost');
    lost = true;
  });
  client.on('ready', () => {
    if (lost && isOpen()) log.info({}, 'the connection to Redis is back');
    lost = false;
  });
}

async function connect(client: RedisClientType): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`Redis cannot be reached at STORAGE_URL (${reasonOf(error)}).`);
  }
}
