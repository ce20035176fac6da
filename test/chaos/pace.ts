/** Turns come as they do in real life, only faster: a run has no hour to wait for fifty updates a minute. */
import type { Turns } from '../../src/requests/turns.ts';

const TIMES_FASTER = 200;
/** For as long as a Retry-After of this run; a service that fails in a row is left alone for no longer. */
const LONGEST_HOLD_MS = 1_000;

export function faster(turns: Turns): Turns {
  return {
    ...turns,
    take: (turn) => turns.take({ ...turn, everyMs: Math.ceil(turn.everyMs / TIMES_FASTER) }),
    hold: (scope, ms, why) => turns.hold(scope, Math.min(ms, LONGEST_HOLD_MS), why),
  };
}
