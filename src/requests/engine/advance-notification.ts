/** Does what a notice owes, in the way of advance.ts: claim, act, write down. */

import type { Timings } from '../model/pending-effects.ts';
import {
  isUnaddressed,
  type LimitedNoticeAct,
  type Notice,
  type NoticeAct,
  nextNoticeAct,
  settleLateNotice,
  settleNotice,
  settleNoticeTidy,
  type TokenNotice,
} from '../model/workspace-notification.ts';
import type { ClaimGuard, Log, NoticeStore, Notifier, Trigger } from '../ports/ports.ts';
import { NOW, type Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { noticeEntry } from '../store/entry.ts';
import { tellEach } from '../store/notify-admins.ts';

export type AdvanceNoticeDeps = {
  notices: NoticeStore;
  notifier: Notifier;
  trigger: Trigger;
  /** Whether the workspace is still connected as it was when its token was refused. */
  isInForce: (connection: { workspace: string; generation: string }) => Promise<boolean>;
  /** Takes what the act needs of a limited service. */
  limit: (notice: Notice, act: LimitedNoticeAct) => Promise<Wait>;
  /** Milliseconds that only ever grow, to notice that this process was frozen. */
  monotonic: () => number;
  timings: Timings;
  owner: string;
  log: Log;
  /** Aborted at shutdown: nothing new is begun. */
  stopping: AbortSignal;
};

const MAX_TURNS = 20;

/** `since`: when it was read, on the monotonic clock. */
type Read = { record: Notice; now: number; since: number };

function isLimited(notice: Notice, act: NoticeAct): act is LimitedNoticeAct {
  return act !== 'remove' && act !== 'expire_claim' && !isUnaddressed(notice);
}

/**
 * @returns in how many milliseconds it owes something again; undefined where it is gone
 * @throws where the storage can't be read or written: the sweep comes back to it
 */
export async function advanceNotice(deps: AdvanceNoticeDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.notices.get(ref);
    if (!read) return undefined;
    const next = nextNoticeAct(read.record, read.now);
    if (next.at > read.now) return next.at - read.now;
    const { ms } = isLimited(read.record, next.act) ? await deps.limit(read.record, next.act) : NOW;
    if (ms > 0) return ms;
    await perform(deps, { ...read, since }, next.act);
  }
  return 0;
}

async function perform(
  deps: AdvanceNoticeDeps,
  { record: notice, now, since }: Read,
  act: NoticeAct,
): Promise<void> {
  switch (act) {
    case 'remove':
      await deps.notices.remove(notice);
      return;
    case 'expire_claim':
      await update(deps, expired(deps, notice), notice.version);
      return;
    default: {
      // An admin was faster: what it says is not true any more.
      if (notice.type === 'token_refused' && !(await deps.isInForce(notice))) {
        await deps.notices.remove(notice);
        return;
      }
      const { timings } = deps;
      const claim = { owner: deps.owner, startedAt: now, expiresAt: now + timings.claimMs };
      const mine = { ...notice, claim };
      if ((await update(deps, mine, notice.version)) !== 'updated') return;
      const guard = {
        inTime: () => deps.monotonic() - since <= timings.claimMs / 2,
        isHeld: async () => isHolder((await deps.notices.get(mine))?.record, mine),
      };
      if (isUnaddressed(mine)) await address(deps, mine, guard);
      else if (act === 'tidy') await tidy(deps, mine, guard);
      else await tell(deps, mine, guard, act);
    }
  }
}

/** Whoever claimed it is gone, and may have posted it. */
function expired({ timings }: AdvanceNoticeDeps, notice: Notice): Notice {
  const { startedAt = notice.at, expiresAt: until = notice.at } = notice.claim ?? {};
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return settleNotice(notice, interrupted, { ...timings, startedAt, until, now: startedAt });
}

type Mine<N extends Notice = Notice> = N & { claim: NonNullable<Notice['claim']> };

async function tell(
  deps: AdvanceNoticeDeps,
  mine: Mine,
  guard: ClaimGuard,
  act: 'post' | 'find',
): Promise<void> {
  const result = await deps.notifier[act](mine, guard);
  const { startedAt } = mine.claim;
  await settle(deps, mine, (notice, now, isMine) => {
    const given = { ...deps.timings, startedAt, until: now, now };
    return (isMine ? settleNotice : settleLateNotice)(notice, result, given);
  });
}

async function tidy(deps: AdvanceNoticeDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  const result = await deps.notifier.tidy(mine, guard);
  if (result.type === 'tidied')
    deps.log.info({ notice: mine.id, ...result }, 'copies of a notice were removed');
  await settle(deps, mine, (notice, now, isMine) =>
    isMine ? settleNoticeTidy(notice, result, now) : notice,
  );
}

/** Finds out who is told. It is gone once each of them has a notice of their own. */
async function address(deps: AdvanceNoticeDeps, mine: Mine<TokenNotice>, guard: ClaimGuard): Promise<void> {
  const found = await deps.notifier.addressees(mine, guard);
  if (found.type === 'found' && found.people.length > 0) {
    await tellEach(deps, mine, found.people);
    await deps.notices.remove(mine);
    return;
  }
  const result = found.type === 'found' ? ({ type: 'refused', code: 'nobody_to_tell' } as const) : found;
  const { startedAt } = mine.claim;
  await settle(deps, mine, (notice, now, isMine) =>
    isMine ? settleNotice(notice, result, { ...deps.timings, startedAt, until: now, now }) : notice,
  );
}

/** Writes down what came of it, whatever else was written meanwhile. */
async function settle(
  deps: AdvanceNoticeDeps,
  mine: Mine,
  change: (notice: Notice, now: number, isMine: boolean) => Notice,
): Promise<void> {
  for (;;) {
    const read = await deps.notices.get(mine);
    if (!read) return;
    const settled = change(read.record, read.now, isHolder(read.record, mine));
    if (settled === read.record) return;
    if ((await update(deps, settled, read.record.version)) !== 'updated') continue;
    if (read.record.delivery.status !== 'given_up') complain(deps.log, settled);
    return;
  }
}

/** Whether the notice carries this very claim. */
function isHolder(notice: Notice | undefined, { claim: { owner, startedAt } }: Mine): boolean {
  return notice?.claim?.owner === owner && notice.claim.startedAt === startedAt;
}

/** It belongs to no request, so there is nobody else to tell. It is kept in the inbox like any other. */
function complain(log: Log, notice: Notice): void {
  const { id, workspace, delivery } = notice;
  if (delivery.status !== 'given_up') return;
  const { code } = delivery;
  if (notice.type === 'event') {
    const { channel } = notice;
    log.error(
      { notice: id, workspace, channel, code },
      'an event could not be told in the notifications channel',
    );
  } else {
    const { to: user } = notice;
    const what = notice.type === 'policy_unmet' ? 'too few people can approve' : 'the token is refused';
    log.error({ notice: id, workspace, user, code }, `no admin could be told that ${what}`);
  }
}

const update = ({ notices }: AdvanceNoticeDeps, notice: Notice, expected: number) =>
  notices.update(noticeEntry(notice), expected);
