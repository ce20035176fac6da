/** Does what a notification owes, in the way of advance.ts: claim, act, write down. */

import type { Timings } from '../model/pending-effects.ts';
import {
  applyLateNotificationResult,
  applyNotificationResult,
  applyNotificationTidy,
  isUnaddressed,
  type LimitedNotificationEffect,
  type NotificationEffect,
  nextNotificationEffect,
  type TokenNotification,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import type { ClaimGuard, Log, Notifier, Wake, WorkspaceNotificationStore } from '../ports/ports.ts';
import { NOW, type Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { notificationEntry } from '../store/entry.ts';
import { notifyEach } from '../store/notify-admins.ts';

export type AdvanceNotificationDeps = {
  workspaceNotifications: WorkspaceNotificationStore;
  notifier: Notifier;
  wake: Wake;
  /** Whether the workspace is still connected as it was when its token was refused. */
  isInForce: (connection: { workspace: string; generation: string }) => Promise<boolean>;
  /** Takes what the act needs of a limited service. */
  limit: (notification: WorkspaceNotification, act: LimitedNotificationEffect) => Promise<Wait>;
  /** Milliseconds that only ever grow, to notification that this process was frozen. */
  monotonic: () => number;
  timings: Timings;
  owner: string;
  log: Log;
  /** Aborted at shutdown: nothing new is begun. */
  stopping: AbortSignal;
};

const MAX_TURNS = 20;

/** `since`: when it was read, on the monotonic clock. */
type Read = { record: WorkspaceNotification; now: number; since: number };

function isLimited(
  notification: WorkspaceNotification,
  act: NotificationEffect,
): act is LimitedNotificationEffect {
  return act !== 'remove' && act !== 'expire_claim' && !isUnaddressed(notification);
}

/**
 * @returns in how many milliseconds it owes something again; undefined where it is gone
 * @throws where the storage can't be read or written: the sweep comes back to it
 */
export async function advanceNotification(
  deps: AdvanceNotificationDeps,
  ref: RecordRef,
): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.workspaceNotifications.get(ref);
    if (!read) return undefined;
    const next = nextNotificationEffect(read.record, read.now);
    if (next.at > read.now) return next.at - read.now;
    const { ms } = isLimited(read.record, next.act) ? await deps.limit(read.record, next.act) : NOW;
    if (ms > 0) return ms;
    await perform(deps, { ...read, since }, next.act);
  }
  return 0;
}

async function perform(
  deps: AdvanceNotificationDeps,
  { record: notification, now, since }: Read,
  act: NotificationEffect,
): Promise<void> {
  switch (act) {
    case 'remove':
      await deps.workspaceNotifications.remove(notification);
      return;
    case 'expire_claim':
      await update(deps, expired(deps, notification), notification.version);
      return;
    default: {
      // An admin was faster: what it says is not true any more.
      if (notification.type === 'token_refused' && !(await deps.isInForce(notification))) {
        await deps.workspaceNotifications.remove(notification);
        return;
      }
      const { timings } = deps;
      const claim = { owner: deps.owner, startedAt: now, expiresAt: now + timings.claimMs };
      const mine = { ...notification, claim };
      if ((await update(deps, mine, notification.version)) !== 'updated') return;
      const guard = {
        inTime: () => deps.monotonic() - since <= timings.claimMs / 2,
        isHeld: async () => isHolder((await deps.workspaceNotifications.get(mine))?.record, mine),
      };
      if (isUnaddressed(mine)) await address(deps, mine, guard);
      else if (act === 'tidy') await tidy(deps, mine, guard);
      else await tell(deps, mine, guard, act);
    }
  }
}

/** Whoever claimed it is gone, and may have posted it. */
function expired(
  { timings }: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
): WorkspaceNotification {
  const { startedAt = notification.at, expiresAt: until = notification.at } = notification.claim ?? {};
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return applyNotificationResult(notification, interrupted, { ...timings, startedAt, until, now: startedAt });
}

type Mine<N extends WorkspaceNotification = WorkspaceNotification> = N & {
  claim: NonNullable<WorkspaceNotification['claim']>;
};

async function tell(
  deps: AdvanceNotificationDeps,
  mine: Mine,
  guard: ClaimGuard,
  act: 'post' | 'find',
): Promise<void> {
  const result = await deps.notifier[act](mine, guard);
  const { startedAt } = mine.claim;
  await settle(deps, mine, (notification, now, isMine) => {
    const given = { ...deps.timings, startedAt, until: now, now };
    return (isMine ? applyNotificationResult : applyLateNotificationResult)(notification, result, given);
  });
}

async function tidy(deps: AdvanceNotificationDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  const result = await deps.notifier.tidy(mine, guard);
  if (result.type === 'tidied')
    deps.log.info({ notification: mine.id, ...result }, 'copies of a notification were removed');
  await settle(deps, mine, (notification, now, isMine) =>
    isMine ? applyNotificationTidy(notification, result, now) : notification,
  );
}

/** Finds out who is told. It is gone once each of them has a notification of their own. */
async function address(
  deps: AdvanceNotificationDeps,
  mine: Mine<TokenNotification>,
  guard: ClaimGuard,
): Promise<void> {
  const found = await deps.notifier.addressees(mine, guard);
  if (found.type === 'found' && found.people.length > 0) {
    await notifyEach(deps, mine, found.people);
    await deps.workspaceNotifications.remove(mine);
    return;
  }
  const result = found.type === 'found' ? ({ type: 'refused', code: 'nobody_to_tell' } as const) : found;
  const { startedAt } = mine.claim;
  await settle(deps, mine, (notification, now, isMine) =>
    isMine
      ? applyNotificationResult(notification, result, { ...deps.timings, startedAt, until: now, now })
      : notification,
  );
}

/** Writes down what came of it, whatever else was written meanwhile. */
async function settle(
  deps: AdvanceNotificationDeps,
  mine: Mine,
  change: (notification: WorkspaceNotification, now: number, isMine: boolean) => WorkspaceNotification,
): Promise<void> {
  for (;;) {
    const read = await deps.workspaceNotifications.get(mine);
    if (!read) return;
    const settled = change(read.record, read.now, isHolder(read.record, mine));
    if (settled === read.record) return;
    if ((await update(deps, settled, read.record.version)) !== 'updated') continue;
    if (read.record.delivery.status !== 'given_up') complain(deps.log, settled);
    return;
  }
}

/** Whether the notification carries this very claim. */
function isHolder(
  notification: WorkspaceNotification | undefined,
  { claim: { owner, startedAt } }: Mine,
): boolean {
  return notification?.claim?.owner === owner && notification.claim.startedAt === startedAt;
}

/** It belongs to no request, so there is nobody else to tell. It is kept in the inbox like any other. */
function complain(log: Log, notification: WorkspaceNotification): void {
  const { id, workspace, delivery } = notification;
  if (delivery.status !== 'given_up') return;
  const { code } = delivery;
  if (notification.type === 'event') {
    const { channel } = notification;
    log.error(
      { notification: id, workspace, channel, code },
      'an event could not be told in the notifications channel',
    );
  } else {
    const { to: user } = notification;
    const what = notification.type === 'policy_unmet' ? 'too few people can approve' : 'the token is refused';
    log.error({ notification: id, workspace, user, code }, `no admin could be told that ${what}`);
  }
}

const update = (
  { workspaceNotifications }: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
  expected: number,
) => workspaceNotifications.update(notificationEntry(notification), expected);
