/** Manages the jobs in BullMQ. Each job is only a wake-up: it names a record, and its worker reads that record. */
import {
  type Job as BullJob,
  type ConnectionOptions,
  createNodeRedisClient,
  type JobType,
  Queue,
} from 'bullmq';
import { z } from 'zod';
import { nameOfRecord, type RecordRef } from '../outbox/record-store.ts';

/** The storage's connection, for the queue. */
export type QueueConnection = {
  /** The client; workers wait for jobs over a duplicate of it. */
  client: ConnectionOptions;
  prefix: string;
};

/** Creates one connection for all queues, because each client adapter loads all of BullMQ's scripts again. */
export function queueConnection(
  client: Parameters<typeof createNodeRedisClient>[0],
  prefix: string,
): QueueConnection {
  return { client: withListenerAndVersion(createNodeRedisClient(client)), prefix };
}

type Adapter = ReturnType<typeof createNodeRedisClient>;

/** The answer to INFO of the oldest version that the storage accepts (storage/redis/connection/check-server.ts). */
const INFO_OF_OLDEST = 'redis_version:7.0.0';

/**
 * Adds to a connection, and to its duplicates:
 * - a listener for errors. BullMQ listens only while a queue is open, and an unhandled error event would end the process, also
 *   one of a duplicate that loses its connection while the bot stops. The storage's own connection logs outages.
 * - the version. The bot's Redis user may not be allowed to run INFO. Without a version BullMQ would wait for whole
 *   seconds, as Redis before 6 requires, so a job that is due in 50 ms would run up to a second late.
 */
function withListenerAndVersion(adapter: Adapter): Adapter {
  adapter.on('error', () => {});
  adapter.info = async () => INFO_OF_OLDEST;
  const duplicate = adapter.duplicate.bind(adapter);
  adapter.duplicate = (...options) => withListenerAndVersion(duplicate(...options));
  return adapter;
}

/** `advance`: read the record now. `wake`: add an `advance` job once the delay is over. */
export type JobName = 'advance' | 'wake';
export type Job = BullJob<RecordRef, unknown, JobName>;

/** The payload of a job. Another version may have written it. */
export const Payload = z.object({ workspace: z.string().min(1), id: z.string().min(1) });

/**
 * After a fault a job is retried after about 0.5, 1 and 2 s. Then the record is postponed, and the sweep finds it
 * later.
 */
export const ATTEMPTS = 4;
const BACKOFF = { type: 'exponential', delay: 500, jitter: 0.5 } as const;

export type Jobs = ReturnType<typeof openJobs>;

export const sharedOptions = ({ client, prefix }: QueueConnection) => ({
  connection: client,
  prefix: `${prefix}:jobs`,
});

/** One queue for each type of record that has effects. */
const QUEUE_NAMES = ['requests', 'notices', 'uninstalls', 'audit_entries'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** All states of a job: a finished one, too, names a workspace. */
const ALL_JOB_STATES: JobType[] = ['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'];

const JOBS_AT_ONCE = 200;

/** Removes the jobs of a workspace from all queues. */
export async function forgetJobs(connection: QueueConnection, workspace: string): Promise<void> {
  for (const name of QUEUE_NAMES) {
    const queue = new Queue<RecordRef, unknown, JobName>(name, {
      ...sharedOptions(connection),
      skipMetasUpdate: true,
    });
    try {
      for (const state of ALL_JOB_STATES) await removeJobsOf(queue, workspace, state);
    } finally {
      await queue.close();
    }
  }
}

/**
 * Removes jobs page by page, because another workspace may have thousands of jobs. A job that changes state meanwhile
 * ends soon, for lack of a record.
 */
async function removeJobsOf(queue: Queue, workspace: string, state: JobType): Promise<void> {
  for (let start = 0; ; ) {
    const jobs = await queue.getJobs(state, start, start + JOBS_AT_ONCE - 1, true);
    if (jobs.length === 0) return;
    start += jobs.length;
    // An active job is not removed, and ends by itself.
    for (const { id, data } of jobs)
      if (id && Payload.safeParse(data).data?.workspace === workspace) start -= await queue.remove(id);
  }
}

/** Puts a job into a queue of its own, and removes both. @throws if Redis refuses it */
export async function tryQueue(connection: QueueConnection): Promise<void> {
  const queue = new Queue('check', sharedOptions(connection));
  queue.on('error', () => {});
  try {
    await queue.add('wake', { workspace: '*', id: 'check' });
    await queue.obliterate({ force: true });
  } finally {
    await queue.close();
  }
}

/** @param name the type of record @param onError receives errors of the connection */
export function openJobs(name: string, connection: QueueConnection, onError: (error: Error) => void) {
  const queue = new Queue<RecordRef, unknown, JobName>(name, {
    ...sharedOptions(connection),
    // Nobody reads the stream of events, which names workspaces: each event is dropped as it is added.
    streams: { events: { maxLen: 0 } },
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
      attempts: ATTEMPTS,
      backoff: BACKOFF,
    },
  });
  queue.on('error', onError);
  return {
    /** Adds a job. Waits while the queue is unreachable. @throws if the queue is closed or refuses the job */
    async add(jobName: JobName, { workspace, id }: RecordRef, delay?: number): Promise<void> {
      const key = nameOfRecord({ workspace, id });
      // One waiting job is enough. A running job is followed by another one, because the record may have changed since it
      // was read.
      const deduplication =
        jobName === 'advance' ? { id: key, keepLastIfActive: true } : { id: `wake ${key}`, replace: true };
      await queue.add(jobName, { workspace, id }, { deduplication, ...(delay !== undefined && { delay }) });
    },
    close: () => queue.close(),
  };
}
