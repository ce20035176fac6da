/** Counts the unmatched events of a workspace, which decides whether each is posted or only summed up. */
import {
  type Counted,
  counted,
  isUnderWay,
  newHour,
  type UnmatchedEvents,
} from '../model/notices/unmatched-events.ts';
import { noticeEntry, UNMATCHED_EVENTS } from './entry.ts';
import type { NotifyAdminsDeps } from './notify-admins.ts';

/**
 * Counts an event once, however often it comes.
 *
 * @param id of the notice that stores it
 * @throws if the storage is unavailable: the event must be counted again
 */
export async function countUnmatched(
  { notices: store, wake }: NotifyAdminsDeps,
  { workspace, channel, id }: { workspace: string; channel: string; id: string },
): Promise<Counted['how']> {
  for (;;) {
    const { records, now } = await store.listBySubject(workspace, UNMATCHED_EVENTS, 1);
    const [stored] = records.filter((each): each is UnmatchedEvents => each.type === 'unmatched_events');
    const isCurrent = stored !== undefined && isUnderWay(stored, channel, now);
    const current = isCurrent ? stored : newHour(workspace, channel, stored, now);
    const { how, hour } = counted(current, id, now);
    if (hour === stored) return how;
    const entry = noticeEntry(hour);
    const isWritten = isCurrent
      ? (await store.update(entry, stored.version)).type === 'updated'
      : (await store.create(entry)).type === 'created';
    // Somebody else has counted an event meanwhile: this one is counted after it.
    if (!isWritten) continue;
    if (how === 'summed') wake(hour);
    return how;
  }
}
