/** Tells the outbox how notices work: what is pending, how an effect begins and is performed, and how it is written. */
import { type FindResult, givenUp, type PostResult } from '../../outbox/delivery.ts';
import type { ClaimGuard, Log, Wait, Wake } from '../../outbox/ports.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import {
  type Begun,
  type Change,
  type Claimed,
  outcomeOf,
  type Performed,
  type RecordType,
} from '../../outbox/record-type.ts';
import { afterLateUpdate } from '../../outbox/upkeep.ts';
import { withChannel } from '../model/changes.ts';
import {
  channelOf,
  isUnaddressed,
  type LimitedNoticeEffect,
  type Notice,
  type NoticeEffect,
  pendingNoticeEffects,
  type RenewalNotice,
  recipientOf,
  type TokenNotice,
} from '../model/notices/notice.ts';
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

export type NoticeTypeDeps = {
  notices: NoticeStore;
  notifier: Notifier;
  wake: Wake;
  /** The notifications channel in the settings. @throws if these can't be read */
  notificationsChannel: (workspace: string) => Promise<string | undefined>;
  /** Whether the notice still holds: what it is about is the current one, and still refused. */
  isInForce: (notice: TokenNotice | RenewalNotice) => Promise<boolean>;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (notice: Notice, effect: LimitedNoticeEffect) => Promise<Wait>;
  leaveQueues: (ref: RecordRef, pending: readonly LimitedNoticeEffect[]) => Promise<void>;
  timings: Timings;
  log: Log;
};

export function createNoticeType(deps: NoticeTypeDeps): RecordType<Notice, NoticeEffect> {
  const { notices, timings, log } = deps;
  return {
    store: notices,
    fieldsOf,
    level: 'info',
    nameOf: (effect) => `${effect}_notice`,
    pending: pendingNoticeEffects,
    async begin(read, effect, holder): Promise<Begun<Notice>> {
      const { record } = read;
      if (effect === 'remove') return { type: 'change', change: { record: undefined } };
      if (await isObsolete(deps, record, effect)) return { type: 'change', change: dropped(record) };
      const { ms } = isLimited(effect) ? await deps.limit(record, effect) : { ms: 0 };
      if (ms > 0) return { type: 'wait', ms };
      const isSeen = effect === 'post' || effect === 'update';
      return { type: 'claim', record: { ...record, claim: { ...holder, effect } }, isSeen };
    },
    perform: (_effect, notice, guard) => perform(deps, notice, guard),
    expired: (notice, claim) => ({ record: expired(timings, notice, claim) }),
    write: (before, after) => notices.update(noticeEntry(after), before.version),
    report(before, after) {
      if (before.delivery.status !== 'given_up') logUndelivered(log, after);
    },
    leaveQueues: (ref, notice) =>
      deps.leaveQueues(
        ref,
        notice ? pendingNoticeEffects(notice).flatMap(({ effect }) => (isLimited(effect) ? effect : [])) : [],
      ),
  };
}

const fieldsOf = ({ id, workspace }: Notice) => ({ notice: id, workspace });

const isLimited = (effect: NoticeEffect): effect is LimitedNoticeEffect =>
  effect !== 'remove' && effect !== 'address';

/**
 * Whether the notice must not be posted any more, because an admin has connected the workspace or installed Countermand
 * again.
 */
async function isObsolete(
  { isInForce }: NoticeTypeDeps,
  notice: Notice,
  effect: NoticeEffect,
): Promise<boolean> {
  const isToBePosted = effect === 'post' || effect === 'address';
  return isToBePosted && 'generation' in notice && !(await isInForce(notice));
}

/** Keeps a notice that is obsolete while copies of it may still appear. */
function dropped(notice: Notice): Change<Notice> {
  const { delivery } = notice;
  if (delivery.tidies === undefined) return { record: undefined };
  return { record: { ...notice, delivery: givenUp(delivery, 'not_needed') } };
}

/**
 * The owner of the claim is gone. A post may have been made; a search, also one for the recipients, or a tidy is simply
 * repeated, over the same time as before.
 */
function expired(timings: Timings, notice: Notice, claim: NonNullable<Notice['claim']>): Notice {
  const { effect, startedAt: since, expiresAt: until } = claim;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  if (effect === 'update' && notice.type === 'unmatched_events')
    return afterLateUpdate(notice, interrupted, { ...timings, now: until });
  if (effect !== 'post') return notice;
  return applyNoticeResult(notice, interrupted, { ...timings, since, until, now: since });
}

type Done = Promise<Performed<Notice>>;

/** @throws if the storage can't be read or written */
async function perform(deps: NoticeTypeDeps, mine: Claimed<Notice>, guard: ClaimGuard): Done {
  switch (mine.claim.effect) {
    case 'post':
      return delivered(deps, mine, await deps.notifier.post(mine, guard));
    case 'find':
      return delivered(deps, mine, await deps.notifier.find(mine, guard));
    case 'update':
      return updated(deps, mine, guard);
    case 'tidy':
      return tidied(deps, mine, guard);
    case 'address':
      return addressed(deps, mine, guard);
  }
}

/** Applies a post or a search. */
async function delivered(deps: NoticeTypeDeps, mine: Claimed<Notice>, result: PostResult | FindResult): Done {
  const moved = await movedTo(deps, mine, result);
  const { effect, startedAt: since } = mine.claim;
  const shown = effect === 'post' && mine.type === 'unmatched_events' ? mine.summed : 0;
  const attempt = (now: number) => ({ ...deps.timings, since, until: now, now });
  return {
    outcome: outcomeOf(result),
    apply: (notice, now) => ({
      record: moved ? moved(notice) : applyNoticeResult(notice, result, attempt(now), shown),
    }),
    applyLate: (notice, now) => ({ record: applyLateNoticeResult(notice, result, attempt(now)) }),
  };
}

/** Updates the message that counts events. */
async function updated(deps: NoticeTypeDeps, mine: Claimed<Notice>, guard: ClaimGuard): Done {
  const result = await deps.notifier.update(mine, guard);
  const moved = await movedTo(deps, mine, result);
  const rendered = mine.type === 'unmatched_events' ? mine.summed : 0;
  const isWritten = result.type === 'posted' || result.type === 'doubtful';
  const given = (now: number) => ({ ...deps.timings, rendered, startedAt: mine.claim.startedAt, now });
  return {
    outcome: outcomeOf(result),
    apply(notice, now) {
      if (notice.type !== 'unmatched_events') return { record: notice };
      return { record: moved ? moved(notice) : applyNoticeUpdate(notice, result, given(now)) };
    },
    applyLate: (notice, now) => ({
      record:
        isWritten && notice.type === 'unmatched_events'
          ? afterLateUpdate(notice, result, given(now))
          : notice,
    }),
  };
}

/** Removes all copies of the notice but one. */
async function tidied(deps: NoticeTypeDeps, mine: Claimed<Notice>, guard: ClaimGuard): Done {
  const result = await deps.notifier.tidy(mine, guard);
  const moved = await movedTo(deps, mine, result);
  return {
    outcome: outcomeOf(result),
    apply: (notice, now) => ({ record: moved ? moved(notice) : applyNoticeTidy(notice, result, now) }),
  };
}

/** Finds the recipients. The notice is removed once each of them has one of their own. */
async function addressed(deps: NoticeTypeDeps, mine: Claimed<Notice>, guard: ClaimGuard): Done {
  if (!isUnaddressed(mine))
    return { outcome: { result: 'addressed' }, apply: (notice) => ({ record: notice }) };
  const found = await deps.notifier.addressees(mine, guard);
  if (found.type === 'found' && found.people.length > 0) {
    const removed = () => ({ record: undefined, first: () => notifyEach(deps, mine, found.people) });
    return { outcome: { result: 'found', found: found.people.length }, apply: removed, applyLate: removed };
  }
  const result = found.type === 'found' ? ({ type: 'refused', code: 'no_recipient' } as const) : found;
  const { startedAt: since } = mine.claim;
  return {
    outcome: outcomeOf(result),
    apply: (notice, now) => ({
      record: applyNoticeResult(notice, result, { ...deps.timings, since, until: now, now }),
    }),
  };
}

/**
 * Follows the notifications channel where the one of the notice is gone: Slack gives a private channel that becomes shared
 * another id, which the settings have by then.
 *
 * @returns moves the notice there, where the same effect is tried again; undefined if the channel is the same
 */
async function movedTo(
  { notificationsChannel }: NoticeTypeDeps,
  notice: Notice,
  result: { type: string; code?: string },
): Promise<((notice: Notice) => Notice) | undefined> {
  const from = channelOf(notice);
  if (from === undefined || result.code !== 'channel_not_found') return undefined;
  const to = await notificationsChannel(notice.workspace);
  if (to === undefined || to === from) return undefined;
  return (current) => withChannel(current, from, to);
}

/**
 * Logs a notice that could not be delivered. It belongs to no request, so nobody else can be told. It stays in
 * the inbox like any other.
 */
function logUndelivered(log: Log, notice: Notice): void {
  const { delivery } = notice;
  if (delivery.status !== 'given_up') return;
  const fields = { ...fieldsOf(notice), code: delivery.code };
  const what = ABOUT[notice.type];
  const channel = channelOf(notice);
  if (channel !== undefined)
    log.error({ ...fields, channel }, `${what} not posted to the notifications channel`);
  else log.error({ ...fields, user: recipientOf(notice) }, `admin not notified: ${what}`);
}

const ABOUT: Record<Notice['type'], string> = {
  event: 'event',
  unmatched_events: 'count of events',
  sending_paused: 'pause',
  sending_resumed: 'end of a pause',
  settings_changed: 'change of settings',
  token_refused: 'the token is refused',
  events_refused: 'events have no valid signature',
  renewal_refused: 'Slack does not renew the token',
  limit_met: 'a person has met the limit of requests',
  policy_unmet: 'too few people can approve',
};
