/**
 * Runs pending effects on any free replica, by jobs in BullMQ. Each job is only a wake-up: it names a record, and its worker
 * reads that record. The jobs of a dead worker go to the others, and the sweep finds records whose job is lost.
 */
import { type Job as BullJob, createNodeRedisClient, type JobType, Queue, Worker } from 'bullmq';
import { z } from 'zod';
import type { Wake } from '../outbox/ports.ts';
import { nameOfRecord, type RecordRef } from '../outbox/record-store.ts';
import { createFairQueue } from './fair-queue.ts';
import {
  type Advance,
  createSweep,
  DEFAULTS,
  LONGEST_TIMER_MS,
  logFailed,
  postponeFailed,
  type Runner,
  type RunnerDeps,
} from './runner.ts';

/** One queue for each type of record that has effects. */
const QUEUE_NAMES = ['requests', 'notices', 'uninstalls', 'audit_entries'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** `advance`: read the record now. `wake`: add an `advance` job once the delay is over. */
type JobName = 'advance' | 'wake';
type Job = BullJob<RecordRef, unknown, JobName>;
type JobQueue = Queue<RecordRef, unknown, JobName>;

/** The payload of a job. Another version may have written it. */
const Payload = z.object({ workspace: z.string().min(1), id: z.string().min(1) });

export type Queues = ReturnType<typeof openQueues>;

/** Opens all queues of one Redis, over the connection that the storage has for them. */
export function openQueues(...redis: Parameters<typeof connectQueues>) {
  const connection = connectQueues(...redis);
  return {
    createRunner: (deps: RunnerDeps, name: QueueName): Runner => createQueueRunner(deps, connection, name),
    forget: (workspace: string): Promise<void> => forgetJobs(connection, workspace),
    /** Puts a job into a queue of its own, and removes both. @throws if Redis refuses it; it waits while Redis is unavailable */
    async check(): Promise<void> {
      const queue = openQueue(connection, 'check');
      try {
        await queue.add('wake', { workspace: '*', id: 'check' });
        await queue.obliterate({ force: true });
      } finally {
        await queue.close();
      }
    },
  };
}

type QueueConnection = ReturnType<typeof connectQueues>;

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
const ATTEMPTS = 4;

/** @param onError receives errors of the connection */
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

/** The share of a replica's jobs (`taken`) that may wait for a turn of one workspace. */
const SHARE_OF_JOBS = 1 / 16;

/** The most tasks of one workspace that wait in a replica, with or without a job. The sweep finds the others. */
const MOST_WAITING = 2_000;

/** Jobs that have not begun at a stop are added again, for another replica. */
const LEAVE_TO_OTHERS: Advance = async () => 0;

function createQueueRunner(deps: RunnerDeps, connection: QueueConnection, name: QueueName): Runner {
  const { runtime, log, options } = deps;
  const { sweepMs, concurrency, share, taken, stopMs, lockMs } = { ...DEFAULTS, ...options };
  const fair = createFairQueue({ concurrency, share });
  const mostJobsWaiting = Math.ceil(taken * SHARE_OF_JOBS);
  const onError = (error: Error) => {
    // An error reply of Redis begins with a word in capitals. Except for these three, nothing works until an operator fixes it.
    if (/^(?!LOADING |WRONGPASS |NOAUTH )[A-Z]+ /.test(error.message))
      log.error({ queue: name, err: error }, 'Redis refused a queue command');
    // The storage's own connection logs outages, and a password that is refused.
    else log.debug({ queue: name, err: error }, 'queue error');
  };
  const queue = openQueue(connection, name, onError);
  const active = new Set<Promise<void>>();
  let advance = LEAVE_TO_OTHERS;
  const worker = new Worker<RecordRef, unknown, JobName>(name, (job) => track(active, take(job)), {
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
  worker.on('error', onError);
  worker.on('failed', (job, error) => {
    if (job && job.attemptsMade >= ATTEMPTS) void postponeFailed(deps, job.data, error);
    else if (job) logFailed(deps, job.data, error);
  });

  function take(job: Job): Promise<void> {
    const workspace = Payload.safeParse(job.data).data?.workspace ?? '';
    const waiting = fair.waiting(workspace);
    if (waiting >= MOST_WAITING) return Promise.resolve();
    const running = fair.run(workspace, () => runJob(deps, advance, queue, job));
    if (waiting < mostJobsWaiting) return running;
    // BullMQ delivers no job of other workspaces while this workspace's jobs fill all places: this job ends now, and only
    // its task waits here. If this replica dies before its turn, the sweep finds the record.
    void track(active, running).catch((error) => postponeFailed(deps, job.data, error));
    return Promise.resolve();
  }

  const wake: Wake = (ref) => {
    // Tracked, because a terminal command stops right after its only wake-up.
    track(active, addJob(queue, 'advance', ref)).catch((error) => {
      log.warn({ ...deps.about(ref), err: error }, 'wake-up failed: left to the sweep');
    });
  };
  const sweep = createSweep(deps, { everyMs: sweepMs, wake });

  async function finish(): Promise<void> {
    await worker.close();
    // Tasks without a job end after the last job. Each adds a job again, which another replica takes.
    await Promise.all(active);
    await queue.close();
  }

  return {
    wake,
    start(given) {
      advance = given;
      worker.run().catch((error) => log.error({ queue: name, err: error }, 'queue worker failed'));
      sweep.start();
    },
    async stop() {
      advance = LEAVE_TO_OTHERS;
      sweep.stop();
      // A longer job is abandoned: its lock expires, and another replica reads the record.
      const timeout = new Promise<void>((resolve) => runtime.after(stopMs, resolve));
      await Promise.race([finish().catch(onError), timeout]);
    },
  };
}

async function runJob({ log }: RunnerDeps, advance: Advance, queue: JobQueue, job: Job): Promise<void> {
  const payload = Payload.safeParse(job.data);
  if (!payload.success) {
    log.error({ job: job.id, queue: job.queueName }, 'job without a record dropped');
    return;
  }
  if (job.name === 'wake') return addJob(queue, 'advance', payload.data);
  const dueInMs = await advance(payload.data);
  if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS)
    await addJob(queue, 'wake', payload.data, dueInMs);
}

function track(active: Set<Promise<void>>, running: Promise<void>): Promise<void> {
  const finished = running.catch(() => {}).finally(() => active.delete(finished));
  active.add(finished);
  return running;
}

/** All states of a job. A finished job names a workspace, too. */
const ALL_JOB_STATES: JobType[] = ['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'];

const JOBS_AT_ONCE = 200;

/** Removes the jobs of a workspace from all queues. */
async function forgetJobs(connection: QueueConnection, workspace: string): Promise<void> {
  for (const name of QUEUE_NAMES) {
    const queue = openQueue(connection, name);
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
async function removeJobsOf(queue: JobQueue, workspace: string, state: JobType): Promise<void> {
  for (let start = 0; ; ) {
    const jobs = await queue.getJobs(state, start, start + JOBS_AT_ONCE - 1, true);
    if (jobs.length === 0) return;
    start += jobs.length;
    // An active job is not removed, and ends by itself.
    for (const { id, data } of jobs)
      if (id && Payload.safeParse(data).data?.workspace === workspace) start -= await queue.remove(id);
  }
}
