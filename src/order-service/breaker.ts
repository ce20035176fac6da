/**
 * Protects an order service that is down or asks to slow down. Failures of one workspace's calls pause that workspace
 * alone; only if no connection can be made are all workspaces paused. A caller that has to wait is told so at once, and keeps its
 * place. After a pause one request of the workspace probes the service, and not its whole queue: after failures each call may
 * lose its outcome, and after a 429 all would be turned away again.
 */
import type { BucketName, Log, RateLimiter, Wait } from '../outbox/ports.ts';
import { nameOfRecord } from '../outbox/record-store.ts';
import { backoffMs } from '../outbox/record-type.ts';
import type { Answer, WaitingReason } from '../requests/model/cause.ts';
import { currentStep, type RequestRecord } from '../requests/model/record.ts';
import { queuedSince } from '../requests/model/transition.ts';
import type { Called, OrderCalls } from '../requests/ports/ports.ts';

/** Well above the rate of a support desk. After a pause it is the rate at which waiting calls proceed. */
const CALLS = { name: 'order service', everyMs: 50, burst: 40 };

/** The failures in a row that pause a workspace: a single call without an answer may be that call's own fault. */
const FAILURES_IN_A_ROW = 3;
const LONGEST_BACKOFF_MS = 30_000;
/** The longest pause, whatever `Retry-After` says. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The time for which other calls wait for the result of a probe: longer than a call takes. */
const PROBE_MS = 30_000;
/** A request is tried once more so long before it expires: enough time for one call. */
const LAST_TRY_MS = 30_000;

type Trouble = 'unreachable' | 'rate_limited' | 'failing';

/** The trouble that other calls can expect after a call that was tried and not received. */
const TROUBLES: Partial<Record<WaitingReason, Trouble>> = {
  unreachable: 'unreachable',
  // The service accepts connections, so other calls may be served.
  disconnected: 'failing',
  rate_limited: 'rate_limited',
};

/** @param expiresAfterMs the time after which a request that could not be sent expires */
export function createBreaker(
  limiter: Pick<RateLimiter, 'take' | 'pause' | 'resume'>,
  { origin, expiresAfterMs }: { origin: string; expiresAfterMs: number },
  log: Log,
) {
  const { pause, resume } = createPauses(limiter, origin, log);
  /** The number of consecutive failures of each workspace. */
  const failures = new Map<string, number>();
  /**
   * The number of consecutive calls of each workspace whose connection could not be made, since the service last answered anybody:
   * a workspace's other failures must not lengthen the pause of all.
   */
  const unreachable = new Map<string, number>();
  /** The requests of this process that probe the service. */
  const probes = new Set<string>();

  async function learnFailure(
    workspace: string,
    { why, retryAfterMs, wasProbe }: { why: Trouble; retryAfterMs?: number | undefined; wasProbe: boolean },
  ): Promise<void> {
    // Another replica may have counted the failures before the probe.
    const before = Math.max(failures.get(workspace) ?? 0, wasProbe ? FAILURES_IN_A_ROW : 0);
    const inARow = before + 1;
    failures.set(workspace, inARow);
    const ms = retryAfterMs ?? boundedBackoffMs(inARow);
    if (why === 'unreachable') {
      // No connection is possible for anybody, whatever the workspace.
      const lost = (unreachable.get(workspace) ?? 0) + 1;
      unreachable.set(workspace, lost);
      await pause({ name: origin }, why, boundedBackoffMs(lost));
    } else unreachable.clear();
    const pausesOwn =
      why === 'rate_limited' || wasProbe || (why === 'failing' && inARow >= FAILURES_IN_A_ROW);
    if (pausesOwn) await pause({ workspace, name: CALLS.name }, why, ms, PROBE_MS);
  }

  const probeSoon = (workspace: string) =>
    pause({ workspace, name: CALLS.name }, 'failing', backoffMs(1), PROBE_MS);

  async function learn(workspace: string, answer: Answer, wasProbe: boolean): Promise<void> {
    switch (answer.type) {
      case 'said':
      case 'refused':
        failures.delete(workspace);
        unreachable.clear();
        if (wasProbe) await resume(workspace);
        return;
      case 'no_answer':
        return learnFailure(workspace, { why: 'failing', wasProbe });
      case 'not_received': {
        const why = TROUBLES[answer.why];
        if (why) return learnFailure(workspace, { why, retryAfterMs: answer.retryAfterMs, wasProbe });
        if (!wasProbe) return;
        // An interrupted probe says nothing about the service: another one has to follow.
        if (answer.why === 'interrupted') return probeSoon(workspace);
        // A problem of the workspace's own connection says nothing about the service: nobody can probe it.
        return resume(workspace);
      }
    }
  }

  return {
    /** Takes a token of the rate limit for the call of a request. */
    async take(record: RequestRecord): Promise<Wait> {
      const { workspace } = record;
      const name = nameOfRecord(record);
      // The claim of the probe was not written, so nothing was called: nobody must wait for its result.
      if (probes.delete(name)) await probeSoon(workspace);
      const wait = await limiter.take({ ...CALLS, workspace, pausedWith: origin }, `${record.id} call`);
      if (wait.isProbe) probes.add(name);
      return wait;
    },
    /** Wraps the calls to learn from their results. */
    watch: ({ carryOut }: OrderCalls): OrderCalls => ({
      async carryOut(record, guard) {
        const called = withBoundedWait(await carryOut(record, guard), longestWaitMs(record, expiresAfterMs));
        const wasProbe = probes.delete(nameOfRecord(record));
        await learn(record.workspace, called.answer, wasProbe);
        return called;
      },
    }),
  };
}

const boundedBackoffMs = (inARow: number): number => Math.min(backoffMs(inARow), LONGEST_BACKOFF_MS);

/** Creates the functions that pause and resume calls, and log that. They never throw. */
function createPauses(limiter: Pick<RateLimiter, 'pause' | 'resume'>, origin: string, log: Log) {
  return {
    async pause(of: BucketName, why: WaitingReason, ms: number, probeMs?: number): Promise<void> {
      const fields = { origin, workspace: of.workspace, why };
      try {
        await limiter.pause(of, ms, why, probeMs);
        log.warn({ event: 'calls_paused', ...fields, pauseMs: ms }, 'order service calls paused');
      } catch (err) {
        log.error({ ...fields, err }, 'pause not recorded');
      }
    },
    async resume(workspace: string): Promise<void> {
      try {
        await limiter.resume({ workspace, name: CALLS.name });
        log.info({ origin, workspace }, 'order service calls resumed');
      } catch (err) {
        log.error({ origin, workspace, err }, 'pause not ended');
      }
    },
  };
}

/** The longest wait of a request under way, so that its last try is still possible. */
const longestWaitMs = (record: RequestRecord, expiresAfterMs: number): number =>
  Math.max(backoffMs(1), queuedSince(record) + expiresAfterMs - currentStep(record).at - LAST_TRY_MS);

/** Bounds the wait that the service asks for by `Retry-After`. */
function withBoundedWait(called: Called, longestMs: number): Called {
  const { answer } = called;
  if (answer.type !== 'not_received' || answer.retryAfterMs === undefined) return called;
  const retryAfterMs = Math.min(answer.retryAfterMs, LONGEST_PAUSE_MS, longestMs);
  return { ...called, answer: { ...answer, retryAfterMs } };
}
