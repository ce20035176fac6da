/**
 * Runs the loop that starts all effects: read, claim, perform, apply, until nothing is pending. It may run twice, on
 * two replicas or after a crash, and the outcome is the same.
 */

import type { Wait } from '../../outbox/rate-limiter.ts';
import type { Condition, RecordRef } from '../../outbox/record-store.ts';
import { WaitingReason } from '../model/cause.ts';
import { withDelivery } from '../model/changes/deliveries.ts';
import { withPause } from '../model/changes/hold.ts';
import { withNotification, withProblem } from '../model/changes/notify.ts';
import type { MessageKey } from '../model/message.ts';
import { allPending, type Effect, nextEffect, type Timings } from '../model/pending-effects.ts';
import { fieldsOf, type RequestRecord } from '../model/record.ts';
import { transition, withCallPutOff } from '../model/transition.ts';
import type { Messenger } from '../ports/messenger.ts';
import type { OrderCalls, Workspaces } from '../ports/ports.ts';
import { updateRecord } from '../store/entry.ts';
import { whileInForce } from '../store/under-settings.ts';
import {
  applyExpiredClaim,
  claimEffect,
  effectName,
  isOutside,
  notPerformed,
  type OutsideEffect,
  performEffect,
} from './effects.ts';
import { isHolder, saveResult, write } from './save-result.ts';
import { type ClaimDeps, writeClaim } from './write-claim.ts';

export type AdvanceDeps = ClaimDeps & {
  messenger: Messenger;
  calls: OrderCalls;
  inForce: Workspaces['inForce'];
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (record: RequestRecord, effect: OutsideEffect) => Promise<Wait>;
  /**
   * Gives up the places of a record in the queues of the rate limiter, except those of the effects that are pending. It never
   * throws.
   */
  leaveQueues: (ref: RecordRef, pending: () => readonly OutsideEffect[]) => Promise<void>;
  /** Identifies this process in its claims. */
  owner: string;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
};

/** `since`: the time of the read, on the monotonic clock. */
type Read = { record: RequestRecord; now: number; since: number };

/** More iterations than any request can need at once. A record that never comes to rest must not occupy the runner. */
const MAX_TURNS = 100;

/**
 * Performs all effects of the request that are due.
 *
 * @returns milliseconds until the next effect is due; undefined if none is pending
 * @throws if the storage can't be read or written: a fault; the sweep tries again
 */
export async function advance(deps: AdvanceDeps, ref: RecordRef): Promise<number | undefined> {
  /** Effects that wait for a rate limit, and for how long. */
  const waiting = new Map<string, number>();
  const isAllowed = (effect: Effect) => !waiting.has(JSON.stringify(effect));
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.store.get(ref);
    const next = read ? nextEffect(read.record, read.now, deps.timings, isAllowed) : undefined;
    if (!read || next?.type !== 'effect') {
      await deps.leaveQueues(ref, () => effectsOf(read?.record, deps.timings));
      return read && next?.type === 'wait'
        ? waitForNext(deps, ref, read.now, next.until, waiting)
        : undefined;
    }
    const waitMs = await perform(deps, { ...read, since }, next.effect);
    if (waitMs > 0) waiting.set(JSON.stringify(next.effect), waitMs);
  }
  return 0;
}

const effectsOf = (record: RequestRecord | undefined, timings: Timings): OutsideEffect[] =>
  record ? allPending(record, timings).filter(isOutside) : [];

/**
 * Postpones a record that waits for a rate limit: it is due already, and the sweep must not find it again and again
 * before all others. Effects that are due earlier are not delayed.
 */
async function waitForNext(
  { store }: AdvanceDeps,
  ref: RecordRef,
  now: number,
  until: number | undefined,
  waiting: ReadonlyMap<string, number>,
): Promise<number> {
  const ms = Math.min(...waiting.values(), ...(until === undefined ? [] : [until - now]));
  if (waiting.size > 0) await store.postpone(ref, ms);
  return ms;
}

/** @returns milliseconds until the effect may be tried again, if it must wait */
async function perform(deps: AdvanceDeps, read: Read, effect: Effect): Promise<number> {
  const save = async (record: RequestRecord) => {
    await write(deps, read.record, { record, unmatched: [] });
    return 0;
  };
  switch (effect.type) {
    case 'expire':
      return save(expired(read));
    case 'remind':
      return save(reminded(read));
    case 'report_unconfirmed':
      return save(reportedUnconfirmed(read));
    case 'report_delayed':
      return save(withNotification(read.record, { type: 'card_delayed' }, read.now));
    case 'report_unclear':
      return save(reportedUnclear(read, effect.messageKey));
    case 'expire_claim':
      await expireClaim(deps, read);
      return 0;
    case 'check_pause': {
      const { settings } = await deps.inForce(read.record.workspace);
      const looked = withPause(read.record, settings.paused, read.now);
      return looked === read.record ? PAUSE_CHECK_MS : save(looked);
    }
    case 'call':
    case 'confirm_votes': {
      const inForce = await deps.inForce(read.record.workspace);
      if (inForce.settings.paused) return save(withPause(read.record, inForce.settings.paused, read.now));
      return performLimited(deps, read, effect, [whileInForce(inForce)]);
    }
    default:
      return performLimited(deps, read, effect);
  }
}

/** A resumed request is woken at once; this finds the one whose wake-up was lost. */
const PAUSE_CHECK_MS = 60_000;

/** @param conditions of its claim @returns milliseconds until the effect may be tried again, if it must wait */
async function performLimited(
  deps: AdvanceDeps,
  read: Read,
  effect: OutsideEffect,
  conditions: readonly Condition[] = [],
): Promise<number> {
  const wait = await deps.limit(read.record, effect);
  if (wait.ms > 0) return putOff(deps, read, effect, wait);
  await performOutside(deps, read, effect, conditions);
  return 0;
}

async function expireClaim(deps: AdvanceDeps, { record, now }: Read): Promise<void> {
  const { claim } = record;
  if (!claim) return;
  const { effect, owner: claimedBy } = claim;
  deps.log.warn({ ...fieldsOf(record), effect, claimedBy }, 'claim expired');
  await write(deps, record, applyExpiredClaim(record, claim, deps.timings, now));
}

/**
 * Postpones an effect. A call that must not be made now is shown on the card; Slack's rate limits only delay an effect
 * a little.
 */
async function putOff(deps: AdvanceDeps, { record, now }: Read, effect: Effect, wait: Wait): Promise<number> {
  const why = WaitingReason.safeParse(wait.why);
  if (effect.type !== 'call' || !why.success) return wait.ms;
  await write(deps, record, { record: withCallPutOff(record, why.data, now + wait.ms), unmatched: [] });
  return 0;
}

function expired({ record, now }: Read): RequestRecord {
  return transition(record, { type: 'expire' }, now) ?? record;
}

function reminded({ record, now }: Read): RequestRecord {
  const { approval } = record;
  if (!approval) return record;
  return withNotification(
    { ...record, approval: { ...approval, reminded: true } },
    { type: 'reminder' },
    now,
  );
}

/** Shows the problem on the card and notifies an admin. */
function reportedUnconfirmed({ record, now }: Read): RequestRecord {
  const { problem = 'approvers_unreadable' } = record.approval?.confirmation ?? {};
  return withProblem(record, problem, now);
}

function reportedUnclear({ record, now }: Read, messageKey: MessageKey): RequestRecord {
  const reported = withDelivery(record, messageKey, (delivery) =>
    delivery.status === 'doubtful' ? { ...delivery, reported: true } : delivery,
  );
  return withNotification(reported, { type: 'unclear', about: messageKey }, now);
}

async function performOutside(
  deps: AdvanceDeps,
  { record, now, since }: Read,
  effect: OutsideEffect,
  conditions: readonly Condition[],
): Promise<void> {
  const { owner, timings, log } = deps;
  const claimed = claimEffect(record, effect, { owner, startedAt: now, expiresAt: now + timings.claimMs });
  const written = await writeClaim(deps, record, claimed, conditions);
  // No claim, no effect: another process was faster, sending was paused meanwhile, or the storage is unavailable.
  if (written.type === 'conflict') return;
  const inTime = () => deps.monotonic() - since <= timings.claimMs / 2;
  if (!inTime()) {
    // The process was frozen, so the effect could outlast its claim. The claim is given back, unless the record has
    // changed.
    await updateRecord(deps, { before: { ...claimed, version: written.version }, after: record });
    return;
  }
  const isHeld = async () => isHolder((await deps.store.get(claimed))?.record, claimed.claim);
  const began = deps.monotonic();
  const done =
    written.type === 'unreplicated'
      ? notPerformed(effect, claimed)
      : await performEffect(deps, effect, claimed, { inTime, isHeld });
  const ms = Math.round(deps.monotonic() - began);
  log.info({ ...fieldsOf(record), effect: effectName(effect), result: done.result, ms }, 'effect performed');
  await saveResult(deps, claimed, done);
}
