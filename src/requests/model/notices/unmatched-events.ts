/**
 * Counts the unmatched events of a workspace within an hour. The first few are posted one by one; later ones are summed up in
 * one message, which is kept up to date. Each event is stored as a notice of its own in any case.
 */
import { z } from 'zod';
import { Delivery, owed } from '../../../outbox/delivery.ts';
import { newUpkeep, UpkeepFields } from '../../../outbox/message.ts';
import { NOT_STORED } from '../../../outbox/record-store.ts';
import { HolderFields } from '../../../outbox/record-type.ts';
import { isRecent } from '../recent.ts';
import { requestId } from '../request-id.ts';

export const NoticeFields = {
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  at: z.number(),
  delivery: Delivery,
  claim: z
    .object({ effect: z.enum(['post', 'find', 'update', 'tidy', 'address']), ...HolderFields })
    .optional(),
};

const HOUR_MS = 60 * 60_000;
const POSTED_IN_AN_HOUR = 5;

export const UnmatchedShape = z.object({
  ...NoticeFields,
  ...UpkeepFields,
  type: z.literal('unmatched_events'),
  channel: z.string(),
  /** The beginning of the hour, if `at` only orders it, because the clock was set back since the former hour. */
  begunAt: z.number().optional(),
  /** The events that are posted one by one, of this hour and of the end of the one before. */
  posted: z.array(z.object({ at: z.number() })),
  /** The number of further events, which the message shows. */
  summed: z.number(),
});
export type UnmatchedEvents = z.infer<typeof UnmatchedShape>;

/** The delivery of a summary as long as each event is posted: there is no message. */
const NOT_NEEDED = { status: 'given_up', code: 'not_needed' } as const;

const isWithinHour = (at: number, now: number): boolean => isRecent(at, now, HOUR_MS);

/** Whether events in a channel still count for this hour. */
export const isUnderWay = (hour: UnmatchedEvents, channel: string, now: number): boolean =>
  hour.channel === channel && isWithinHour(hour.begunAt ?? hour.at, now);

/**
 * Begins an hour, with the next unmatched event. Replicas that begin it at the same time make the same record.
 *
 * @param former the hour before; undefined: none is stored
 */
export function newHour(
  workspace: string,
  channel: string,
  former: UnmatchedEvents | undefined,
  now: number,
): UnmatchedEvents {
  const id = requestId(workspace, `unmatched events after ${former?.id ?? ''} ${former?.at ?? ''}`);
  const after = (former?.at ?? 0) + 1;
  const posted = (former?.posted ?? []).filter(({ at }) => isWithinHour(at, now));
  const message = { delivery: NOT_NEEDED, ...newUpkeep(now) };
  return {
    type: 'unmatched_events',
    id,
    workspace,
    version: NOT_STORED,
    // The newest hour counts, so it must be later than the former one.
    at: Math.max(now, after),
    ...(now < after ? { begunAt: now } : {}),
    channel,
    posted,
    summed: 0,
    ...message,
  };
}

/** The way in which an event is reported, and the hour that counts it. */
export type Counted = { how: 'posted' | 'summed'; hour: UnmatchedEvents };

/** Counts one more event. A repeat must not come here: the hour does not know which events it has counted. */
export function counted(hour: UnmatchedEvents, now: number): Counted {
  const { posted, summed } = hour;
  if (posted.filter(({ at }) => isWithinHour(at, now)).length < POSTED_IN_AN_HOUR)
    return { how: 'posted', hour: { ...hour, posted: [...posted, { at: now }] } };
  const message = summed === 0 ? { delivery: owed(now) } : {};
  return { how: 'summed', hour: { ...hour, ...message, summed: summed + 1 } };
}
