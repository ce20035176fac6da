/**
 * Runs the loop that starts all effects: read, claim, perform, apply, until nothing is pending. It may run twice, on
 * two replicas or after a crash, and the outcome is the same.
 */

import { WaitingReason } from '../model/cause.ts';
import { withDelivery } from '../model/changes/deliveries.ts';
import { withNotification, withProblem } from '../model/changes/notify.ts';
import type { IncomingEvent } from '../model/events/apply-event.ts';
import { fieldsOf } from '../model/facts/log-fields.ts';
import { deliveryOf } from '../model/facts/messages.ts';
import type { Delivery } from '../model/messages/delivery.ts';
import type { MessageKey } from '../model/messages/message.ts';
import { type Effect, nextEffect, type Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { transition, withCallPutOff } from '../model/transition.ts';
import type { Log, Messenger, OrderCalls, RequestStore } from '../ports/ports.ts';
import type { Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { updateRecord } from '../store/entry.ts';
import { applyExpiredClaim, owingTidy, type ResultContext } from './apply-result.ts';
import {
  type Applied,
  type Claimed,
  claimEffect,
  effectName,
  type OutsideEffect,
  type Performed,
  performEffect,
} from './effects.ts';

export type AdvanceDeps = {
  store: RequestStore;
  /** Gives an event to the request it is about, except `except`: for events buffered in the wrong one. */
  recordEvent: (incoming: IncomingEvent, except: string) => Promise<unknown>;
  messenger: Messenger;
  calls: OrderCalls;
  timings: Timings;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (record: RequestRecord, effect: OutsideEffect) => Promise<Wait>;
  /** Identifies this process in its claims. */
  owner: string;
  log: Log;
  sleep: (ms: number) => Promise<void>;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
  /** Aborted at shutdown: effects under way finish, and no new one begins. */
  stopping: AbortSignal;
};

/** `since`: the time of the read, on the monotonic clock. */
type Read = { record: RequestRecord; now: number; since: number };

/** More iterations than any request can need at once. A record that never comes to rest must not occupy the runner. */
const MAX_TURNS = 100;

/** Wait between two tries to save a result while the storage is unavailable. */
const SAVE_RETRY_MS = 1_000;
/** The number of tries during shutdown, which is limited in time. */
const SAVE_TRIES_AT_STOP = 20;

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
    if (!read || !next || next.type === 'nothing') return undefined;
    if (next.type === 'wait') return waitForNext(deps, ref, read.now, next.until, waiting);
    const waitMs = await perform(deps, { ...read, since }, next.effect);
    if (waitMs > 0) waiting.set(JSON.stringify(next.effect), waitMs);
  }
  return 0;
}

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
  if (effect.type === 'expire') {
    await write(deps, read.record, { record: expired(read), unmatched: [] });
  } else if (effect.type === 'remind') {
    await write(deps, read.record, { record: reminded(read), unmatched: [] });
  } else if (effect.type === 'report_unconfirmed') {
    await write(deps, read.record, { record: reportedUnconfirmed(read), unmatched: [] });
  } else if (effect.type === 'report_unclear') {
    await write(deps, read.record, { record: reportedUnclear(read, effect.messageKey), unmatched: [] });
  } else if (effect.type === 'expire_claim') {
    const { claim } = read.record;
    if (!claim) return 0;
    deps.log.warn(
      { ...fieldsOf(read.record), effect: claim.effect, claimedBy: claim.owner },
      'claim expired',
    );
    await write(deps, read.record, applyExpiredClaim(read.record, claim, deps.timings, read.now));
  } else {
    const wait = await deps.limit(read.record, effect);
    if (wait.ms > 0) return putOff(deps, read, effect, wait);
    await performOutside(deps, read, effect);
  }
  return 0;
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
): Promise<void> {
  const { owner, timings, log } = deps;
  const claimed = claimEffect(record, effect, { owner, startedAt: now, expiresAt: now + timings.claimMs });
  // No claim, no effect: another process was faster, or the storage is unavailable.
  if ((await write(deps, record, { record: claimed, unmatched: [] })) !== 'updated') return;
  const inTime = () => deps.monotonic() - since <= timings.claimMs / 2;
  if (!inTime()) {
    // The process was frozen, so the effect could outlast its claim. The claim is given back, unless the record has
    // changed.
    await updateRecord(deps, record, record.version + 1);
    return;
  }
  const isHeld = async () => isHolder((await deps.store.get(claimed))?.record, claimed.claim);
  const began = deps.monotonic();
  const done = await performEffect(deps, effect, claimed, { inTime, isHeld });
  const ms = Math.round(deps.monotonic() - began);
  log.info({ ...fieldsOf(record), effect: effectName(effect), result: done.result, ms }, 'effect performed');
  await saveResult(deps, claimed, done);
}

/**
 * Saves the result, whatever else was written meanwhile, and for as long as this process lives: nobody else knows it.
 */
async function saveResult(deps: AdvanceDeps, claimed: Claimed, done: Performed): Promise<void> {
  let triesAtStop = 0;
  for (;;) {
    try {
      if (await trySaveResult(deps, claimed, done)) return;
    } catch (error) {
      if (deps.stopping.aborted && ++triesAtStop >= SAVE_TRIES_AT_STOP) throw error;
      deps.log.error(
        { ...fieldsOf(claimed), result: done.result, err: error },
        'result not saved yet, will retry',
      );
      await deps.sleep(SAVE_RETRY_MS);
    }
  }
}

async function trySaveResult(deps: AdvanceDeps, claimed: Claimed, done: Performed): Promise<boolean> {
  const read = await deps.store.get(claimed);
  if (!read) return true;
  const { claim } = claimed;
  const mine = isHolder(read.record, claim);
  const context = { claim, rendered: claimed.revision, now: read.now, timings: deps.timings };
  const copy = await removeExtraCopy(deps, read.record, claim, done);
  if (copy === 'removed') return true;
  const applied =
    copy === 'stays' ? tidyOwed(read.record, context) : resultApplied(done, mine, read.record, context);
  if (!applied) return true;
  const { record, unmatched } = applied;
  const written = await write(deps, read.record, { record: mine ? withoutClaim(record) : record, unmatched });
  if (written === 'updated') reportUndelivered(deps, { claim, done }, read.record, record);
  return written === 'updated';
}

/**
 * Applies the result. If the claim was lost, another process may have continued, so only what is still true is applied.
 */
function resultApplied(
  done: Performed,
  mine: boolean,
  record: RequestRecord,
  context: ResultContext,
): Applied | undefined {
  const apply = mine ? done.apply : done.applyLate;
  return apply?.(record, context);
}

const tidyOwed = (record: RequestRecord, context: ResultContext): Applied => ({
  record: 'messageKey' in context.claim ? owingTidy(record, context.claim.messageKey, context) : record,
  unmatched: [],
});

/** Whether the record carries exactly this claim. */
function isHolder(record: RequestRecord | undefined, { owner, startedAt }: Claim): boolean {
  const claim = record?.claim;
  return claim?.owner === owner && claim.startedAt === startedAt;
}

/**
 * Removes the message of a process that was frozen past its claim, if another copy is recorded or the message is no
 * longer wanted. A copy that people have used stays for the tidy.
 */
async function removeExtraCopy(
  deps: AdvanceDeps,
  record: RequestRecord,
  claim: Claim,
  { message }: Performed,
): Promise<'no_copy' | 'removed' | 'stays'> {
  if (!message || !('messageKey' in claim)) return 'no_copy';
  const standing = deliveryOf(record, claim.messageKey);
  const isDoubled = standing?.status === 'posted' && standing.ts !== message.ts;
  const isKept = claim.messageKey.type === 'card' || claim.messageKey.type === 'approval_message';
  const isUnwanted = claim.effect === 'post' && isKept && standing?.status === 'given_up';
  if (!isDoubled && !isUnwanted) return 'no_copy';
  const isRemoved = await deps.messenger.remove(record, message);
  deps.log.warn(
    { ...fieldsOf(record), effect: claim.effect, message, isRemoved },
    'duplicate message posted',
  );
  return isRemoved ? 'removed' : 'stays';
}

/**
 * Logs a message that could not be delivered anywhere, or copies that could not be searched for, because nobody else
 * can be told.
 */
function reportUndelivered(
  { log }: AdvanceDeps,
  { claim, done }: { claim: Claim; done: Performed },
  before: RequestRecord,
  after: RequestRecord,
): void {
  if (!('messageKey' in claim)) return;
  const { messageKey } = claim;
  const [former, now] = [deliveryOf(before, messageKey), deliveryOf(after, messageKey)];
  const fields = { ...fieldsOf(after), message: messageKey, result: done.result };
  const isGivenUp = now?.status === 'given_up' && former?.status !== 'given_up';
  if (isGivenUp && messageKey.type === 'reply') log.error(fields, 'reply not delivered');
  if (isGivenUp && messageKey.type === 'notification') log.warn(fields, 'notification not delivered');
  const tidies = (delivery: Delivery | undefined) => delivery?.tidies?.length ?? 0;
  if (claim.effect === 'tidy' && done.result.startsWith('refused') && tidies(now) < tidies(former))
    log.error(fields, 'duplicate messages may remain: Slack has refused the search for hours');
}

function withoutClaim({ claim: _released, ...record }: RequestRecord): RequestRecord {
  return record;
}

/** Gives events that are not about this request to their own record first, so that none is lost in between. */
async function write(deps: AdvanceDeps, before: RequestRecord, { record, unmatched }: Applied) {
  const { workspace, kind, id } = record;
  for (const event of unmatched) await deps.recordEvent({ workspace, kind, event }, id);
  return updateRecord(deps, record, before.version);
}
