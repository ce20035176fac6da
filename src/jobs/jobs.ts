/** The jobs that wait in BullMQ. Each is only a trigger: it names a record, and whoever takes it looks into that. */
import {
  type Job as BullJob,
  type ConnectionOptions,
  createNodeRedisClient,
  type JobType,
  Queue,
} from 'bullmq';
import { z } from 'zod';
import type { RecordRef } from '../requests/ports/record-store.ts';
import { keyOf } from './runner.ts';

/** What the queue needs of the storage. */
export type QueueConnection = {
  /** Workers wait for jobs over a duplicate of it. */
  client: ConnectionOptions;
  /** Of every key. */
  prefix: string;
};

/** One for all queues: each adapter of a client would load all of BullMQ's scripts anew. */
export function queueConnection(
  client: Parameters<typeof createNodeRedisClient>[0],
  prefix: string,
): QueueConnection {
  const adapter = createNodeRedisClient(client);
  // BullMQ listens only while a queue is open; an error that nobody listens to would end the process. The storage's own
  // connection tells who is away.
  adapter.on('error', () => {});
  return { client: adapter, prefix };
}

/** To look at the record now; or, once its delay is over, to have it looked at. */
export type JobName = 'advance' | 'wake';
export type Job = BullJob<RecordRef, unknown, JobName>;

/** What a job carries. It may have been written by another version. */
export const Payload = z.object({ workspace: z.string().min(1), id: z.string().min(1) });

/** A fault is tried again after about 0.5, 1 and 2 s; then the record is put off, and the sweep comes back to it. */
export const ATTEMPTS = 4;
const BACKOFF = { type: 'exponential', delay: 500, jitter: 0.5 } as const;

export type Jobs = {
  /** While the queue can't be reached, it waits until that is mended. @throws where it is closed, or refuses the job */
  add(name: JobName, ref: RecordRef, delayMs?: number): Promise<void>;
  close(): Promise<void>;
};

/** What workers and queues are opened with alike. The server was looked at when the storage was opened. */
export const sharedOptions = ({ client, prefix }: QueueConnection) => ({
  connection: client,
  prefix: `${prefix}:jobs`,
  skipVersionCheck: true,
});

/** A queue for each kind of record. */
const QUEUE_NAMES = ['requests', 'notices', 'departures'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Also what nobody works on any more. */
const WHEREVER_THEY_ARE: JobType[] = ['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'];

const JOBS_AT_ONCE = 200;

/** Removes the jobs that name a workspace. */
export async function forgetJobs(connection: QueueConnection, workspace: string): Promise<void> {
  for (const name of QUEUE_NAMES) {
    const queue = new Queue<RecordRef, unknown, JobName>(name, {
      ...sharedOptions(connection),
      skipMetasUpdate: true,
    });
    try {
      for (const state of WHEREVER_THEY_ARE) await removeThose(queue, state, workspace);
      // They name jobs, and nobody reads them.
      await queue.trimEvents(0);
    } finally {
      await queue.close();
    }
  }
}

/** A page at a time: another workspace may have thousands of jobs. What moves meanwhile names nothing before long. */
async function removeThose(queue: Queue, state: JobType, workspace: string): Promise<void> {
  for (let start = 0; ; ) {
    const jobs = await queue.getJobs(state, start, start + JOBS_AT_ONCE - 1, true);
    if (jobs.length === 0) return;
    start += jobs.length;
    // What is being worked on in this moment is not removed, and ends by itself.
    for (const { id, data } of jobs)
      if (id && Payload.safeParse(data).data?.workspace === workspace) start -= await queue.remove(id);
  }
}

/** @param name of the kind of record @param onError is told of trouble with the connection */
export function openJobs(name: string, connection: QueueConnection, onError: (error: Error) => void): Jobs {
  const queue = new Queue<RecordRef, unknown, JobName>(name, {
    ...sharedOptions(connection),
    skipMetasUpdate: true,
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
      attempts: ATTEMPTS,
      backoff: BACKOFF,
    },
  });
  queue.on('error', onError);
  return {
    async add(jobName, { workspace, id }, delay) {
      const key = keyOf({ workspace, id });
      // One that waits is enough. One that runs is followed by another: the record may have changed since it was read.
      const deduplication =
        jobName === 'advance' ? { id: key, keepLastIfActive: true } : { id: `wake ${key}`, replace: true };
      await queue.add(jobName, { workspace, id }, { deduplication, ...(delay !== undefined && { delay }) });
    },
    close: () => queue.close(),
  };
}
