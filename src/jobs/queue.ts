/**
 * Runs what records owe on whichever replica is free. A worker that died leaves its jobs to the others; what gets lost
 * all the same is found by the sweep.
 */
import { Worker } from 'bullmq';
import type { Trigger } from '../requests/ports/ports.ts';
import type { RecordRef } from '../requests/ports/record-store.ts';
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
} from './jobs.ts';
import { DEFAULTS, LONGEST_TIMER_MS, POSTPONED_MS, type Runner, type RunnerDeps } from './runner.ts';
import { createSweep } from './sweep.ts';

/** A job may lose its worker as often as workers die: the claim in the record is what keeps an act from being repeated. */
const ANY_NUMBER = 1_000_000;

/** Of the jobs that a replica takes, how many one workspace may keep waiting. */
const MOST_TAKEN = 1 / 16;

/** All queues of one Redis, with what waits in them. */
export type Queues = {
  createRunner(deps: RunnerDeps, name: QueueName): Runner;
  /** Removes the jobs that name a workspace. */
  forget(workspace: string): Promise<void>;
};

export function openQueues(...given: Parameters<typeof queueConnection>): Queues {
  const connection = queueConnection(...given);
  return {
    createRunner: (deps, name) => createQueueRunner(deps, connection, name),
    forget: (workspace) => forgetJobs(connection, workspace),
  };
}

/** @param name of the kind of record */
export function createQueueRunner(deps: RunnerDeps, connection: QueueConnection, name: string): Runner {
  const { runtime, log, options } = deps;
  const { sweepMs, concurrency, share, taken, stopMs, lockMs } = { ...DEFAULTS, ...options };
  const fair = createFairQueue({ concurrency, share });
  /** What goes beyond it is left to the sweep, which asks for the workspaces in turn. */
  const mostWaiting = Math.ceil(taken * MOST_TAKEN);
  const onError = (error: Error) => {
    // What Redis answers begins with a word in capitals: nothing will work until an operator has mended it.
    if (/^[A-Z]+ /.test(error.message))
      log.error({ queue: name, err: error }, 'Redis refuses what the queue needs');
    // Who is away, and for how long, the storage's own connection tells.
    else log.debug({ queue: name, err: error }, 'trouble with the queue');
  };
  const jobs = openJobs(name, connection, onError);
  const active = new Set<Promise<void>>();
  let stopped = false;
  const worker = new Worker<RecordRef, unknown, JobName>(name, (job) => track(active, take(job)), {
    ...sharedOptions(connection),
    autorun: false,
    // BullMQ hands jobs out in the order in which they came: more are taken than run, so that the workspaces go in turn.
    concurrency: taken,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: ANY_NUMBER,
  });
  worker.on('error', onError);
  worker.on('failed', (job, error) => putOff(deps, job, error));

  /** What comes, or has not begun, while this one stops is for another replica. */
  function take(job: Job): Promise<void> {
    const workspace = Payload.safeParse(job.data).data?.workspace ?? '';
    // BullMQ hands out no job of anybody else while all that may be taken wait for the share of this one workspace.
    if (fair.waiting(workspace) >= mostWaiting) return Promise.resolve();
    return fair.run(workspace, () => run(stopped ? { ...deps, advance: async () => 0 } : deps, jobs, job));
  }

  const trigger: Trigger = (ref) => {
    jobs.add('advance', ref).catch((error) => {
      log.warn({ ...deps.about(ref), err: error }, 'not triggered: left to the sweep');
    });
  };
  const sweep = createSweep(deps, { everyMs: sweepMs, trigger });

  async function finish(): Promise<void> {
    await worker.pause(true);
    await Promise.all(active);
    await worker.close();
    await jobs.close();
  }

  return {
    trigger,
    start() {
      worker.run().catch((error) => log.error({ queue: name, err: error }, 'the queue is not worked on'));
      sweep.start();
    },
    async stop() {
      stopped = true;
      sweep.stop();
      // What runs longer is not waited for: its lock expires, and another replica looks into the record.
      const patience = new Promise<void>((resolve) => runtime.after(stopMs, resolve));
      await Promise.race([finish().catch(onError), patience]);
    },
  };
}

async function run({ advance, log }: RunnerDeps, jobs: Jobs, job: Job): Promise<void> {
  const payload = Payload.safeParse(job.data);
  if (!payload.success) {
    log.error({ job: job.id, queue: job.queueName }, 'a job that names no record was dropped');
    return;
  }
  if (job.name === 'wake') return jobs.add('advance', payload.data);
  const dueInMs = await advance(payload.data);
  if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS) await jobs.add('wake', payload.data, dueInMs);
}

function track(active: Set<Promise<void>>, running: Promise<void>): Promise<void> {
  const settled = running.catch(() => {}).finally(() => active.delete(settled));
  active.add(settled);
  return running;
}

function putOff(deps: RunnerDeps, job: Job | undefined, error: Error): void {
  if (!job) return;
  const ref = job.data;
  deps.log.error({ ...deps.about(ref), err: error }, 'not advanced: it is tried again');
  if (job.attemptsMade >= ATTEMPTS) void deps.postpone(ref, POSTPONED_MS).catch(() => {});
}
