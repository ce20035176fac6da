/** Does what a notice owes, in the way of advance.ts: claim, act, write down. */
import type { Timings } from './agenda.ts';
import type { Found, Posting } from './delivery.ts';
import {
  isUnaddressed,
  type Notice,
  type NoticeAct,
  nextNoticeAct,
  noticeEntry,
  settleNotice,
  type TokenNotice,
} from './notice.ts';
import type { Addressees, Log, NoticeStore, Notifier, Trigger } from './ports.ts';
import type { RecordRef } from './record-store.ts';
import { tellEach } from './tell-admins.ts';
import { NOW, type Wait } from './turns.ts';

export type AdvanceNoticeDeps = {
  notices: NoticeStore;
  notifier: Notifier;
  trigger: Trigger;
  /** Whether the workspace is still connected as it was when its token was refused. */
  isInForce: (connection: { workspace: string; generation: string }) => Promise<boolean>;
  /** Whose turn it is where only so much may be done at a time. */
  turn: (notice: Notice) => Promise<Wait>;
  timings: Timings;
  owner: string;
  log: Log;
  /** Aborted at shutdown: nothing new is begun. */
  stopping: AbortSignal;
};

const MAX_TURNS = 20;

/**
 * @returns in how many milliseconds it owes something again; undefined where it is gone
 * @throws where the storage can't be read or written: the sweep comes back to it
 */
export async function advanceNotice(deps: AdvanceNoticeDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const read = await deps.notices.get(ref);
    if (!read) return undefined;
    const next = nextNoticeAct(read.record, read.now);
    if (next.at > read.now) return next.at - read.now;
    const posts = next.act === 'post' && !isUnaddressed(read.record);
    const { ms } = posts ? await deps.turn(read.record) : NOW;
    if (ms > 0) return ms;
    await perform(deps, read.record, read.now, next.act);
  }
  return 0;
}

async function perform(deps: AdvanceNoticeDeps, notice: Notice, now: number, act: NoticeAct): Promise<void> {
  switch (act) {
    case 'remove':
      await deps.notices.remove(notice);
      return;
    case 'expire_claim': {
      // Whoever claimed it is gone, and may have posted it.
      const doubtful = { type: 'doubtful', code: 'interrupted' } as const;
      await update(
        deps,
        settleNotice(notice, doubtful, { now, doubtMs: deps.timings.doubtMs }),
        notice.version,
      );
      return;
    }
    default:
      // An admin was faster: what it says is not true any more.
      if (notice.type === 'token_refused' && !(await deps.isInForce(notice))) {
        await deps.notices.remove(notice);
        return;
      }
      return isUnaddressed(notice) ? address(deps, notice, now) : tell(deps, notice, now, act);
  }
}

async function tell(
  deps: AdvanceNoticeDeps,
  notice: Notice,
  now: number,
  act: 'post' | 'find',
): Promise<void> {
  await claimed(deps, notice, now, (mine) => deps.notifier[act](mine));
}

/** Finds out who is told. It is gone once each of them has a notice of their own. */
async function address(deps: AdvanceNoticeDeps, notice: TokenNotice, now: number): Promise<void> {
  await claimed(deps, notice, now, async (mine) => {
    const found = await deps.notifier.addressees(mine);
    return found.type === 'found' ? spread(deps, mine, found) : found;
  });
}

async function spread(
  deps: AdvanceNoticeDeps,
  notice: TokenNotice,
  { people }: Extract<Addressees, { type: 'found' }>,
): Promise<Posting | undefined> {
  if (people.length === 0) return { type: 'refused', code: 'nobody_to_tell' };
  await tellEach(deps, notice, people);
  await deps.notices.remove(notice);
  return undefined;
}

/** @param act what came of it; undefined where nothing is left to be written down */
async function claimed<N extends Notice>(
  deps: AdvanceNoticeDeps,
  notice: N,
  now: number,
  act: (mine: N) => Promise<Posting | Found | undefined>,
): Promise<void> {
  const { owner, timings } = deps;
  const mine = { ...notice, claim: { owner, startedAt: now, expiresAt: now + timings.claimMs } };
  if ((await update(deps, mine, notice.version)) !== 'updated') return;
  const result = await act(mine);
  if (!result) return;
  const read = await deps.notices.get(notice);
  if (read?.record.claim?.owner !== owner || read.record.claim.startedAt !== now) return;
  const settled = settleNotice(read.record, result, { now: read.now, doubtMs: timings.doubtMs });
  if ((await update(deps, settled, read.record.version)) === 'updated') complain(deps.log, settled);
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
    const { to } = notice;
    log.error({ notice: id, workspace, to, code }, 'no admin could be told that the token is refused');
  }
}

const update = ({ notices }: AdvanceNoticeDeps, notice: Notice, expected: number) =>
  notices.update(noticeEntry(notice), expected);
