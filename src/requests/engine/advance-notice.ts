/**
 * Performs the pending effects of a notice like advance.ts: claim, perform, apply. The two share the model of a
 * delivery, and not the loop: a request adds the call and its pauses, events that belong to another record, and copies
 * that a frozen process removes itself; a notice adds its recipients and its removal. A loop for both would take
 * each of these as a hook that the other one leaves empty.
 */

import { givenUp } from '../../outbox/delivery.ts';
import { NOW, type Wait } from '../../outbox/rate-limiter.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import type { Replicated } from '../../outbox/replicated.ts';
import { afterLateUpdate } from '../../outbox/upkeep.ts';
import {
  isUnaddressed,
  type LimitedNoticeEffect,
  type Notice,
  type NoticeEffect,
  nextNoticeEffect,
  type TokenNotice,
} from '../model/notices/notice.ts';
import { applyNoticeResult } from '../model/notices/notice-delivery.ts';
import {
  deliver,
  findAddressees,
  isHolder,
  type NoticeEffectDeps,
  showCount,
  tidy,
  updateNotice,
} from './notice-effects.ts';

export type AdvanceNoticeDeps = NoticeEffectDeps & {
  /** Whether the notice still holds: its connection is the current one, and its calls are paused. */
  isInForce: (notice: TokenNotice) => Promise<boolean>;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (notice: Notice, effect: LimitedNoticeEffect) => Promise<Wait>;
  /**
   * Gives up the places of a notice in the queues of the rate limiter, except that of the effect that is pending. It
   * never throws.
   */
  leaveQueues: (ref: RecordRef, pending: NoticeEffect | undefined) => Promise<void>;
  replicated: Replicated;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
  owner: string;
  /** Aborted at shutdown: no new effect begins. */
  stopping: AbortSignal;
};

const MAX_TURNS = 20;

/** `since`: the time of the read, on the monotonic clock. */
type Read = { record: Notice; now: number; since: number };

function isLimited(notice: Notice, effect: NoticeEffect): effect is LimitedNoticeEffect {
  return effect !== 'remove' && effect !== 'expire_claim' && !isUnaddressed(notice);
}

/**
 * Performs all effects that are due.
 *
 * @returns milliseconds until the next effect is due; undefined if the notice is gone
 * @throws if the storage can't be read or written: the sweep tries again
 */
export async function advanceNotice(deps: AdvanceNoticeDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.notices.get(ref);
    const next = read && nextNoticeEffect(read.record, read.now);
    if (!next || next.at > read.now) {
      await deps.leaveQueues(ref, next?.effect);
      return next && next.at - read.now;
    }
    const { ms } = isLimited(read.record, next.effect) ? await deps.limit(read.record, next.effect) : NOW;
    if (ms > 0) {
      await deps.leaveQueues(ref, next.effect);
      return putOff(deps, ref, ms);
    }
    await perform(deps, { ...read, since }, next.effect);
  }
  return 0;
}

/** Without this the sweep would find it again and again before all others: it is due already. */
async function putOff({ notices }: AdvanceNoticeDeps, ref: RecordRef, ms: number): Promise<number> {
  await notices.postpone(ref, ms);
  return ms;
}

async function perform(
  deps: AdvanceNoticeDeps,
  { record: notice, now, since }: Read,
  effect: NoticeEffect,
): Promise<void> {
  switch (effect) {
    case 'remove':
      await deps.notices.remove(notice, notice.version);
      return;
    case 'expire_claim':
      await updateNotice(deps, expired(deps, notice), notice.version);
      return;
    default: {
      if (await isObsolete(deps, notice, effect)) return dropObsolete(deps, notice);
      const { timings } = deps;
      const holder = { owner: deps.owner, startedAt: now, expiresAt: now + timings.claimMs };
      const mine = { ...notice, claim: holder };
      const claim = () => updateNotice(deps, mine, notice.version);
      // A claim that a failover undoes would let another process post again, or show a number that is undone, too.
      const isSeen = effect === 'post' || effect === 'update';
      const written = await (isSeen ? deps.replicated(claim) : claim());
      if (written.type !== 'updated') return;
      const guard = {
        inTime: () => deps.monotonic() - since <= timings.claimMs / 2,
        isHeld: async () => isHolder((await deps.notices.get(mine))?.record, mine),
      };
      if (isUnaddressed(mine)) await findAddressees(deps, mine, guard);
      else if (effect === 'update') await showCount(deps, mine, guard);
      else if (effect === 'tidy') await tidy(deps, mine, guard);
      else await deliver(deps, mine, guard, effect);
    }
  }
}

/** Whether the notice must not be posted any more, because an admin has connected the workspace again. */
async function isObsolete(
  { isInForce }: AdvanceNoticeDeps,
  notice: Notice,
  effect: NoticeEffect,
): Promise<boolean> {
  const isToBePosted = effect === 'post' || isUnaddressed(notice);
  return isToBePosted && 'generation' in notice && !(await isInForce(notice));
}

/** Keeps the notice while copies of it may still appear, or another process has gone on with it. */
async function dropObsolete(deps: AdvanceNoticeDeps, notice: Notice): Promise<void> {
  const { delivery, version } = notice;
  if (delivery.tidies === undefined) await deps.notices.remove(notice, version);
  else await updateNotice(deps, { ...notice, delivery: givenUp(delivery, 'not_needed') }, version);
}

/**
 * The owner of the claim is gone. A post may have been made; a search, also one for the recipients, or a tidy is simply repeated, over
 * the same time as before.
 */
function expired({ timings }: AdvanceNoticeDeps, { claim, ...notice }: Notice): Notice {
  if (!claim) return notice;
  const { startedAt, expiresAt: until } = claim;
  if (notice.type === 'unmatched_events' && notice.delivery.status === 'posted')
    return afterLateUpdate(notice, { type: 'doubtful', code: 'interrupted' }, { ...timings, now: until });
  if (notice.delivery.status !== 'owed' || isUnaddressed(notice)) return notice;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return applyNoticeResult(notice, interrupted, { ...timings, startedAt, until, now: startedAt });
}
