/** Performs one claimed effect of a notice, and saves its result. Each function throws if the storage fails. */

import type { ClaimGuard, Log, Wake } from '../../outbox/ports.ts';
import { afterLateUpdate } from '../../outbox/upkeep.ts';
import { withChannel } from '../model/changes/moved-channel.ts';
import { type AdminsNotice, channelOf, type Notice, recipientOf } from '../model/notices/notice.ts';
import {
  applyLateNoticeResult,
  applyNoticeResult,
  applyNoticeTidy,
  applyNoticeUpdate,
} from '../model/notices/notice-delivery.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { Notifier } from '../ports/messenger.ts';
import type { NoticeStore } from '../ports/ports.ts';
import { noticeEntry } from '../store/entry.ts';
import { notifyEach } from '../store/notify-admins.ts';

export type NoticeEffectDeps = {
  notices: NoticeStore;
  notifier: Notifier;
  wake: Wake;
  /** The notifications channel in the settings. @throws if these can't be read */
  notificationsChannel: (workspace: string) => Promise<string | undefined>;
  timings: Timings;
  log: Log;
};

type Mine<N extends Notice = Notice> = N & {
  claim: NonNullable<Notice['claim']>;
};

/** Posts the notice, or searches for one that may have been posted. */
export async function deliver(
  deps: NoticeEffectDeps,
  mine: Mine,
  guard: ClaimGuard,
  effect: 'post' | 'find',
): Promise<void> {
  const { notifier } = deps;
  const result = await (effect === 'post' ? notifier.post(mine, guard) : notifier.find(mine, guard));
  const { startedAt } = mine.claim;
  await saveResult(deps, { mine, result }, (notice, now, isMine) => {
    const given = { ...deps.timings, startedAt, until: now, now };
    if (!isMine) return applyLateNoticeResult(notice, result, given);
    const shown = effect === 'post' && mine.type === 'unmatched_events' ? mine.summed : 0;
    return applyNoticeResult(notice, result, given, shown);
  });
}

/** Updates the message that counts events. */
export async function showCount(deps: NoticeEffectDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  if (mine.type !== 'unmatched_events') return;
  const { summed: rendered } = mine;
  const result = await deps.notifier.update(mine, guard);
  await saveResult(deps, { mine, result }, (notice, now, isMine) => {
    if (notice.type !== 'unmatched_events') return notice;
    const given = { ...deps.timings, rendered, now };
    if (isMine) return applyNoticeUpdate(notice, result, given);
    const isWritten = result.type === 'posted' || result.type === 'doubtful';
    return isWritten ? afterLateUpdate(notice, result, given) : notice;
  });
}

/** Removes all copies of the notice but one. */
export async function tidy(deps: NoticeEffectDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  const result = await deps.notifier.tidy(mine, guard);
  if (result.type === 'tidied') deps.log.info({ notice: mine.id, ...result }, 'duplicate notices removed');
  await saveResult(deps, { mine, result }, (notice, now, isMine) =>
    isMine ? applyNoticeTidy(notice, result, now) : notice,
  );
}

/** Finds the recipients. The notice is removed once each of them has one of their own. */
export async function findAddressees(
  deps: NoticeEffectDeps,
  mine: Mine<AdminsNotice>,
  guard: ClaimGuard,
): Promise<void> {
  const found = await deps.notifier.addressees(mine, guard);
  if (found.type === 'found' && found.people.length > 0) {
    await notifyEach(deps, mine, found.people);
    await deps.notices.remove(mine);
    return;
  }
  const result = found.type === 'found' ? ({ type: 'refused', code: 'no_recipient' } as const) : found;
  const { startedAt } = mine.claim;
  await saveResult(deps, { mine, result }, (notice, now, isMine) =>
    isMine ? applyNoticeResult(notice, result, { ...deps.timings, startedAt, until: now, now }) : notice,
  );
}

type Done = { mine: Mine; result: { type: string; code?: string } };

/** Saves the result, whatever else was written meanwhile. */
async function saveResult(
  deps: NoticeEffectDeps,
  { mine, result }: Done,
  change: (notice: Notice, now: number, isMine: boolean) => Notice,
): Promise<void> {
  const moved = await movedTo(deps, { mine, result });
  for (;;) {
    const read = await deps.notices.get(mine);
    if (!read) return;
    const isMine = isHolder(read.record, mine);
    const next = moved && isMine ? moved(read.record) : change(read.record, read.now, isMine);
    if (next === read.record) return;
    if ((await updateNotice(deps, next, read.record.version)).type !== 'updated') continue;
    if (read.record.delivery.status !== 'given_up') logUndelivered(deps.log, next);
    return;
  }
}

/**
 * Follows the notifications channel where the one of the notice is gone: Slack gives a private channel that becomes shared
 * another id, which the settings have by then.
 *
 * @returns moves the notice there, where the same effect is tried again; undefined if the channel is the same
 */
async function movedTo(
  { notificationsChannel }: NoticeEffectDeps,
  { mine, result }: Done,
): Promise<((notice: Notice) => Notice) | undefined> {
  const from = channelOf(mine);
  if (from === undefined || result.code !== 'channel_not_found') return undefined;
  const to = await notificationsChannel(mine.workspace);
  if (to === undefined || to === from) return undefined;
  return ({ claim: _released, ...notice }) => withChannel(notice, from, to);
}

/** Whether the notice carries exactly this claim. */
export function isHolder(notice: Notice | undefined, { claim: { owner, startedAt } }: Mine): boolean {
  return notice?.claim?.owner === owner && notice.claim.startedAt === startedAt;
}

/**
 * Logs a notice that could not be delivered. It belongs to no request, so nobody else can be told. It stays in
 * the inbox like any other.
 */
function logUndelivered(log: Log, notice: Notice): void {
  const { id, workspace, delivery } = notice;
  if (delivery.status !== 'given_up') return;
  const { code } = delivery;
  const what = ABOUT[notice.type];
  const channel = channelOf(notice);
  const fields = { notice: id, workspace, code };
  if (channel !== undefined)
    log.error({ ...fields, channel }, `${what} not posted to the notifications channel`);
  else log.error({ ...fields, user: recipientOf(notice) }, `admin not notified: ${what}`);
}

const ABOUT: Record<Notice['type'], string> = {
  event: 'event',
  unmatched_events: 'count of events',
  sending_paused: 'pause',
  sending_resumed: 'end of a pause',
  token_refused: 'the token is refused',
  events_refused: 'events have no valid signature',
  limit_met: 'a person has met the limit of requests',
  policy_unmet: 'too few people can approve',
};

/** Writes the notice over version `expected`, if that is the current one. */
export const updateNotice = ({ notices }: NoticeEffectDeps, notice: Notice, expected: number) =>
  notices.update(noticeEntry(notice), expected);
