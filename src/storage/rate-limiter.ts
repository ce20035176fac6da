/** Limits rates within one process. Its state is lost when the process ends, which causes a pause anyway. */
import { type Bucket, NOW, type RateLimiter, type Wait } from '../requests/ports/rate-limiter.ts';
import { RUNTIME } from '../runtime.ts';

/** The time that the limiter waits for a caller who was promised an earlier time and does not come. */
export const LATE_MS = 1_000;
/** The time after which other callers ask again. */
export const ASK_AGAIN_MS = 20;

/** How soon those who wait for the result of a probe ask again. */
export const PROBED_MS = 2_000;

/** `probeMs`: see `RateLimiter.pause`. `isProbed`: the pause has ended, and one caller has proceeded. */
type Pause = { until: number; why: string; probeMs?: number | undefined; isProbed?: boolean };

/** `free`: when a new caller may proceed, ignoring bursts. `queue`: the time promised to each caller. */
type State = { free: number; queue: Map<string, number>; pause?: Pause };

/** Pauses shared by all workspaces are stored under a name that no workspace has. */
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

  /** Returns the pause of the bucket or its shared pause, whichever ends later. */
  function pauseOf({ pause }: State, { pausedWith }: Bucket): Pause | undefined {
    const shared = pausedWith === undefined ? undefined : stateOf(SHARED, pausedWith).pause;
    return (shared?.until ?? 0) > (pause?.until ?? 0) ? shared : pause;
  }

  function takeOne(bucket: Bucket, who: string, yields: boolean): Wait {
    const state = stateOf(bucket.workspace, bucket.name);
    const at = now();
    const pause = pauseOf(state, bucket);
    const open = Math.max(at, pause?.until ?? 0);
    const why = pause && open > at ? { why: pause.why } : {};
    if (yields) return { ...takeIfNobodyWaits(state, { at, open }, bucket), ...why };
    const promised = state.queue.get(who);
    // A time promised before a pause began, and now within it, is replaced.
    const stands = promised !== undefined && (open === at || promised >= open);
    const turn = stands ? promised : promise(state, { at, open }, bucket);
    if (turn <= at && !isAhead(state, turn, at)) {
      state.queue.delete(who);
      return probing(state, at);
    }
    state.queue.set(who, turn);
    return { ms: waitOf(state, turn, at), ...why };
  }

  /** Whether the caller has taken the token of the inner bucket, and waits for the outer one. A pause makes that token void. */
  function hasTaken(bucket: Bucket, { name }: { name: string }, who: string): boolean {
    const state = stateOf(bucket.workspace, bucket.name);
    const isPaused = (pauseOf(state, bucket)?.until ?? 0) > now();
    return stateOf(bucket.workspace, name).queue.has(who) && !state.queue.has(who) && !isPaused;
  }

  return {
    async take({ within, ...bucket }, who, yields = false) {
      const { workspace } = bucket;
      if (!within) return takeOne(bucket, who, yields);
      const wait = hasTaken(bucket, within, who) ? NOW : takeOne(bucket, who, yields);
      return wait.ms > 0 ? wait : takeOne({ ...within, workspace }, who, yields);
    },
    async pause({ workspace = SHARED, name }, ms, why, probeMs) {
      const state = stateOf(workspace, name);
      const until = now() + ms;
      if (!state.pause?.isProbed && until <= (state.pause?.until ?? 0)) return;
      bringForward(state, until);
      state.pause = { until, why, probeMs };
    },
    async resume({ workspace = SHARED, name }) {
      const state = stateOf(workspace, name);
      bringForward(state, now());
      delete state.pause;
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

/** Lets a caller proceed: as the probe, for whose result the others wait, where the pause asks for one. */
function probing({ pause }: State, at: number): Wait {
  if (pause?.probeMs === undefined || pause.until > at) return NOW;
  pause.until = at + pause.probeMs;
  pause.isProbed = true;
  return { ...NOW, isProbe: true };
}

function waitOf({ pause }: State, turn: number, at: number): number {
  const ms = turn > at ? turn - at : ASK_AGAIN_MS;
  return pause?.isProbed ? Math.min(ms, PROBED_MS) : ms;
}

/** Those who wait for the result of a probe keep their order, and wait no longer than that takes. */
function bringForward(state: State, until: number): void {
  const { pause, queue } = state;
  const ms = pause?.isProbed ? pause.until - until : 0;
  if (ms <= 0) return;
  state.free -= ms;
  for (const [who, turn] of queue) queue.set(who, turn - ms);
}

/** Whether another caller was promised an earlier time recently and has not come yet. */
function isAhead({ queue }: State, turn: number, at: number): boolean {
  return [...queue.values()].some((promised) => promised < turn && promised > at - LATE_MS);
}

type Times = { at: number; open: number };

/**
 * Returns when the next caller may proceed, ignoring bursts. No burst follows a pause, because it would overload the
 * service that asked for the pause.
 */
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
