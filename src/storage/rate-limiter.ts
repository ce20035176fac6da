/** The rate limiter of one process. What it knows is gone when the process ends: then there is a pause anyway. */
import { type Bucket, NOW, type RateLimiter, type Wait } from '../requests/ports/rate-limiter.ts';
import { RUNTIME } from '../runtime.ts';

/** How long somebody is waited for who was promised an earlier time and does not come. */
export const LATE_MS = 1_000;
/** When to ask again, meanwhile. */
export const ASK_AGAIN_MS = 20;

type Pause = { until: number; why: string };

/** `free`: from when on somebody new may go, if none went in a burst. `queue`: who has been promised which time. */
type State = { free: number; queue: Map<string, number>; pause?: Pause };

/** Pauses that all workspaces share are kept under a name that no workspace has. */
const SHARED = '';

/** @param now epoch milliseconds */
export function createRateLimiter(now: () => number = RUNTIME.now): RateLimiter {
  const workspaces = new Map<string, Map<string, State>>();

  function stateOf(workspace: string, name: string): State {
    const states = workspaces.get(workspace) ?? new Map<string, State>();
    workspaces.set(workspace, states);
    const state = states.get(name) ?? { free: 0, queue: new Map() };
    states.set(name, state);
    return state;
  }

  /** The pause of the bucket or the one that it shares, whichever ends later. */
  function pauseOf({ pause }: State, { pausedWith }: Bucket): Pause | undefined {
    const shared = pausedWith === undefined ? undefined : stateOf(SHARED, pausedWith).pause;
    return (shared?.until ?? 0) > (pause?.until ?? 0) ? shared : pause;
  }

  return {
    async take(bucket, who, yields = false) {
      const state = stateOf(bucket.workspace, bucket.name);
      const at = now();
      const pause = pauseOf(state, bucket);
      const open = Math.max(at, pause?.until ?? 0);
      const why = pause && open > at ? { why: pause.why } : {};
      if (yields) return { ...takeIfNobodyWaits(state, { at, open }, bucket), ...why };
      const promised = state.queue.get(who);
      // A time that was promised within a pause is promised anew.
      const stands = promised !== undefined && (open === at || promised >= open);
      const turn = stands ? promised : promise(state, { at, open }, bucket);
      if (turn <= at && !isAhead(state, turn, at)) {
        state.queue.delete(who);
        return NOW;
      }
      state.queue.set(who, turn);
      return { ms: turn > at ? turn - at : ASK_AGAIN_MS, ...why };
    },
    async pause({ workspace = SHARED, name }, ms, why) {
      const state = stateOf(workspace, name);
      const until = now() + ms;
      if (until > (state.pause?.until ?? 0)) state.pause = { until, why };
    },
    async forget(workspace) {
      workspaces.delete(workspace);
    },
  };
}

function takeIfNobodyWaits(state: State, { at, open }: Times, bucket: Bucket): Wait {
  const next = nextTurn(state, { at, open }, bucket);
  const isWanted = [...state.queue.values()].some((promised) => promised > at - LATE_MS);
  if (next > at || isWanted) return { ms: Math.max(next - at, isWanted ? bucket.everyMs : 0) };
  promise(state, { at, open }, bucket);
  return NOW;
}

/** Whether somebody was promised an earlier time, and has not come yet, though it was not long ago. */
function isAhead({ queue }: State, turn: number, at: number): boolean {
  return [...queue.values()].some((promised) => promised < turn && promised > at - LATE_MS);
}

type Times = { at: number; open: number };

/** After a pause nobody goes in a burst: whoever asked for it would be overrun at its end. */
function nextFree(state: State, { at, open }: Times, { everyMs, burst }: Bucket): number {
  return Math.max(state.free, open > at ? open + (burst - 1) * everyMs : open);
}

function nextTurn(state: State, times: Times, bucket: Bucket): number {
  return Math.max(times.open, nextFree(state, times, bucket) - (bucket.burst - 1) * bucket.everyMs);
}

function promise(state: State, times: Times, bucket: Bucket): number {
  const turn = nextTurn(state, times, bucket);
  state.free = nextFree(state, times, bucket) + bucket.everyMs;
  return turn;
}
