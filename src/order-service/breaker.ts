/**
 * Spares an order service that is down, or asked to slow down: for a while nobody calls it, then one after the other.
 * Whoever waits is told at once, and keeps its place.
 */
import type { Answer, WaitingWhy } from '../requests/cause.ts';
import { backoffMs } from '../requests/delivery.ts';
import type { Log, OrderCalls } from '../requests/ports.ts';
import type { RequestRecord } from '../requests/record.ts';
import type { Turn, Turns } from '../requests/turns.ts';

/** Well above what a support floor asks for; after a pause, the pace at which what has waited goes on. */
const CALLS = { lane: 'calls', everyMs: 50, burst: 40 };

/** One call without an answer may be that call's own fault. */
const FAILURES_IN_A_ROW = 3;
const LONGEST_PAUSE_MS = 30_000;

/** Why a call was not received, where it was tried. */
const TROUBLES: ReadonlySet<WaitingWhy> = new Set(['unreachable', 'rate_limited']);

export type Breaker = {
  turnOf(record: RequestRecord): Turn;
  /** The same calls; what comes of them is learnt from. */
  watch(calls: OrderCalls): OrderCalls;
};

/** @param origin of the order service; what is learnt of it is learnt for all workspaces */
export function createBreaker(turns: Pick<Turns, 'hold'>, origin: string, log: Log): Breaker {
  let inARow = 0;

  async function pause(why: WaitingWhy, ms: number): Promise<void> {
    const pauseMs = Math.min(Math.max(ms, backoffMs(inARow)), Math.max(ms, LONGEST_PAUSE_MS));
    log.warn({ origin, why, pauseMs }, 'the order service is left alone for a while');
    await turns.hold(origin, pauseMs, why).catch((err) => log.error({ err }, 'the pause was not noted'));
  }

  async function note(answer: Answer): Promise<void> {
    if (answer.type === 'said' || answer.type === 'refused') {
      inARow = 0;
      return;
    }
    const notAsked = answer.type === 'not_received' && !TROUBLES.has(answer.why);
    // One workspace without a token that works says nothing about the service, and must not slow the others down.
    if (notAsked) return;
    inARow += 1;
    if (answer.type === 'not_received') await pause(answer.why, answer.retryAfterMs ?? 0);
    else if (inARow >= FAILURES_IN_A_ROW) await pause('failing', 0);
  }

  return {
    turnOf: ({ workspace, id }) => ({ ...CALLS, scope: origin, who: `${workspace} ${id}` }),
    watch: ({ carryOut }) => ({
      async carryOut(record) {
        const answer = await carryOut(record);
        await note(answer);
        return answer;
      },
    }),
  };
}
