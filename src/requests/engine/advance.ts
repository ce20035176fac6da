/**
 * The one place from which outside acts start: read, claim, act, write down, until nothing is owed. It may run twice,
 * on two replicas or after a crash, and the outcome is the same.
 */

import { WaitingWhy } from '../model/cause.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Heard } from '../model/events/apply-event.ts';
import { fieldsOf } from '../model/facts/log-fields.ts';
import { deliveryOf, type Telling, withDelivery } from '../model/message-key.ts';
import { withNote, withProblem } from '../model/notification.ts';
import { type Act, nextAct, type Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { transition, withCallPutOff } from '../model/transition.ts';
import type { Log, Messenger, OrderCalls, RequestStore } from '../ports/ports.ts';
import type { Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { updateRecord } from '../store/entry.ts';
import { owingTidy, type Settling, settleExpired } from './apply-result.ts';
import {
  type Claimed,
  claimAct,
  type Done,
  doAct,
  nameOf,
  type OutsideAct,
  type Settled,
} from './effects.ts';

export type AdvanceDeps = {
  store: RequestStore;
  /** Gives an event to whatever request but `except` it is about: for those that were held for the wrong one. */
  hear: (heard: Heard, except: string) => Promise<unknown>;
  messenger: Messenger;
  calls: OrderCalls;
  timings: Timings;
  /** Takes what the act needs of a limited service. */
  limit: (record: RequestRecord, act: OutsideAct) => Promise<Wait>;
  /** Names this process in its claims. */
  owner: string;
  log: Log;
  sleep: (ms: number) => Promise<void>;
  /** Milliseconds that only ever grow, to notice that this process was frozen. */
  monotonic: () => number;
  /** Aborted at shutdown: what is under way is finished, nothing new is begun. */
  stopping: AbortSignal;
};

/** `since`: when it was read, on the monotonic clock. */
type Read = { record: RequestRecord; now: number; since: number };

/** More turns than any request can need at once; a record that never comes to rest must not hold the runner. */
const MAX_TURNS = 100;

/** Between two tries to write an outcome down while the storage is away. */
const SETTLE_WAIT_MS = 1_000;
/** How often it is still tried by a process that is told to stop, which is not waited for much longer. */
const SETTLE_TRIES_AT_STOP = 20;

/**
 * Does all that the request owes now.
 *
 * @returns in how many milliseconds it owes something again; undefined where all is done
 * @throws where the storage can't be read or written: a fault; the sweep comes back to it
 */
export async function advance(deps: AdvanceDeps, ref: RecordRef): Promise<number | undefined> {
  /** What waits for its turn, and how long. */
  const waiting = new Map<string, number>();
  const mayBe = (act: Act) => !waiting.has(JSON.stringify(act));
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.store.get(ref);
    const next = read ? nextAct(read.record, read.now, deps.timings, mayBe) : undefined;
    if (!read || !next || next.type === 'nothing') return undefined;
    if (next.type === 'wait') return comeBack(deps, ref, read.now, next.until, waiting);
    const waitMs = await perform(deps, { ...read, since }, next.act);
    if (waitMs > 0) waiting.set(JSON.stringify(next.act), waitMs);
  }
  return 0;
}

/**
 * What waits for a rate limit is due already, but the sweep must not find it again and again in front of all others. What
 * is due sooner than it may go on is not held up by it.
 */
async function comeBack(
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

/** @returns in how many milliseconds to come back, where it is not its turn yet */
async function perform(deps: AdvanceDeps, read: Read, act: Act): Promise<number> {
  if (act.type === 'lapse') {
    await write(deps, read.record, { record: lapsed(read), strays: [] });
  } else if (act.type === 'remind') {
    await write(deps, read.record, { record: reminded(read), strays: [] });
  } else if (act.type === 'report_unconfirmed') {
    await write(deps, read.record, { record: reportedUnconfirmed(read), strays: [] });
  } else if (act.type === 'tell_unclear') {
    await write(deps, read.record, { record: toldUnclear(read, act.telling), strays: [] });
  } else if (act.type === 'expire_claim') {
    const { claim } = read.record;
    if (!claim) return 0;
    deps.log.warn({ ...fieldsOf(read.record), act: claim.act, claimedBy: claim.owner }, 'claim expired');
    await write(deps, read.record, settleExpired(read.record, claim, deps.timings, read.now));
  } else {
    const wait = await deps.limit(read.record, act);
    if (wait.ms > 0) return putOff(deps, read, act, wait);
    await performOutside(deps, read, act);
  }
  return 0;
}

/** A call that nobody may make now is told on the card; what Slack's limits hold up just comes a little later. */
async function putOff(deps: AdvanceDeps, { record, now }: Read, act: Act, wait: Wait): Promise<number> {
  const why = WaitingWhy.safeParse(wait.why);
  if (act.type !== 'call' || !why.success) return wait.ms;
  await write(deps, record, { record: withCallPutOff(record, why.data, now + wait.ms), strays: [] });
  return 0;
}

function lapsed({ record, now }: Read): RequestRecord {
  return transition(record, { type: 'lapse' }, now) ?? record;
}

function reminded({ record, now }: Read): RequestRecord {
  const { approval } = record;
  if (!approval) return record;
  return withNote({ ...record, approval: { ...approval, reminded: true } }, { type: 'reminder' }, now);
}

/** The card says what is wrong, and an admin hears of it. */
function reportedUnconfirmed({ record, now }: Read): RequestRecord {
  const { problem = 'approvers_unreadable' } = record.approval?.confirmation ?? {};
  return withProblem(record, problem, now);
}

function toldUnclear({ record, now }: Read, telling: Telling): RequestRecord {
  const told = withDelivery(record, telling, (delivery) =>
    delivery.status === 'doubtful' ? { ...delivery, told: true } : delivery,
  );
  return withNote(told, { type: 'unclear', about: telling }, now);
}

async function performOutside(
  deps: AdvanceDeps,
  { record, now, since }: Read,
  act: OutsideAct,
): Promise<void> {
  const { owner, timings, log } = deps;
  const claimed = claimAct(record, act, { owner, startedAt: now, expiresAt: now + timings.claimMs });
  // No claim, no act: somebody was faster, or the storage is away.
  if ((await write(deps, record, { record: claimed, strays: [] })) !== 'updated') return;
  const inTime = () => deps.monotonic() - since <= timings.claimMs / 2;
  if (!inTime()) {
    // Frozen meanwhile: the act could outlast its claim. It is given back, unless somebody has changed the record.
    await updateRecord(deps, record, record.version + 1);
    return;
  }
  const isHeld = async () => isHolder((await deps.store.get(claimed))?.record, claimed.claim);
  const began = deps.monotonic();
  const done = await doAct(deps, act, claimed, { inTime, isHeld });
  const ms = Math.round(deps.monotonic() - began);
  log.info({ ...fieldsOf(record), act: nameOf(act), result: done.result, ms }, 'act done');
  await settle(deps, claimed, done);
}

/**
 * Writes the outcome down, whatever else was written meanwhile, and as long as this process lives: it is known only here.
 */
async function settle(deps: AdvanceDeps, claimed: Claimed, done: Done): Promise<void> {
  let triesAtStop = 0;
  for (;;) {
    try {
      if (await trySettle(deps, claimed, done)) return;
    } catch (error) {
      if (deps.stopping.aborted && ++triesAtStop >= SETTLE_TRIES_AT_STOP) throw error;
      deps.log.error({ ...fieldsOf(claimed), result: done.result, err: error }, 'outcome not written yet');
      await deps.sleep(SETTLE_WAIT_MS);
    }
  }
}

async function trySettle(deps: AdvanceDeps, claimed: Claimed, done: Done): Promise<boolean> {
  const read = await deps.store.get(claimed);
  if (!read) return true;
  const { claim } = claimed;
  const mine = isHolder(read.record, claim);
  const settling = { claim, rendered: claimed.revision, now: read.now, timings: deps.timings };
  const copy = await takeBack(deps, read.record, claim, done);
  if (copy === 'removed') return true;
  const settled =
    copy === 'stays' ? leftToTidy(read.record, settling) : settledBy(done, mine, read.record, settling);
  if (!settled) return true;
  const { record, strays } = settled;
  const written = await write(deps, read.record, { record: mine ? withoutClaim(record) : record, strays });
  if (written === 'updated') reportUntold(deps, { claim, done }, read.record, record);
  return written === 'updated';
}

/** Somebody else may have gone on since: what was only true at that time must not undo it. */
function settledBy(
  done: Done,
  mine: boolean,
  record: RequestRecord,
  settling: Settling,
): Settled | undefined {
  const settle = mine ? done.settle : done.settleLate;
  return settle?.(record, settling);
}

const leftToTidy = (record: RequestRecord, settling: Settling): Settled => ({
  record: 'telling' in settling.claim ? owingTidy(record, settling.claim.telling, settling) : record,
  strays: [],
});

/** Whether the record carries this very claim. */
function isHolder(record: RequestRecord | undefined, { owner, startedAt }: Claim): boolean {
  const held = record?.claim;
  return held?.owner === owner && held.startedAt === startedAt;
}

/**
 * A process that was frozen past its claim may find that its message stands already, or is not wanted any more. A copy
 * that people have used stays for the tidy.
 */
async function takeBack(
  deps: AdvanceDeps,
  record: RequestRecord,
  claim: Claim,
  { message }: Done,
): Promise<'no_copy' | 'removed' | 'stays'> {
  if (!message || !('telling' in claim)) return 'no_copy';
  const standing = deliveryOf(record, claim.telling);
  const isDoubled = standing?.status === 'posted' && standing.ts !== message.ts;
  const isKept = claim.telling.type === 'card' || claim.telling.type === 'ballot';
  const isUnwanted = claim.act === 'post' && isKept && standing?.status === 'given_up';
  if (!isDoubled && !isUnwanted) return 'no_copy';
  const isRemoved = await deps.messenger.remove(record, message);
  deps.log.warn(
    { ...fieldsOf(record), act: claim.act, message, isRemoved },
    'another copy of a message was posted',
  );
  return isRemoved ? 'removed' : 'stays';
}

/** Where a message can go nowhere, or copies of it can't be looked for, the log is the last to hear of it. */
function reportUntold(
  { log }: AdvanceDeps,
  { claim, done }: { claim: Claim; done: Done },
  before: RequestRecord,
  after: RequestRecord,
): void {
  if (!('telling' in claim)) return;
  const { telling } = claim;
  const [former, now] = [deliveryOf(before, telling), deliveryOf(after, telling)];
  const fields = { ...fieldsOf(after), message: telling, result: done.result };
  const isGivenUp = now?.status === 'given_up' && former?.status !== 'given_up';
  if (isGivenUp && telling.type === 'reply') log.error(fields, 'an outcome could be told nowhere');
  if (isGivenUp && telling.type === 'note') log.warn(fields, 'a notification could be told nowhere');
  const tidies = (delivery: Delivery | undefined) => delivery?.tidies?.length ?? 0;
  if (claim.act === 'tidy' && done.result.startsWith('refused') && tidies(now) < tidies(former))
    log.error(fields, 'copies of a message may stay: Slack has refused for hours to let them be looked for');
}

function withoutClaim({ claim: _released, ...record }: RequestRecord): RequestRecord {
  return record;
}

/** Events that turned out not to be about this request go where they belong first, so that none is lost between. */
async function write(deps: AdvanceDeps, before: RequestRecord, { record, strays }: Settled) {
  const { workspace, kind, id } = record;
  for (const event of strays) await deps.hear({ workspace, kind, event }, id);
  return updateRecord(deps, record, before.version);
}
