/**
 * The pause of a workspace's calls, from the 401 that began it to the call that ended it. A 401 need not be final: a gateway
 * or an outage of the service gives some, too. So the token is checked by a GET after a growing wait. An answer other than
 * 401 lets one call through, because a scoped token may be refused the GET, and that call decides.
 */
import { z } from 'zod';
import { isRecent } from '../../../requests/model/recent.ts';

/** All times are epoch milliseconds by the store's clock. */
export const TokenPause = z.object({
  /** `open`: one call may be made. `over`: calls go on; a new refusal soon after counts as the next one in a row. */
  state: z.enum(['paused', 'open', 'over']),
  /** The beginning of the pause. */
  since: z.number(),
  /** The refusals in a row. */
  refusals: z.number(),
  /** The next check of the token or, if the pause is over, the time at which it is forgotten. */
  dueAt: z.number(),
  /** The beginning of the last state. */
  at: z.number(),
  /** Whether the admins' notice is stored. */
  told: z.boolean(),
});
export type TokenPause = z.infer<typeof TokenPause>;

/** Each refusal in a row doubles the wait. */
export type PauseTimes = { firstMs: number; longestMs: number };

export const PAUSE_TIMES: PauseTimes = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };

const waitMs = ({ firstMs, longestMs }: PauseTimes, refusals: number): number =>
  Math.min(firstMs * 2 ** Math.min(refusals - 1, 30), longestMs);

/** @returns undefined if calls are not paused */
export const pauseIn = ({ pause }: { pause?: TokenPause | undefined }): TokenPause | undefined =>
  pause?.state === 'over' ? undefined : pause;

/**
 * Applies a 401. Those of calls that were under way when the pause began say nothing new.
 *
 * @param isTrial whether the call was the one that an open pause lets through
 */
export function afterRefusal(
  known: TokenPause | undefined,
  isTrial: boolean,
  now: number,
  times: PauseTimes,
): TokenPause {
  if (known && known.state !== 'over' && !isTrial) return known;
  // Admins are told once of a token that is refused now and then.
  const isNext = known && (isTrial || isRecent(known.at, now, waitMs(times, known.refusals + 1)));
  const { since, refusals, told } = isNext ? known : { since: now, refusals: 0, told: false };
  const dueAt = now + waitMs(times, refusals + 1);
  return { state: 'paused', since, refusals: refusals + 1, dueAt, at: now, told };
}

/** Begins a check. If it gets no answer, the next one comes after the same wait. */
export const checking = (pause: TokenPause, now: number, times: PauseTimes): TokenPause => ({
  ...pause,
  dueAt: now + waitMs(times, pause.refusals),
});

export const opened = (pause: TokenPause, now: number): TokenPause => ({ ...pause, state: 'open', at: now });

/** Gives the one call to whoever asked first. Without a verdict about it, the token is checked again. */
export const callTaken = (pause: TokenPause, now: number, times: PauseTimes): TokenPause => ({
  ...checking(pause, now, times),
  state: 'paused',
  at: now,
});

export const ended = (pause: TokenPause, now: number, { longestMs }: PauseTimes): TokenPause => ({
  ...pause,
  state: 'over',
  at: now,
  dueAt: now + longestMs,
});
