/** Limits rates within one process. The state is lost with the process, but a restart is a pause of its own. */
import { type Bucket, NO_WAIT, type RateLimiter, type Wait } from '../outbox/ports.ts';
import { RUNTIME } from '../runtime.ts';

/** The time for which the limiter keeps the turn of a caller who does not come. */
export const LATE_MS = 1_000;
/** The time after which other callers ask again while that turn is kept. */
export const ASK_AGAIN_MS = 20;

/** The time after their turn at which callers lose their place. The work of a replica that died goes on elsewhere sooner. */
export const LOST_MS = 120_000;

/** The time after which callers that wait for the result of a probe ask again. */
export const PROBED_MS = 2_000;

/** `probeMs`: see `RateLimiter.pause`. `isProbed`: the pause has ended, and one caller has proceeded. */
type Pause = { until: number; why: string; probeMs?: number | undefined; isProbed?: boolean };

/** `free`: when a new caller may proceed, ignoring bursts. `queue`: the time promised to each caller, in that order. */
type State = { free: number; queue: Map<string, number>; pause?: Pause };

/** `at`: now. `open`: when the pause of a bucket ends, or now. */
type Times = { at: number; open: number };

/** Pauses shared by all workspaces are stored under a name that no workspace has. */
const SHARED = '';

/** The limits of all workspaces, by their names. */
type Limits = Map<string, Map<string, State>>;

/** Whether a pause still matters. After one with a probe it does: the first caller will be the probe. */
const isInForce = (pause: Pause | undefined, at: number): boolean =>
  pause !== undefined && (pause.until > at || pause.probeMs !== undefined);

/** The unused limits of a workspace are removed whenever it has this many more: each channel has a limit of its own. */
const REMOVE_UNUSED_EVERY = 1_000;

/** `at`: now. `lost`: callers who were promised an earlier time have lost their place. */
type Clock = { at: number; lost: number };

function stateOf(limits: Limits, workspace: string, name: string, { at, lost }: Clock): State {
  const states = limits.get(workspace) ?? new Map<string, State>();
  limits.set(workspace, states);
  const known = states.get(name);
  if (known) return known;
  if (states.size % REMOVE_UNUSED_EVERY === 0)
    for (const [other, unused] of states) {
      dropLost(unused, lost);
      const { free, queue, pause } = unused;
      if (free <= at && queue.size === 0 && !isInForce(pause, at)) states.delete(other);
    }
  const state: State = { free: 0, queue: new Map() };
  states.set(name, state);
  return state;
}

/** A clock that can't be set back: otherwise promised times would be far ahead. */
const STEADY = () => Math.floor(RUNTIME.monotonic());

/** @param now milliseconds @param lostMs see LOST_MS */
export function createRateLimiter(now: () => number = STEADY, lostMs = LOST_MS): RateLimiter {
  const limits: Limits = new Map();
  const find = (workspace: string, name: string, at = now()) =>
    stateOf(limits, workspace, name, { at, lost: at - lostMs });

  /** Returns the pause of the bucket or its shared pause, whichever ends later. */
  function pauseOf({ pause }: State, { pausedWith }: Bucket): Pause | undefined {
    const shared = pausedWith === undefined ? undefined : find(SHARED, pausedWith).pause;
    return (shared?.until ?? 0) > (pause?.until ?? 0) ? shared : pause;
  }

  function takeOne(bucket: Bucket, who: string, yields: boolean): Wait {
    const state = find(bucket.workspace, bucket.name);
    const at = now();
    dropLost(state, at - lostMs);
    const pause = pauseOf(state, bucket);
    const times = { at, open: Math.max(at, pause?.until ?? 0) };
    const reason = pause && times.open > at ? { why: pause.why } : {};
    const wait = yields ? takeIfNobodyWaits(state, times, bucket) : takeInTurn(state, times, bucket, who);
    return wait.ms > 0 ? { ...wait, ...reason } : wait;
  }

  /** Whether the caller has taken the token of the inner bucket, and waits for the outer one. A pause makes the token void. */
  function hasTaken(bucket: Bucket, { name }: { name: string }, who: string): boolean {
    const state = find(bucket.workspace, bucket.name);
    const isPaused = (pauseOf(state, bucket)?.until ?? 0) > now();
    return find(bucket.workspace, name).queue.has(who) && !state.queue.has(who) && !isPaused;
  }

  return {
    async take({ within, ...bucket }, who, yields = false) {
      const { workspace } = bucket;
      if (!within) return takeOne(bucket, who, yields);
      const wait = hasTaken(bucket, within, who) ? NO_WAIT : takeOne(bucket, who, yields);
      return wait.ms > 0 ? wait : takeOne({ ...within, workspace }, who, yields);
    },
    async pause({ workspace = SHARED, name }, ms, why, probeMs) {
      const state = find(workspace, name);
      const until = now() + ms;
      if (state.pause && !state.pause.isProbed && until <= state.pause.until) return;
      bringForward(state, until);
      state.pause = { until, why, probeMs };
    },
    async resume({ workspace = SHARED, name }) {
      const state = find(workspace, name);
      // All have asked again by then, so that they proceed in their order.
      bringForward(state, now() + PROBED_MS);
      delete state.pause;
    },
    async pauses(workspace) {
      const at = now();
      const named = [workspace, SHARED].flatMap((of) => [...(limits.get(of) ?? [])]);
      return named.flatMap(([name, { pause }]) =>
        pause && pause.until > at ? [{ name, ms: pause.until - at, why: pause.why }] : [],
      );
    },
    async forget(workspace) {
      limits.delete(workspace);
    },
  };
}

function takeInTurn(state: State, { at, open }: Times, bucket: Bucket, who: string): Wait {
  const promised = state.queue.get(who);
  // A time promised before a pause began, and now within it, is replaced.
  const stands = promised !== undefined && (open === at || promised >= open);
  const { turn, free } = stands
    ? { turn: promised, free: state.free }
    : nextTurn(state, { at, open }, bucket);
  state.free = free;
  if (turn <= at && !isAhead(state, turn, at)) {
    state.queue.delete(who);
    return probing(state, at);
  }
  // A map keeps the order of insertion: a caller with a new time goes to the end.
  if (!stands) state.queue.delete(who);
  state.queue.set(who, turn);
  return { ms: waitOf(state, turn, at) };
}

function takeIfNobodyWaits(state: State, { at, open }: Times, bucket: Bucket): Wait {
  const { turn, free } = nextTurn(state, { at, open }, bucket);
  const isWanted = state.queue.values().some((promised) => promised > at - LATE_MS);
  if (turn > at || isWanted) return { ms: Math.max(turn - at, isWanted ? bucket.everyMs : 0) };
  state.free = free;
  return NO_WAIT;
}

/** Lets a caller proceed: as the probe, for whose result the others wait, where the pause asks for one. */
function probing(state: State, at: number): Wait {
  const { pause, queue } = state;
  if (pause?.probeMs === undefined || pause.until > at) return NO_WAIT;
  pause.until = at + pause.probeMs;
  pause.isProbed = true;
  const [first] = queue.values();
  if (first !== undefined && first < pause.until) putOff(state, pause.until - first);
  return { ...NO_WAIT, isProbe: true };
}

function waitOf({ pause }: State, turn: number, at: number): number {
  const ms = turn > at ? turn - at : ASK_AGAIN_MS;
  return pause?.isProbed ? Math.min(ms, PROBED_MS) : ms;
}

/** Moves the turns of callers that wait for the result of a probe: they wait only until `until`, in the same order. */
function bringForward(state: State, until: number): void {
  const ms = state.pause?.isProbed ? state.pause.until - until : 0;
  if (ms > 0) putOff(state, -ms);
}

/** Moves all promised times, which keep their order. */
function putOff(state: State, ms: number): void {
  state.free += ms;
  for (const [who, turn] of state.queue) state.queue.set(who, turn + ms);
}

/** Whether another caller was promised an earlier time recently and has not come yet. */
function isAhead({ queue }: State, turn: number, at: number): boolean {
  for (const promised of queue.values()) {
    if (promised >= turn) return false;
    if (promised > at - LATE_MS) return true;
  }
  return false;
}

/** Removes the callers who were promised a time long ago. */
function dropLost({ queue }: State, before: number): void {
  for (const [who, promised] of queue) {
    if (promised >= before) return;
    queue.delete(who);
  }
}

/**
 * Returns the turn of the next caller, and what is `free` once it is promised. No burst follows a pause, because it would
 * overload the service that asked for the pause.
 */
function nextTurn(state: State, { at, open }: Times, { everyMs, burst }: Bucket) {
  const ahead = (burst - 1) * everyMs;
  const from = Math.max(state.free, open > at ? open + ahead : open);
  return { turn: Math.max(open, from - ahead), free: from + everyMs };
}
