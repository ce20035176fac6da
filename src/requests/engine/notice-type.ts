/** Tells the outbox how notices work: what is pending, how an effect begins and is performed, and how it is written. */
import { lateOf } from '../../outbox/attempt.ts';
import { givenUp, NOT_NEEDED } from '../../outbox/delivery.ts';
import { isSeenEffect, type MessageEffect, mayBeWritten } from '../../outbox/message.ts';
import type { ClaimGuard, Log, Wait, Wake } from '../../outbox/ports.ts';
import {
  type Begun,
  type Change,
  type Claimed,
  type Outcome,
  outcomeOf,
  type Performed,
  type RecordType,
} from '../../outbox/record-type.ts';
import { withChannel } from '../model/channels.ts';
import {
  channelOf,
  isUnaddressed,
  type Notice,
  type RenewalNotice,
  recipientOf,
  type SendingNotice,
  type TokenNotice,
} from '../model/notices/notice.ts';
import {
  applyLateNoticeUpdate,
  applyNoticeResult,
  applyNoticeTidy,
  applyNoticeUpdate,
  type NoticeEffect,
  owingNoticeTidy,
  pendingNoticeEffects,
} from '../model/notices/notice-effects.ts';
import type { Timings } from '../model/timings.ts';
import type { NoticeStore, Notifier } from '../ports/ports.ts';
import { notifyEach } from '../store/notices.ts';
import { noticeEntry } from '../store/writes.ts';

export type NoticeTypeDeps = {
  notices: NoticeStore;
  notifier: Notifier;
  wake: Wake;
  /** The notifications channel in the settings. */
  notificationsChannel: (workspace: string) => Promise<string | undefined>;
  /**
   * Whether what the notice says still holds: the token or the installation is the current one, and still refused; sending is
   * still paused, or still resumed.
   */
  isInForce: (notice: TokenNotice | RenewalNotice | SendingNotice) => Promise<boolean>;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (notice: Notice, effect: MessageEffect) => Promise<Wait>;
  timings: Timings;
  log: Log;
};

export function createNoticeType(deps: NoticeTypeDeps): RecordType<Notice, NoticeEffect> {
  const { notices, timings, log } = deps;
  return {
    store: notices,
    fieldsOf,
    level: 'info',
    nameOf: ({ type }) => `${type}_notice`,
    pending: pendingNoticeEffects,
    async begin({ record }, { type }, holder): Promise<Begun<Notice>> {
      if (type === 'remove') return { type: 'change', change: { record: undefined } };
      if (await isObsolete(deps, record, type)) return { type: 'change', change: dropped(record) };
      const { ms } = type === 'address' ? { ms: 0 } : await deps.limit(record, type);
      if (ms > 0) return { type: 'wait', ms };
      const claimed = { ...record, claim: { ...holder, effect: type } };
      return { type: 'claim', record: claimed, isSeen: isSeenEffect(type) };
    },
    perform: (_effect, notice, guard) => perform(deps, notice, guard),
    expired: (notice, claim) => ({ record: expired(timings, notice, claim) }),
    write: (before, after) => notices.update(noticeEntry(after), before.version),
    report(before, after, { outcome }) {
      if (isUndelivered(before, after, outcome)) logUndelivered(log, after, outcome.code);
    },
  };
}

const fieldsOf = ({ id, workspace }: Notice) => ({ notice: id, workspace });

/**
 * Whether the notice must no longer be posted, because an admin has connected the workspace, installed Countermand again, or
 * resumed or paused sending since.
 */
async function isObsolete(
  { isInForce }: NoticeTypeDeps,
  notice: Notice,
  effect: NoticeEffect['type'],
): Promise<boolean> {
  const isToBePosted = effect === 'post' || effect === 'address';
  const mayEnd = 'generation' in notice || 'pause' in notice;
  return isToBePosted && mayEnd && !(await isInForce(notice));
}

/** Removes an obsolete notice; while copies of it may still appear, gives it up instead, so that they are tidied. */
function dropped(notice: Notice): Change<Notice> {
  const { delivery } = notice;
  if (delivery.tidies === undefined) return { record: undefined };
  return { record: { ...notice, delivery: givenUp(delivery, NOT_NEEDED) } };
}

/**
 * Handles an expired claim: its owner is gone. A post may have been made, and an update may still arrive. A search, also one
 * for the recipients, or a tidy is simply repeated.
 */
function expired(timings: Timings, notice: Notice, claim: NonNullable<Notice['claim']>): Notice {
  const { effect, startedAt: since, expiresAt: until } = claim;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  if (effect === 'update') return applyLateNoticeUpdate(notice, interrupted, { ...timings, now: until });
  if (effect !== 'post') return notice;
  return applyNoticeResult(notice, interrupted, { ...timings, since, until, now: since });
}

type Done = Promise<Performed<Notice>>;

async function perform(deps: NoticeTypeDeps, claimed: Claimed<Notice>, guard: ClaimGuard): Done {
  const { notifier, timings } = deps;
  const { effect, startedAt: since } = claimed.claim;
  const summed = claimed.type === 'unmatched_events' ? claimed.summed : 0;
  switch (effect) {
    case 'post':
    case 'find': {
      const result = await notifier[effect](claimed, guard);
      const shown = effect === 'post' ? summed : 0;
      const attempt = (now: number) => ({ ...timings, since, until: now, now });
      const apply: Apply = (notice, now) => applyNoticeResult(notice, result, attempt(now), shown);
      const doubtful: Apply = (notice, now) => owingNoticeTidy(notice, attempt(now));
      return settled(deps, claimed, result, {
        apply,
        applyLate: lateOf(result, { posted: apply, doubtful }),
      });
    }
    case 'update': {
      const result = await notifier.update(claimed, guard);
      const updating = (now: number) => ({ ...timings, rendered: summed, startedAt: since, now });
      const late: Apply = (notice, now) => applyLateNoticeUpdate(notice, result, updating(now));
      return settled(deps, claimed, result, {
        apply: (notice, now) => applyNoticeUpdate(notice, result, updating(now)),
        applyLate: mayBeWritten(result) ? late : undefined,
      });
    }
    case 'tidy': {
      const result = await notifier.tidy(claimed, guard);
      const apply: Apply = (notice, now) => applyNoticeTidy(notice, result, now);
      return settled(deps, claimed, result, { apply });
    }
    case 'address':
      return addressed(deps, claimed, guard);
  }
}

type Apply = (notice: Notice, now: number) => Notice;

/** Applies the result of an effect, unless the notice moves to another channel, where the effect is tried again. */
async function settled(
  deps: NoticeTypeDeps,
  claimed: Claimed<Notice>,
  result: { type: string; code?: string },
  { apply, applyLate }: { apply: Apply; applyLate?: Apply | undefined },
): Done {
  const moved = await movedTo(deps, claimed, result);
  return {
    outcome: outcomeOf(result),
    apply: (notice, now) => ({ record: moved ? moved(notice) : apply(notice, now) }),
    applyLate: applyLate && ((notice, now) => ({ record: applyLate(notice, now) })),
  };
}

/** Finds the recipients. The notice is removed once each recipient has a notice of their own. */
async function addressed(deps: NoticeTypeDeps, claimed: Claimed<Notice>, guard: ClaimGuard): Done {
  if (!isUnaddressed(claimed))
    return { outcome: { result: 'addressed' }, apply: (notice) => ({ record: notice }) };
  const found = await deps.notifier.addressees(claimed, guard);
  if (found.type === 'found' && found.people.length > 0) {
    const removed = () => ({ record: undefined, first: () => notifyEach(deps, claimed, found.people) });
    return { outcome: { result: 'found', found: found.people.length }, apply: removed, applyLate: removed };
  }
  if (found.type === 'found') {
    const code = 'no_recipient';
    return {
      outcome: { result: 'refused', code },
      apply: (notice) => ({ record: { ...notice, delivery: givenUp(notice.delivery, code) } }),
    };
  }
  const { startedAt: since } = claimed.claim;
  return settled(deps, claimed, found, {
    apply: (notice, now) => applyNoticeResult(notice, found, { ...deps.timings, since, until: now, now }),
  });
}

/**
 * Follows the notifications channel if the channel of the notice is gone: Slack gives a private channel that becomes shared
 * another id, which the settings have by then.
 *
 * @returns a function that moves the notice to that channel, where the same effect is tried again; undefined if the channel
 *   is the same
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
  return (current) => withChannel({ ...current, refusedAt: undefined }, from, to);
}

/** Names the subject of a notice in the log. */
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

/** Whether a notice was given up now, or Slack has refused it in the place where it will be tried again. */
function isUndelivered(before: Notice, after: Notice, { result }: Outcome): boolean {
  if (after.delivery.status === 'given_up') return before.delivery.status !== 'given_up';
  const isInPlace = channelOf(before) === channelOf(after);
  return result === 'refused' && after.delivery.status === 'owed' && isInPlace;
}

/** Logs a notice that could not be delivered: it belongs to no request, so nobody else can be told. */
function logUndelivered(log: Log, notice: Notice, code: string | undefined): void {
  const fields = { ...fieldsOf(notice), code };
  const what = ABOUT[notice.type];
  const channel = channelOf(notice);
  if (channel !== undefined)
    log.error({ ...fields, channel }, `${what} not posted to the notifications channel`);
  else log.error({ ...fields, user: recipientOf(notice) }, `admin not notified: ${what}`);
}
