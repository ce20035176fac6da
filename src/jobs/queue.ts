/**
 * Runs pending effects on any free replica, by jobs (jobs.ts). The jobs of a dead worker go to the others, and the sweep finds
 * records whose job is lost.
 */
import { Worker } from 'bullmq';
import type { Wake } from '../outbox/ports.ts';
import type { RecordRef } from '../outbox/record-store.ts';
import { createFairQueue } from './fair-queue.ts';
import {
  ATTEMPTS,
  forgetJobs,
  type Job,
  type JobName,
  type Jobs,
  openJobs,
  Payload,
  type QueueConnection,
  type QueueName,
  queueConnection,
  sharedOptions,
  tryQueue,
} from './jobs.ts';
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

/** A job may be stalled any number of times: the claim in the record prevents a repeated effect. */
const ANY_NUMBER = 1_000_000;

/** The part of a replica's jobs that one workspace may keep waiting. */
const SHARE_OF_JOBS = 1 / 16;

/**
 * The number of tasks of one workspace that wait in a replica at most, as jobs or without one. The sweep finds the others.
 */
const MOST_WAITING = 2_000;

export type Queues = ReturnType<typeof openQueues>;

/** Opens all queues of one Redis. */
export function openQueues(...given: Parameters<typeof queueConnection>) {
  const connection = queueConnection(...given);
  return {
    createRunner: (deps: RunnerDeps, name: QueueName): Runner => createQueueRunner(deps, connection, name),
    forget: (workspace: string): Promise<void> => forgetJobs(connection, workspace),
    /** Takes a job in and out. @throws if Redis refuses it; it waits while Redis is unavailable */
    check: (): Promise<void> => tryQueue(connection),
  };
}

/** Jobs that have not begun at a stop are added again, for another replica. */
const LEAVE_TO_OTHERS: Advance = async () => 0;

export function createQueueRunner(deps: RunnerDeps, connection: QueueConnection, name: string): Runner {
  const { runtime, log, options } = deps;
  const { sweepMs, concurrency, share, taken, stopMs, lockMs } = { ...DEFAULTS, ...options };
  const fair = createFairQueue({ concurrency, share });
  const mostJobsWaiting = Math.ceil(taken * SHARE_OF_JOBS);
  const onError = (error: Error) => {
    // Error replies of Redis begin with a word in capitals: nothing works until an operator fixes it.
    if (/^(?!LOADING |WRONGPASS |NOAUTH )[A-Z]+ /.test(error.message))
      log.error({ queue: name, err: error }, 'Redis refused a queue command');
    // The storage's own connection logs outages, and a password that is refused.
    else log.debug({ queue: name, err: error }, 'queue error');
  };
  const jobs = openJobs(name, connection, onError);
  const active = new Set<Promise<void>>();
  /** Unset before the start, and during a stop. */
  let advance: Advance | undefined;
  const worker = new Worker<RecordRef, unknown, JobName>(name, (job) => track(active, take(job)), {
    ...sharedOptions(connection),
    autorun: false,
    // BullMQ delivers jobs in order of arrival, so more are taken than run, to let the workspaces take turns.
    concurrency: taken,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: ANY_NUMBER,
  });
  worker.on('error', onError);
  worker.on('failed', (job, error) => {
    if (job) onFailed(deps, job, error);
  });

  function take(job: Job): Promise<void> {
    const workspace = Payload.safeParse(job.data).data?.workspace ?? '';
    const waiting = fair.waiting(workspace);
    if (waiting >= MOST_WAITING) return Promise.resolve();
    const running = fair.run(workspace, () => runJob(deps, advance ?? LEAVE_TO_OTHERS, jobs, job));
    if (waiting < mostJobsWaiting) return running;
    // BullMQ delivers no job of other workspaces while this workspace's jobs fill all places: this job ends now, and only
    // its task waits here. If this replica dies before its turn, the sweep finds the record.
    void track(active, running).catch((error) => postponeFailed(deps, job.data, error));
    return Promise.resolve();
  }

  const wake: Wake = (ref) => {
    jobs.add('advance', ref).catch((error) => {
      log.warn({ ...deps.about(ref), err: error }, 'wake-up failed: left to the sweep');
    });
  };
  const sweep = createSweep(deps, { everyMs: sweepMs, wake });

  async function finish(): Promise<void> {
    await worker.close();
    // Tasks that are only remembered here end after the last job. Each adds a job, which another replica takes.
    await Promise.all(active);
    await jobs.close();
  }

  return {
    wake,
    start(given) {
      advance = given;
      worker.run().catch((error) => log.error({ queue: name, err: error }, 'queue worker failed'));
      sweep.start();
    },
    async stop() {
      advance = undefined;
      sweep.stop();
      // A longer job is abandoned: its lock expires, and another replica reads the record.
      const timeout = new Promise<void>((resolve) => runtime.after(stopMs, resolve));
      await Promise.race([finish().catch(onError), timeout]);
    },
  };
}

async function runJob({ log }: RunnerDeps, advance: Advance, jobs: Jobs, job: Job): Promise<void> {
  const payload = Payload.safeParse(job.data);
  if (!payload.success) {
    log.error({ job: job.id, queue: job.queueName }, 'job without a record dropped');
    return;
  }
  if (job.name === 'wake') return jobs.add('advance', payload.data);
  const dueInMs = await advance(payload.data);
  if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS) await jobs.add('wake', payload.data, dueInMs);
}

function track(active: Set<Promise<void>>, running: Promise<void>): Promise<void> {
  const finished = running.catch(() => {}).finally(() => active.delete(finished));
  active.add(finished);
  return running;
}

function onFailed(deps: RunnerDeps, job: Job, error: Error): void {
  if (job.attemptsMade >= ATTEMPTS) void postponeFailed(deps, job.data, error);
  else logFailed(deps, job.data, error);
}
