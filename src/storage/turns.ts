/** Turns within one process. They are forgotten when it ends: then there is a pause anyway. */
import type { Turn, Turns } from '../requests/turns.ts';

/** `free`: from when on somebody new has a turn, if none went in a burst. `waiting`: who has been promised which time. */
type Lane = { free: number; waiting: Map<string, number> };

/** @param now epoch milliseconds */
export function createTurns(now: () => number = Date.now): Turns {
  const lanes = new Map<string, Lane>();
  const holds = new Map<string, number>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { free: 0, waiting: new Map() };
    lanes.set(key, lane);
    return lane;
  }

  function promise(lane: Lane, open: number, { everyMs, burst }: Turn): number {
    const from = Math.max(lane.free, open);
    lane.free = from + everyMs;
    return Math.max(open, from - (burst - 1) * everyMs);
  }

  return {
    async take(asked) {
      const { scope, lane: name, who } = asked;
      const at = now();
      const open = Math.max(at, holds.get(scope) ?? 0);
      const lane = laneOf(`${scope} ${name}`);
      const promised = lane.waiting.get(who);
      // What was promised for a time in which all are held is promised anew.
      const stands = promised !== undefined && (open === at || promised >= open);
      const turn = stands ? promised : promise(lane, open, asked);
      if (turn > at) lane.waiting.set(who, turn);
      else lane.waiting.delete(who);
      return Math.max(0, turn - at);
    },
    async hold(scope, ms) {
      holds.set(scope, Math.max(holds.get(scope) ?? 0, now() + ms));
    },
  };
}
