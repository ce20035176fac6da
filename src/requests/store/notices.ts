/** Stores new notices: for admins of a workspace, for one recipient, or about unmatched events, which it counts. */
import type { Log, Wake } from '../../outbox/ports.ts';
import { isUnreadable } from '../../outbox/record-store.ts';
import {
  type AdminsNotice,
  addressedTo,
  type Notice,
  type UnmatchedEvents,
} from '../model/notices/notice.ts';
import {
  countEvent,
  isCurrentHour,
  type NewEventNotice,
  newEventNotice,
  newHour,
} from '../model/notices/unmatched-events.ts';
import type { NoticeStore } from '../ports/ports.ts';
import { UNMATCHED_EVENTS } from './subjects.ts';
import { noticeEntry } from './writes.ts';

export type KeepNoticeDeps = { notices: NoticeStore; wake: Wake };

/** Creates a notice for each recipient; a repeated call notifies nobody twice. */
export async function notifyEach(
  deps: KeepNoticeDeps,
  notice: AdminsNotice,
  people: readonly string[],
): Promise<void> {
  const now = await deps.notices.now();
  for (const to of people) await keepNotice(deps, addressedTo(notice, now, to));
}

/** Stores a notice and wakes the outbox. @throws if the storage is unavailable: nobody will be told */
export async function keepNotice({ notices, wake }: KeepNoticeDeps, notice: Notice): Promise<void> {
  const { type } = await notices.create(noticeEntry(notice));
  if (type === 'created') wake(notice);
}

type Unmatched = NewEventNotice & { channel: string };

/**
 * Stores an event as a notice and counts it, in one write, so that the number that people are told is the number of the
 * stored events. An event that is stored already changes nothing.
 *
 * @throws if the storage is unavailable: the event is neither stored nor counted
 */
export async function keepCounted(deps: KeepNoticeDeps & { log: Log }, unmatched: Unmatched): Promise<void> {
  const { notices, wake, log } = deps;
  const { workspace, channel } = unmatched;
  const { records, now } = await notices.listBySubject(workspace, UNMATCHED_EVENTS, 1).catch(async (err) => {
    if (!isUnreadable(err)) throw err;
    log.error({ workspace, err }, 'count of unmatched events not readable: a new one begins');
    return { records: undefined, now: await notices.now() };
  });
  const [stored] = (records ?? []).filter(
    (each): each is UnmatchedEvents => each.type === 'unmatched_events',
  );
  const isCurrent = stored !== undefined && isCurrentHour(stored, channel, now);
  // If the count can't be read, a new one begins: a call may wait for its result until the event is stored.
  const former = records ? stored : { id: 'unreadable', at: now, posted: [] };
  const { how, hour } = countEvent(isCurrent ? stored : newHour(workspace, channel, former, now), now);
  const keptBecause = how === 'summed' ? 'summed_up' : undefined;
  const notice = newEventNotice({ ...unmatched, keptBecause }, now);
  const isNew = [{ type: 'notices', id: notice.id, version: undefined }] as const;
  const further = [{ type: 'notices', entry: noticeEntry(notice) }] as const;
  const { type } = isCurrent
    ? await notices.update(noticeEntry(hour), stored.version, isNew, further)
    : await notices.create(noticeEntry(hour), isNew, further);
  if (type === 'created' || type === 'updated') return wake(how === 'summed' ? hour : notice);
  // Another event was counted meanwhile: this one is counted after it.
  if (type !== 'unmet') return keepCounted(deps, unmatched);
}
