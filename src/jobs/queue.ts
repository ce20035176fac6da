/**
 * Runs pending effects on any free replica, by jobs in BullMQ. Each job is only a wake-up: it names a record, and its worker
 * reads that record. The jobs of a dead worker go to the others, and the sweep finds records whose job is lost.
 */
import type { JobType } from 'bullmq';
import type { Wake } from '../outbox/ports.ts';
import type { RecordRef } from '../outbox/record-store.ts';
import {
  ATTEMPTS,
  addJob,
  connectQueues,
  type Job,
  type JobQueue,
  logQueueError,
  openQueue,
  openWorker,
  Payload,
  QUEUE_NAMES,
  type QueueConnection,
  type QueueName,
} from './bullmq.ts';
import {
  type Advance,
  createFairQueue,
  createSweep,
  DEFAULTS,
  LONGEST_TIMER_MS,
  logFailed,
  postponeFailed,
  type Runner,
  type RunnerDeps,
} from './runner.ts';

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
        await queue.obliterate({ force: true }).catch(unlessRemoved);
      } finally {
        await queue.close();
      }
    },
  };
}

/** Takes it for success that another check has removed the queue since this one has paused it, to remove it (bullmq, obliterate). */
function unlessRemoved(error: Error): void {
  if (!error.message.includes('non-paused queue')) throw error;
}

/** The share of a replica's jobs (`taken`) that one workspace may keep waiting. */
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
  const onError = (error: Error) => logQueueError(log, name, error);
  const queue = openQueue(connection, name, onError);
  const active = new Set<Promise<void>>();
  let advance = LEAVE_TO_OTHERS;
  const worker = openWorker(connection, name, { taken, lockMs }, (job) => track(active, take(job)));
  worker.on('error', onError);
  worker.on('failed', (job, error) => {
    if (job && job.attemptsMade >= ATTEMPTS) void postponeFailed(deps, job.data, error);
    else if (job) logFailed(deps, job.data, error);
  });

  function take(job: Job): Promise<void> {
    const { data: ref } = Payload.safeParse(job.data);
    if (!ref) {
      log.error({ job: job.id, queue: name }, 'job without a record dropped');
      return Promise.resolve();
    }
    const waiting = fair.waiting(ref.workspace);
    if (waiting >= MOST_WAITING) return Promise.resolve();
    const running = fair.run(ref.workspace, () => runJob(job.name, ref));
    if (waiting < mostJobsWaiting) return running;
    // BullMQ delivers no job of other workspaces while this workspace's jobs fill all places: this job ends now, and only
    // its task waits here. If this replica dies before its turn, the sweep finds the record.
    void track(active, running).catch((error) => postponeFailed(deps, ref, error));
    return Promise.resolve();
  }

  async function runJob(what: string, ref: RecordRef): Promise<void> {
    if (what === 'wake') return addJob(queue, 'advance', ref);
    const dueInMs = await advance(ref);
    if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS) await addJob(queue, 'wake', ref, dueInMs);
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

function track(active: Set<Promise<void>>, running: Promise<void>): Promise<void> {
  const finished = running.catch(() => {}).finally(() => active.delete(finished));
  active.add(finished);
  return running;
}

/** The states of a job. A job that is done, or has failed for good, is removed at once (bullmq.ts). */
const JOB_STATES: JobType[] = ['waiting', 'delayed', 'active'];

const JOBS_AT_ONCE = 200;

/** Removes the jobs of a workspace from all queues. */
async function forgetJobs(connection: QueueConnection, workspace: string): Promise<void> {
  for (const name of QUEUE_NAMES) {
    const queue = openQueue(connection, name);
    try {
      for (const state of JOB_STATES) await removeJobsOf(queue, workspace, state);
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
