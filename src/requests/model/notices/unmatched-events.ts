/**
 * Makes the notices of events that belong to no request. Each event is stored as a notice of its own. Of the events of a
 * workspace within an hour, the first few are posted one by one; later ones are summed up in one message, which is kept up to
 * date.
 */
import { NOT_NEEDED, owed } from '../../../outbox/delivery.ts';
import { newUpkeep } from '../../../outbox/message.ts';
import { isRecent } from '../recent.ts';
import { type EventNotice, newNotice, type UnmatchedEvents } from './notice.ts';

/** `keptBecause`: the reason, as one word, for keeping the event without posting it; unset if merely no channel is set. */
export type NewEventNotice = Pick<EventNotice, 'workspace' | 'kind' | 'event'> & {
  channel: string | undefined;
  keptBecause?: string | undefined;
};

/** Creates the notice of an event: one, however often the event is delivered. */
export function newEventNotice(
  { workspace, kind, event, channel, keptBecause }: NewEventNotice,
  now: number,
): EventNotice {
  const about = { type: 'event' as const, workspace, kind, event };
  const notice = newNotice(about, `notice ${event.digest}`, now);
  if (channel !== undefined && keptBecause === undefined) return { ...notice, channel };
  return { ...notice, delivery: { status: 'given_up', code: keptBecause ?? 'no_channel' } };
}

const HOUR_MS = 60 * 60_000;
const POSTED_IN_AN_HOUR = 5;

const isWithinHour = (at: number, now: number): boolean => isRecent(at, now, HOUR_MS);

/** Whether events in a channel still count for this hour. */
export const isCurrentHour = (hour: UnmatchedEvents, channel: string, now: number): boolean =>
  hour.channel === channel && isWithinHour(hour.begunAt ?? hour.at, now);

/**
 * Begins an hour, with the next unmatched event. Replicas that begin it at the same time make the same record.
 *
 * @param former the hour before; undefined: none is stored
 */
export function newHour(
  workspace: string,
  channel: string,
  former: Pick<UnmatchedEvents, 'id' | 'at' | 'posted'> | undefined,
  now: number,
): UnmatchedEvents {
  const after = (former?.at ?? 0) + 1;
  const posted = (former?.posted ?? []).filter(({ at }) => isWithinHour(at, now));
  return {
    ...newNotice(
      { workspace, channel },
      `unmatched events after ${former?.id ?? ''} ${former?.at ?? ''}`,
      now,
    ),
    ...newUpkeep(now),
    type: 'unmatched_events',
    // The newest hour counts, so it must be later than the former one.
    at: Math.max(now, after),
    begunAt: now < after ? now : undefined,
    posted,
    summed: 0,
    // As long as each event is posted, there is no message.
    delivery: { status: 'given_up', code: NOT_NEEDED },
  };
}

/**
 * Counts one more event. A repeat must not come here: the hour does not know which events it has counted.
 *
 * @returns the way in which the event is reported, and the hour that counts it
 */
export function countEvent(hour: UnmatchedEvents, now: number) {
  const { posted, summed } = hour;
  if (posted.filter(({ at }) => isWithinHour(at, now)).length < POSTED_IN_AN_HOUR)
    return { how: 'posted' as const, hour: { ...hour, posted: [...posted, { at: now }] } };
  const delivery = summed === 0 ? owed(now) : hour.delivery;
  return { how: 'summed' as const, hour: { ...hour, delivery, summed: summed + 1 } };
}
