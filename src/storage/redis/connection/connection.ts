/**
 * Connects to Redis and fails closed: a command is answered in time, or it fails. A failed command may have been
 * executed before that, with its answer lost, but never afterwards.
 */
import type { RedisClientType } from '@keyv/redis';
import type { Log } from '../../../requests/ports/ports.ts';
import { readAnswer, type Script } from '../script.ts';
import { createServerClock, type ServerClock } from '../server-clock.ts';
import { checkServer } from './check-server.ts';
import { addressOf, type ClientAddress } from './client-address.ts';
import { createRedisClient } from './create-client.ts';
import { reasonOf } from './reason.ts';
import { countUnderWay } from './under-way.ts';

export type RedisConnection = {
  /** Runs a read-only command. Writes are scripts, which the server refuses when they arrive too late. */
  read<T>(send: (client: RedisClientType) => Promise<T>): Promise<T>;
  /** Runs a script. @returns its result, and the server's time at that moment, epoch milliseconds */
  run(
    script: Script,
    keys?: readonly string[],
    args?: readonly string[],
  ): Promise<{ now: number; value: unknown }>;
  /**
   * Connects, and checks that the server is safe for requests. From then on a lost connection is restored, forever.
   *
   * @throws in one sentence, if the server is unreachable or must not be used
   */
  open(log: Log): Promise<void>;
  /** Counts the connections so far: while the number stays, every command reaches the same server. */
  lives(): number;
  /** Waits for the answers under way, and disconnects. */
  close(): Promise<void>;
};

/** All in milliseconds. */
export type RedisLimits = {
  connect: number;
  /** The time-out of a command's answer. */
  answer: number;
  /** A connection without traffic for so long is closed. */
  silence: number;
  /** The interval of pings, which keep a healthy connection active. */
  ping: number;
};

/** Slack waits three seconds for us, and we often need several answers of the storage. */
const LIMITS: RedisLimits = { connect: 2_000, answer: 1_500, silence: 4_000, ping: 1_000 };
const LONGEST_BACKOFF_MS = 1_000;

/**
 * @param url provides user, password, database and TLS
 * @param path a socket that leads to the server, in place of its address
 */
export function createRedisConnection(
  url: string,
  limits: RedisLimits = LIMITS,
  path?: string,
): RedisConnection {
  const underWay = countUnderWay();
  /** A command was given up, and nothing has come back since: more of them would only pile up behind it. */
  let silent = false;
  let phase: 'opening' | 'open' | 'closing' = 'opening';
  const client = createFailingClient(addressOf(url, path), limits, () => phase === 'open');
  const { clock, lives } = followServer(client);

  /**
   * node-redis has no time-out for commands that were sent: this is theirs. Its error is made only when it is needed, since
   * a stack costs more than a command.
   */
  async function read<T>(send: (client: RedisClientType) => Promise<T>): Promise<T> {
    if (silent) throw new Error('Redis does not answer.');
    const answer = send(client);
    const command = underWay.begin();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      if (command.isAnswered) return;
      silent = true;
      reject(new Error(`Redis did not answer within ${limits.answer} ms.`));
    };
    // A last look for an answer that has come while this process was busy or frozen.
    const timer = setTimeout(() => setImmediate(giveUp), limits.answer);
    const end = () => {
      clearTimeout(timer);
      silent = false;
      underWay.end(command);
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
        // Too late by an imprecise clock: nothing was executed, so it is tried again.
        if (!answer.late) return answer;
      }
    });
  };

  async function close() {
    phase = 'closing';
    await underWay.idle();
    if (client.isOpen) client.destroy();
  }

  return {
    read,
    run,
    async open(log) {
      watch(client, log, () => phase === 'open');
      try {
        await connect(client);
        for (const warning of await checkServer(client)) log.warn({ storage: 'redis' }, warning);
      } catch (error) {
        await close();
        throw error;
      }
      phase = 'open';
    },
    lives,
    close,
  };
}

/**
 * Creates a client without an offline queue. The first connection is tried only once: nobody knows yet whether it ever
 * works.
 */
function createFailingClient(
  { url, socket }: ClientAddress,
  { connect: connectTimeout, silence: socketTimeout, ping: pingInterval }: RedisLimits,
  mayTryAgain: () => boolean,
): RedisClientType {
  return createRedisClient({
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

/** The server's clock, and the number of connections to it so far. The next one may lead to another server. */
function followServer(client: RedisClientType): { clock: ServerClock; lives: () => number } {
  const clock = createServerClock();
  let lives = 0;
  client.on('ready', () => {
    clock.forget();
    lives += 1;
  });
  return { clock, lives: () => lives };
}

async function evaluate(
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

/** Logs a lost connection once, and its recovery once, however many tries are between. */
function watch(client: RedisClientType, log: Log, isOpen: () => boolean): void {
  let lost = false;
  client.on('error', (error) => {
    if (!lost && isOpen()) log.warn({ err: error }, 'connection to Redis lost');
    lost = true;
  });
  client.on('ready', () => {
    if (lost && isOpen()) log.info({}, 'connection to Redis restored');
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
