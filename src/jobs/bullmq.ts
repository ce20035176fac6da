/**
 * Opens BullMQ's queues and workers, and adds jobs to them, with the settings and the workarounds that the bot needs. A job is
 * only a wake-up: it names a record.
 */
import { type Job as BullJob, createNodeRedisClient, Queue, Worker } from 'bullmq';
import { z } from 'zod';
import type { Log } from '../outbox/ports.ts';
import { nameOfRecord, type RecordRef } from '../outbox/record-store.ts';
import type { RunnerOptions } from './runner.ts';

/** One queue for each type of record that has effects. */
export const QUEUE_NAMES = ['requests', 'notices', 'uninstalls', 'audit_entries'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** `advance`: read the record now. `wake`: add an `advance` job once the delay is over. */
type JobName = 'advance' | 'wake';
export type Job = BullJob<RecordRef, unknown, JobName>;
export type JobQueue = Queue<RecordRef, unknown, JobName>;

/** The payload of a job. Another version may have written it. */
export const Payload = z.object({ workspace: z.string().min(1), id: z.string().min(1) });

export type QueueConnection = ReturnType<typeof connectQueues>;

/**
 * Creates one connection for all queues, because each client adapter loads all of BullMQ's scripts again. Workers wait for
 * jobs over a duplicate of it.
 */
export const connectQueues = (client: Parameters<typeof createNodeRedisClient>[0], prefix: string) => ({
  connection: withListenerAndVersion(createNodeRedisClient(client)),
  prefix: `${prefix}:jobs`,
});

/** The answer to INFO of the oldest version that the storage accepts (storage/redis/connection/check-server.ts). */
const INFO_OF_OLDEST = 'redis_version:7.0.0';

/**
 * Adds to a connection, and to its duplicates:
 * - a listener for errors. BullMQ listens only while a queue is open, and an unhandled error event would end the process, also
 *   one of a duplicate that loses its connection while the bot stops. The storage's own connection logs outages.
 * - the version. The bot's Redis user may not be allowed to run INFO. Without a version BullMQ would wait for whole
 *   seconds, as Redis before 6 requires, so a job that is due in 50 ms would run up to a second late.
 */
function withListenerAndVersion(adapter: ReturnType<typeof createNodeRedisClient>): typeof adapter {
  adapter.on('error', () => {});
  adapter.info = async () => INFO_OF_OLDEST;
  const duplicate = adapter.duplicate.bind(adapter);
  adapter.duplicate = (...options) => withListenerAndVersion(duplicate(...options));
  return adapter;
}

/** After a fault a job is retried after about 0.5, 1 and 2 s. Then the record is postponed, and the sweep finds it later. */
export const ATTEMPTS = 4;

/** Opens a queue. @param onError receives errors of the connection */
export function openQueue(
  connection: QueueConnection,
  name: QueueName | 'check',
  onError: (error: Error) => void = () => {},
): JobQueue {
  const queue: JobQueue = new Queue(name, {
    ...connection,
    // Nobody reads the stream of events, which names workspaces: each event is dropped as it is added.
    streams: { events: { maxLen: 0 } },
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
    },
  });
  queue.on('error', onError);
  return queue;
}

/** Adds a job. Waits while the queue is unreachable. @throws if the queue is closed or refuses the job */
export async function addJob(
  queue: JobQueue,
  name: JobName,
  { workspace, id }: RecordRef,
  delay = 0,
): Promise<void> {
  const key = nameOfRecord({ workspace, id });
  // One waiting job is enough. A running job is followed by another one, because the record may have changed since it
  // was read.
  const deduplication =
    name === 'advance' ? { id: key, keepLastIfActive: true } : { id: `wake ${key}`, replace: true };
  await queue.add(name, { workspace, id }, { deduplication, delay });
}

/** A job may be stalled any number of times: the claim in the record prevents a repeated effect. */
const ANY_NUMBER = 1_000_000;

/** Opens a worker, which takes jobs once its `run` is called. */
export function openWorker(
  connection: QueueConnection,
  name: QueueName,
  { taken, lockMs }: Pick<RunnerOptions, 'taken' | 'lockMs'>,
  take: (job: Job) => Promise<void>,
) {
  return new Worker<RecordRef, unknown, JobName>(name, take, {
    ...connection,
    autorun: false,
    // BullMQ delivers jobs in order of arrival, so more are taken than run, to let the workspaces take turns.
    concurrency: taken,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: ANY_NUMBER,
    // The wait before it fetches jobs again after an error, such as a lost connection. The default is 15 s.
    runRetryDelay: 1_000,
  });
}

export function logQueueError(log: Log, name: QueueName, error: Error): void {
  // An error reply of Redis begins with a word in capitals. Except for these three, nothing works until an operator fixes it.
  if (/^(?!LOADING |WRONGPASS |NOAUTH )[A-Z]+ /.test(error.message))
    log.error({ queue: name, err: error }, 'Redis refused a queue command');
  // The storage's own connection logs outages, and a password that is refused.
  else log.debug({ queue: name, err: error }, 'queue error');
}
