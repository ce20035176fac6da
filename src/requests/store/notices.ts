/** Stores new notices: for all admins of a workspace, for one recipient, or about unmatched events, which it counts. */
import type { Wake } from '../../outbox/ports.ts';
import {
  type AdminsNotice,
  addressedTo,
  type EventNotice,
  type NewAdminsNotice,
  type Notice,
  newAdminsNotice,
  type UnmatchedEvents,
} from '../model/notices/notice.ts';
import {
  counted,
  isUnderWay,
  type NewEventNotice,
  newEventNotice,
  newHour,
} from '../model/notices/unmatched-events.ts';
import type { NoticeStore } from '../ports/ports.ts';
import { UNMATCHED_EVENTS } from './subjects.ts';
import { noticeEntry } from './writes.ts';

export type NotifyAdminsDeps = { notices: NoticeStore; wake: Wake };

/** Creates a notice for all admins. @throws if the storage is unavailable: nobody will be told */
export async function notifyAdmins(deps: NotifyAdminsDeps, about: NewAdminsNotice): Promise<void> {
  await keepNotice(deps, newAdminsNotice(about, await deps.notices.now()));
}

/** Creates a notice for each recipient; a repeated call notifies nobody twice. @throws if the storage is unavailable */
export async function notifyEach(
  deps: NotifyAdminsDeps,
  notice: AdminsNotice,
  people: readonly string[],
): Promise<void> {
  const now = await deps.notices.now();
  for (const to of people) await keepNotice(deps, addressedTo(notice, now, to));
}

/** Stores a notice and wakes the outbox. @throws if the storage is unavailable: nobody will be told */
export async function keepNotice({ notices, wake }: NotifyAdminsDeps, notice: Notice): Promise<void> {
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
export async function keepCounted(deps: NotifyAdminsDeps, unmatched: Unmatched): Promise<void> {
  const { workspace, channel } = unmatched;
  for (;;) {
    const { records, now } = await deps.notices.listBySubject(workspace, UNMATCHED_EVENTS, 1);
    const [stored] = records.filter((each): each is UnmatchedEvents => each.type === 'unmatched_events');
    const isCurrent = stored !== undefined && isUnderWay(stored, channel, now);
    const { how, hour } = counted(isCurrent ? stored : newHour(workspace, channel, stored, now), now);
    const keptBecause = how === 'summed' ? 'summed_up' : undefined;
    const notice = newEventNotice({ ...unmatched, keptBecause }, now);
    const written = await writeCounted(deps, {
      hour,
      expected: isCurrent ? stored.version : undefined,
      notice,
    });
    if (written === 'unmet') return;
    // Another event was counted meanwhile: this one is counted after it.
    if (written === 'conflict') continue;
    return deps.wake(how === 'summed' ? hour : notice);
  }
}

type Counting = { hour: UnmatchedEvents; expected: number | undefined; notice: EventNotice };

/** @returns `unmet`: the event was stored before */
async function writeCounted(
  { notices }: NotifyAdminsDeps,
  { hour, expected, notice }: Counting,
): Promise<'written' | 'conflict' | 'unmet'> {
  const isNew = [{ type: 'notices', id: notice.id, version: undefined }] as const;
  const further = [{ type: 'notices', entry: noticeEntry(notice) }] as const;
  const { type } =
    expected === undefined
      ? await notices.create(noticeEntry(hour), isNew, further)
      : await notices.update(noticeEntry(hour), expected, isNew, further);
  if (type === 'created' || type === 'updated') return 'written';
  return type === 'unmet' ? 'unmet' : 'conflict';
}
