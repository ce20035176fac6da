/**
 * Spares an order service that is down, or asks to slow down. What one workspace meets holds that workspace alone; what
 * cannot be its fault holds all of them. Whoever waits is told at once, and keeps its place.
 */
import type { Answer, WaitingWhy } from '../../requests/model/cause.ts';
import { backoffMs } from '../../requests/model/delivery.ts';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import { queuedSince } from '../../requests/model/transition.ts';
import type { Log, OrderCalls } from '../../requests/ports/ports.ts';
import type { Bucket, BucketName, RateLimiter } from '../../requests/ports/rate-limiter.ts';

/** Well above what a support floor asks for; after a pause, the pace at which what has waited goes on. */
const CALLS = { name: 'order service', everyMs: 50, burst: 40 };

/** One call without an answer may be that call's own fault. */
const FAILURES_IN_A_ROW = 3;
const LONGEST_BACKOFF_MS = 30_000;
/** Whatever `Retry-After` says. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A request is tried once more this long before it expires: time enough for one call. */
const LAST_TRY_MS = 30_000;

/** Why a call was not received, where it was tried. */
const TROUBLES: ReadonlySet<WaitingWhy> = new Set(['unreachable', 'rate_limited']);

export type Breaker = {
  bucketOf(record: RequestRecord): Bucket;
  /** The same calls; what comes of them is learnt from. */
  watch(calls: OrderCalls): OrderCalls;
};

/** @param origin of the order service @param lapseMs after how long a request that could not be sent expires */
export function createBreaker(
  limiter: Pick<RateLimiter, 'pause'>,
  { origin, lapseMs }: { origin: string; lapseMs: number },
  log: Log,
): Breaker {
  /** How often in a row each workspace got no answer. */
  const failures = new Map<string, number>();
  /** The same since anybody got an answer. */
  const failing = new Map<string, number>();

  async function pause(of: BucketName, why: WaitingWhy, ms: number): Promise<void> {
    log.warn({ origin, workspace: of.workspace, why, pauseMs: ms }, 'calls to the order service are paused');
    await limiter.pause(of, ms, why).catch((err) => log.error({ err }, 'the pause was not noted'));
  }

  async function learnFailure(workspace: string, why: WaitingWhy, retryAfterMs?: number): Promise<void> {
    const inARow = (failures.get(workspace) ?? 0) + 1;
    failures.set(workspace, inARow);
    const ms = retryAfterMs ?? Math.min(backoffMs(inARow), LONGEST_BACKOFF_MS);
    if (why === 'rate_limited') return pause({ workspace, name: CALLS.name }, why, ms);
    // Nobody can connect: that has nothing to do with a workspace.
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
        // What is wrong with a workspace's own connection says nothing about the service.
        if (TROUBLES.has(answer.why)) await learnFailure(workspace, answer.why, answer.retryAfterMs);
    }
  }

  return {
    bucketOf: ({ workspace }) => ({ ...CALLS, workspace, pausedWith: origin }),
    watch: ({ carryOut }) => ({
      async carryOut(record, guard) {
        const answer = withinReason(await carryOut(record, guard), leftMs(record, lapseMs));
        await learn(record.workspace, answer);
        return answer;
      },
    }),
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

/** How long a request that is being called may wait for its last try. */
const leftMs = (record: RequestRecord, lapseMs: number): number =>
  Math.max(backoffMs(1), queuedSince(record) + lapseMs - currentStep(record).at - LAST_TRY_MS);

function withinReason(answer: Answer, left: number): Answer {
  if (answer.type !== 'not_received' || answer.retryAfterMs === undefined) return answer;
  return { ...answer, retryAfterMs: Math.min(answer.retryAfterMs, LONGEST_PAUSE_MS, left) };
}
