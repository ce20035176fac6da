/** Turns within one process. They are forgotten when it ends: then there is a pause anyway. */
import { NOW, type Turn, type Turns } from '../requests/turns.ts';

/** How long somebody is waited for who was promised an earlier time and does not come. */
export const LATE_MS = 1_000;
/** When to ask again, meanwhile. */
export const PAUSE_MS = 20;

/** `free`: from when on somebody new has a turn, if none went in a burst. `waiting`: who has been promised which time. */
type Lane = { free: number; waiting: Map<string, number> };

/** @param now epoch milliseconds */
export function createTurns(now: () => number = Date.now): Turns {
  const lanes = new Map<string, Lane>();
  const holds = new Map<string, { until: number; why: string }>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { free: 0, waiting: new Map() };
    lanes.set(key, lane);
    return lane;
  }

  return {
    async take(asked) {
      const { scope, lane: name, who } = asked;
      const at = now();
      const hold = holds.get(scope);
      const open = Math.max(at, hold?.until ?? 0);
      const lane = laneOf(`${scope} ${name}`);
      const promised = lane.waiting.get(who);
      // What was promised for a time in which all are held is promised anew.
      const stands = promised !== undefined && (open === at || promised >= open);
      const turn = stands ? promised : promise(lane, { at, open }, asked);
      if (turn <= at && !isAhead(lane, turn, at)) {
        lane.waiting.delete(who);
        return NOW;
      }
      lane.waiting.set(who, turn);
      return { ms: turn > at ? turn - at : PAUSE_MS, ...(hold && open > at ? { held: hold.why } : {}) };
    },
    async hold(scope, ms, why) {
      const until = now() + ms;
      if (until > (holds.get(scope)?.until ?? 0)) holds.set(scope, { until, why });
    },
    async forget(workspace) {
      const isOne = (name: string) => name.startsWith(`${workspace} `);
      holds.delete(workspace);
      for (const [key, { waiting }] of lanes) {
        if (isOne(key)) lanes.delete(key);
        for (const who of waiting.keys()) if (isOne(who)) waiting.delete(who);
      }
    },
  };
}

/** Whether somebody was promised an earlier time, and has not come yet, though it was not long ago. */
function isAhead({ waiting }: Lane, turn: number, at: number): boolean {
  return [...waiting.values()].some((promised) => promised < turn && promised > at - LATE_MS);
}

/** After a hold nobody goes in a burst: whoever asked for a pause would be overrun at its end. */
function promise(lane: Lane, { at, open }: { at: number; open: number }, { everyMs, burst }: Turn): number {
  const ahead = (burst - 1) * everyMs;
  const from = Math.max(lane.free, open > at ? open + ahead : open);
  lane.free = from + everyMs;
  return Math.max(open, from - ahead);
}
