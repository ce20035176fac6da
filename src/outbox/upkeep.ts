/**
 * Keeps a posted message up to date: which revision it shows, when it is updated, and whether an earlier update may still
 * overwrite newer content.
 */
import { z } from 'zod';
import type { UpdateResult } from './delivery.ts';
import { retryAt } from './record-type.ts';

export const UpkeepFields = {
  /** The revision that the message shows. */
  shown: z.number(),
  /** The failed updates in a row. */
  updateTries: z.number(),
  /** The earliest time of the next update, epoch milliseconds. */
  updateAt: z.number(),
  /** The time of one more update, epoch milliseconds: until then an earlier update may still arrive. */
  refreshAt: z.number().optional(),
};

const Upkeep = z.object(UpkeepFields);
export type Upkeep = z.infer<typeof Upkeep>;

export const newUpkeep = (now: number): Upkeep => ({ shown: 0, updateTries: 0, updateAt: now });

/**
 * An update that was tried. `rendered`: the revision that it shows. `startedAt`: when it was claimed, epoch milliseconds.
 * `apartMs`: changes within this time become one update at its end, so that a busy message takes few calls.
 */
export type Updating = {
  rendered: number;
  startedAt: number;
  now: number;
  appearMs: number;
  apartMs: number;
};

/** Returns when a posted message is to be updated, epoch milliseconds; undefined: it shows this revision. */
export function updateAtOf({ shown, updateAt, refreshAt }: Upkeep, revision: number): number | undefined {
  if (shown < revision) return updateAt;
  return refreshAt === undefined ? undefined : Math.max(updateAt, refreshAt);
}

/** The time after which a message is updated again in a channel that was archived, or that the bot has left. */
const OUT_OF_REACH_MS = 60 * 60_000;

/** Applies an update of a message that still exists. Repeating one does no harm, so doubt counts as delay. */
export function afterUpdate<U extends Upkeep>(
  upkeep: U,
  result: Exclude<UpdateResult, { type: 'gone' }>,
  { rendered, startedAt, now, appearMs, apartMs }: Updating,
): U {
  switch (result.type) {
    case 'posted':
    case 'kept':
      return {
        ...refreshed(upkeep, startedAt),
        shown: rendered,
        updateTries: 0,
        updateAt: now + apartMs,
      };
    case 'out_of_reach':
      // A new revision is tried before that.
      return { ...upkeep, shown: rendered, updateAt: now + apartMs, refreshAt: now + OUT_OF_REACH_MS };
    case 'later':
      return updatePostponed(upkeep, now, result.retryAfterMs);
    case 'doubtful':
      return refreshedAfter(updatePostponed(upkeep, now), now + appearMs);
  }
}

/** Applies an update whose claim was taken over: it may have overwritten newer content, or may do so soon. */
export function afterLateUpdate<U extends Upkeep>(
  upkeep: U,
  { type }: UpdateResult,
  { now, appearMs }: Pick<Updating, 'now' | 'appearMs'>,
): U {
  const shownAnew = { ...upkeep, shown: 0 };
  return type === 'doubtful' ? refreshedAfter(shownAnew, now + appearMs) : shownAnew;
}

export function updatePostponed<U extends Upkeep>(upkeep: U, now: number, retryAfterMs?: number): U {
  const updateTries = upkeep.updateTries + 1;
  return { ...upkeep, updateTries, updateAt: retryAt(now, updateTries, retryAfterMs) };
}

/** Owes one more update: an earlier one may still arrive until then, and overwrite newer content. */
function refreshedAfter<U extends Upkeep>(upkeep: U, at: number): U {
  return { ...upkeep, refreshAt: Math.max(upkeep.refreshAt ?? at, at) };
}

/** Fulfils the extra update if this one began late enough. */
function refreshed<U extends Upkeep>(upkeep: U, startedAt: number): U {
  const { refreshAt, ...rest } = upkeep;
  return refreshAt === undefined || startedAt < refreshAt ? upkeep : (rest as U);
}
