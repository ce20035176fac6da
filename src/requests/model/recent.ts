/** Decides what is recent, and counts the requests that one person has made or sent again within the last hour. */
import { z } from 'zod';
import { NOT_STORED } from '../../outbox/record-store.ts';

/**
 * Whether something was less than `ms` ago. Times far ahead, which a clock left before it was set back, are not recent.
 *
 * @param at and `now`: milliseconds by one clock
 */
export const isRecent = (at: number, now: number, ms: number): boolean => Math.abs(now - at) < ms;

/** The window of the limit for each person, milliseconds. */
const WINDOW_MS = 60 * 60_000;

/** The limit, where admins have set no other: well above what a person does by hand. */
export const USUAL_LIMIT = 60;
export const HIGHEST_LIMIT = 1_000;

/** The number of requests that a person may make within the window; undefined: there is no limit. */
export const limitOf = ({ requestsPerHour = USUAL_LIMIT }: Limiting): number | undefined =>
  requestsPerHour === 'unlimited' ? undefined : requestsPerHour;

type Limiting = { requestsPerHour?: number | 'unlimited' | undefined };

export const RecentRequests = z.object({
  workspace: z.string(),
  /** The person's id. */
  id: z.string(),
  version: z.number(),
  /**
   * The requests, the oldest first. `key`: identifies the form or the click, which counts once however often Slack delivers
   * it.
   */
  made: z.array(z.object({ key: z.string(), at: z.number() })),
  /** The last time at which admins were to be told that this person met the limit. */
  toldAt: z.number().optional(),
});
export type RecentRequests = z.infer<typeof RecentRequests>;

/** A person who has requested nothing yet. */
export const nothingMade = (workspace: string, person: string): RecentRequests => ({
  workspace,
  id: person,
  version: NOT_STORED,
  made: [],
});

const isWithin = (at: number | undefined, now: number): boolean =>
  at !== undefined && isRecent(at, now, WINDOW_MS);

const madeWithin = ({ made }: RecentRequests, now: number) => made.filter(({ at }) => isWithin(at, now));

/** Whether nothing depends on the record any more. */
export const isOutdated = (record: RecentRequests, now: number): boolean =>
  madeWithin(record, now).length === 0 && !isWithin(record.toldAt, now);

/** The number of requests that a person has made within the window, and the number allowed. */
export type Usage = {
  made: number;
  limit: number;
  /** The time at which the next request is possible, epoch milliseconds; undefined: now. */
  again?: number;
};

/** The share of the limit from which on the form says how much is left. */
const NEAR = 0.8;

export const isNearLimit = ({ made, limit }: Usage): boolean => made >= limit * NEAR;

export function usageOf(record: RecentRequests, limit: number, now: number): Usage {
  const made = madeWithin(record, now);
  const inTheWay = made[made.length - limit];
  return { made: made.length, limit, ...(inTheWay && { again: inTheWay.at + WINDOW_MS }) };
}

/**
 * Counts a form or a click, unless it is counted already or the limit is met.
 *
 * @returns the same record if nothing changes; `isCounted`: whether the request may be made
 */
export function withRequest(
  former: RecentRequests,
  { key, limit, now }: { key: string; limit: number; now: number },
): { record: RecentRequests; isCounted: boolean } {
  const known = madeWithin(former, now);
  const isKnown = known.some((each) => each.key === key);
  const isNew = !isKnown && known.length < limit;
  const made = isNew ? [...known, { key, at: now }] : known;
  const tells = made.length >= limit && !isWithin(former.toldAt, now);
  const record = isNew || tells ? { ...former, made, ...(tells && { toldAt: now }) } : former;
  return { record, isCounted: isKnown || isNew };
}

/** Takes back that a form or a click was counted. @returns the same record if it was not */
export function withoutRequest(record: RecentRequests, key: string): RecentRequests {
  const made = record.made.filter((each) => each.key !== key);
  return made.length === record.made.length ? record : { ...record, made };
}
