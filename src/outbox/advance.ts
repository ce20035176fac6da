/**
 * Runs the loop that starts all effects: read, claim, perform, apply, until nothing is pending. It may run twice, on
 * two replicas or after a crash, and the outcome is the same.
 */
import { type ClaimDeps, isClaimStanding, performClaimed, withoutClaim } from './claim.ts';
import type { RecordRef } from './record-store.ts';
import { type Change, type Claimable, earliest, type Read, type RecordType } from './record-type.ts';

/** More turns than any record can need at once. A record that never comes to rest must not occupy the runner. */
const MAX_TURNS = 100;

/**
 * Performs all effects of the record that are due.
 *
 * @returns milliseconds until the next effect is due; undefined if none is pending
 * @throws if the storage can't be read or written: a fault; the sweep tries again
 */
export async function advance<R extends Claimable, E>(
  type: RecordType<R, E>,
  deps: ClaimDeps,
  ref: RecordRef,
): Promise<number | undefined> {
  /** Effects that can't begin yet (a rate limit, a pause), with the remaining wait in milliseconds. */
  const waiting = new Map<string, number>();
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const readAtMonotonic = deps.monotonic();
    const read = await type.store.get(ref);
    const next = read && nextOf(type, read, waiting);
    if (!next) return undefined;
    if (next.type === 'rest') return rest(type, read, next, waiting);
    if (next.type === 'expire_claim') await expireClaim(type, deps, read, next.claim);
    else await begin(type, deps, { ...read, readAtMonotonic }, { effect: next.effect, waiting });
  }
  return 0;
}

/** Nothing to begin now. `until`: when the next effect is due, apart from effects that can't begin yet. */
type Rest = { type: 'rest'; until: number | undefined };
type Claim = NonNullable<Claimable['claim']>;
type Next<E> = { type: 'effect'; effect: E } | { type: 'expire_claim'; claim: Claim } | Rest;

const keyOf = (effect: unknown): string => JSON.stringify(effect);

/** Finds what to do next, if anything is pending. An effect that can't begin yet holds up nothing that is ready behind it. */
function nextOf<R extends Claimable, E>(
  type: RecordType<R, E>,
  { record, now }: Read<R>,
  waiting: ReadonlyMap<string, number>,
): Next<E> | undefined {
  const { claim } = record;
  if (claim && !isClaimStanding(claim.expiresAt, now)) return { type: 'expire_claim', claim };
  if (claim) return { type: 'rest', until: claim.expiresAt };
  const all = type.pending(record);
  if (all.length === 0) return undefined;
  const allowed = all.filter(({ effect }) => !waiting.has(keyOf(effect)));
  const due = allowed.find(({ at }) => at <= now);
  if (due) return { type: 'effect', effect: due.effect };
  return { type: 'rest', until: earliest(allowed) };
}

/**
 * Postpones a record whose effects can't begin yet: it is due already, and the sweep must not find it again and again
 * before all others. Effects that are due earlier are not delayed.
 *
 * @returns milliseconds until the next effect is due
 */
async function rest<R extends Claimable, E>(
  { store }: RecordType<R, E>,
  { record, now }: Read<R>,
  { until }: Rest,
  waiting: ReadonlyMap<string, number>,
): Promise<number> {
  const ms = Math.min(...waiting.values(), ...(until === undefined ? [] : [until - now]));
  if (waiting.size > 0) await store.postpone(record, ms);
  return ms;
}

async function expireClaim<R extends Claimable, E>(
  type: RecordType<R, E>,
  deps: ClaimDeps,
  { record, now }: Read<R>,
  claim: Claim,
): Promise<void> {
  const { effect, owner: claimedBy } = claim;
  const free = withoutClaim(record);
  deps.log.warn({ event: 'claim_expired', ...type.fieldsOf(record), effect, claimedBy }, 'claim expired');
  await change(type, deps, record, type.expired?.(free, claim, now) ?? { record: free });
}

/** Begins an effect, and performs it if that takes a claim. An effect that must wait is noted in `waiting`. */
async function begin<R extends Claimable, E>(
  type: RecordType<R, E>,
  deps: ClaimDeps,
  { record, now, readAtMonotonic }: Read<R> & { readAtMonotonic: number },
  { effect, waiting }: { effect: E; waiting: Map<string, number> },
): Promise<void> {
  const holder = { owner: deps.owner, startedAt: now, expiresAt: now + deps.claimMs };
  const begun = await type.begin({ record, now }, effect, holder);
  switch (begun.type) {
    case 'wait':
      waiting.set(keyOf(effect), begun.ms);
      return;
    case 'change':
      return change(type, deps, record, begun.change);
    case 'claim':
      return performClaimed(type, deps, { before: record, readAtMonotonic, effect, begun });
  }
}

/** Writes a change of a record. After a conflict the next turn reads the newer record. */
async function change<R extends Claimable, E>(
  type: RecordType<R, E>,
  { replicated }: ClaimDeps,
  before: R,
  { record, first }: Change<R>,
): Promise<void> {
  if (first) await replicated(first);
  if (record) await type.write(before, record);
  else await type.store.remove(before, before.version);
}
