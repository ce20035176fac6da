/**
 * Protects an order service that is down or asks to slow down. Problems of one workspace pause that workspace alone;
 * problems that can't be its fault pause all of them. Waiting callers are told at once, and keep their places.
 */
import type { Answer, WaitingReason } from '../../requests/model/cause.ts';
import { backoffMs } from '../../requests/model/messages/delivery.ts';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import { queuedSince } from '../../requests/model/transition.ts';
import type { Log, OrderCalls } from '../../requests/ports/ports.ts';
import type { Bucket, BucketName, RateLimiter } from '../../requests/ports/rate-limiter.ts';

/** Well above the rate of a support desk. After a pause it is the rate at which waiting calls proceed. */
const CALLS = { name: 'order service', everyMs: 50, burst: 40 };

/** A single call without an answer may be that call's own fault. */
const FAILURES_IN_A_ROW = 3;
const LONGEST_BACKOFF_MS = 30_000;
/** The longest pause, whatever `Retry-After` says. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A request is tried once more so long before it expires: enough time for one call. */
const LAST_TRY_MS = 30_000;

/** Reasons of a call that was tried and not received. */
const TROUBLES: ReadonlySet<WaitingReason> = new Set(['unreachable', 'rate_limited']);

export type Breaker = {
  bucketOf(record: RequestRecord): Bucket;
  /** Wraps the calls to learn from their results. */
  watch(calls: OrderCalls): OrderCalls;
};

/**
 * @param origin the origin of the order service
 *
 * @param expiresAfterMs after how long a request that could not be sent expires
 */
export function createBreaker(
  limiter: Pick<RateLimiter, 'pause'>,
  { origin, expiresAfterMs }: { origin: string; expiresAfterMs: number },
  log: Log,
): Breaker {
  /** The number of consecutive failures of each workspace. */
  const failures = new Map<string, number>();
  /** The number of failures of each workspace since the last answer to any. */
  const failing = new Map<string, number>();

  async function pause(of: BucketName, why: WaitingReason, ms: number): Promise<void> {
    log.warn({ origin, workspace: of.workspace, why, pauseMs: ms }, 'order service calls paused');
    await limiter.pause(of, ms, why).catch((err) => log.error({ err }, 'pause not recorded'));
  }

  async function learnFailure(workspace: string, why: WaitingReason, retryAfterMs?: number): Promise<void> {
    const inARow = (failures.get(workspace) ?? 0) + 1;
    failures.set(workspace, inARow);
    const ms = retryAfterMs ?? Math.min(backoffMs(inARow), LONGEST_BACKOFF_MS);
    if (why === 'rate_limited') return pause({ workspace, name: CALLS.name }, why, ms);
    // No connection is possible for anybody, whatever the workspace.
    if (why === 'unreachable') return pause({ name: origin }, why, ms);
    failing.set(workspace, (failing.get(workspace) ?? 0) + 1);
    if (inARow >= FAILURES_IN_A_ROW) await pause({ workspace, name: CALLS.name }, why, ms);
    const isOfSeveral = failing.size > 1 && sum(failing.values()) >= FAILURES_IN_A_ROW;
    if (isOfSeveral) await pause({ name: origin }, why, ms);
  }

  async function learn(workspace: string, answer: Answer): Promise<void> {
    switch (answer.type) {
      case 'said':
      case 'refused':
        failures.delete(workspace);
        failing.clear();
        return;
      case 'no_answer':
        return learnFailure(workspace, 'failing');
      case 'not_received':
        // A problem of the workspace's own connection says nothing about the service.
        if (TROUBLES.has(answer.why)) await learnFailure(workspace, answer.why, answer.retryAfterMs);
    }
  }

  return {
    bucketOf: ({ workspace }) => ({ ...CALLS, workspace, pausedWith: origin }),
    watch: ({ carryOut }) => ({
      async carryOut(record, guard) {
        const answer = withinReason(await carryOut(record, guard), leftMs(record, expiresAfterMs));
        await learn(record.workspace, answer);
        return answer;
      },
    }),
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

/** The longest wait of a request under way, so that its last try is still possible. */
const leftMs = (record: RequestRecord, expiresAfterMs: number): number =>
  Math.max(backoffMs(1), queuedSince(record) + expiresAfterMs - currentStep(record).at - LAST_TRY_MS);

function withinReason(answer: Answer, left: number): Answer {
  if (answer.type !== 'not_received' || answer.retryAfterMs === undefined) return answer;
  return { ...answer, retryAfterMs: Math.min(answer.retryAfterMs, LONGEST_PAUSE_MS, left) };
}
