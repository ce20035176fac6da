/** Performs one effect under its claim, and saves the result, even if the claim was lost meanwhile. */
import type { ClaimGuard, Log, Replicated } from './ports.ts';
import type { Updated } from './record-store.ts';
import type { Begun, Claimable, Claimed, Performed, RecordType } from './record-type.ts';

/** The longest claim of a message, a token, an installation or a task. */
const LONGEST_CLAIM_MS = 30 * 60_000;

/**
 * Whether a claim still stands. A claim that ends later than two of the longest lifetimes was written before the clock was set
 * back, and does not stand: otherwise the sweep would find its record only at that end. Two, so that small corrections of the
 * clock end no claim.
 */
export const isClaimStanding = (expiresAt: number, now: number): boolean =>
  now < expiresAt && expiresAt <= now + 2 * LONGEST_CLAIM_MS;

export type ClaimDeps = {
  replicated: Replicated;
  /** Identifies this run of the loop in its claims: a process may run a record twice, and claim it in one millisecond. */
  owner: string;
  /** Lifetime of a claim, milliseconds. Every deadline of an effect is shorter than half of it. */
  claimMs: number;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
  sleep: (ms: number) => Promise<void>;
  /** Aborted at shutdown: effects under way finish, and no new one begins. */
  stopping: AbortSignal;
  log: Log;
};

type Claiming<R extends Claimable, E> = {
  before: R;
  readAtMonotonic: number;
  effect: E;
  begun: Extract<Begun<R>, { type: 'claim' }>;
};

/**
 * Writes the claim, performs the effect and saves its result. Nothing is performed if the claim is not written: another process
 * was faster, or a condition is not met.
 */
export async function performClaimed<R extends Claimable, E>(
  type: RecordType<R, E>,
  deps: ClaimDeps,
  claiming: Claiming<R, E>,
): Promise<void> {
  const { before, readAtMonotonic, effect, begun } = claiming;
  const { record } = begun;
  const written = await writeClaim(type, deps, claiming);
  if (!written) return;
  const isInTime = () => deps.monotonic() - readAtMonotonic <= deps.claimMs / 2;
  if (written.isReliable && !isInTime()) {
    // The process was frozen, so the effect could outlast its claim. The claim is given back. Where that fails, the guard refuses
    // the effect: an expired claim would not tell that nothing was sent.
    const back = await type.write({ ...record, version: written.version }, before).catch(() => undefined);
    if (back?.type === 'updated') return;
  }
  const guard: ClaimGuard = {
    // The effect of an unreliable claim is refused like a late one, and tried again.
    inTime: () => written.isReliable && isInTime(),
    isHeld: async () => carriesClaim((await type.store.get(record))?.record, record.claim),
  };
  const began = deps.monotonic();
  const done = await type.perform(effect, record, guard);
  const ms = Math.round(deps.monotonic() - began);
  deps.log[done.outcome.err ? 'warn' : type.level](
    { event: 'effect_performed', ...type.fieldsOf(record), effect: type.nameOf(effect), ...done.outcome, ms },
    'effect performed',
  );
  await saveResult(type, deps, record, done);
}

/** A claim in the storage. Nobody may rely on it if it is not replicated, or if the answer to its write was lost. */
type Written = { isReliable: true; version: number } | { isReliable: false };

/**
 * Writes the claim, if its conditions are met. The claim of an effect that somebody may see has to survive a failover.
 *
 * @returns undefined if it is not written
 */
async function writeClaim<R extends Claimable, E>(
  type: RecordType<R, E>,
  deps: ClaimDeps,
  { before, begun: { record, isSeen, conditions } }: Claiming<R, E>,
): Promise<Written | undefined> {
  let written: Updated | undefined;
  const claim = async (): Promise<void> => {
    written = await type.write(before, record, conditions);
  };
  try {
    await (isSeen ? deps.replicated(claim) : claim());
    return written?.type === 'updated' ? { isReliable: true, version: written.version } : undefined;
  } catch (err) {
    const fields = { ...type.fieldsOf(record), effect: record.claim.effect, err };
    if (written?.type === 'updated')
      deps.log.error({ event: 'claim_not_replicated', ...fields }, 'claim not replicated: nothing is sent');
    // An effect that nobody sees is simply repeated once its claim has expired.
    else if (!written && isSeen && (await isClaimStored(type, deps, record)))
      deps.log.warn(fields, 'answer to a written claim lost: nothing is sent');
    else throw err;
    return { isReliable: false };
  }
}

/**
 * Whether a claim was stored although its write has failed: if it were left to expire, nobody would know that nothing was sent.
 * Tries to read it until shutdown. If another process has taken over, the claim is not there.
 */
async function isClaimStored<R extends Claimable, E>(
  { store, fieldsOf }: RecordType<R, E>,
  { sleep, stopping, log }: ClaimDeps,
  record: Claimed<R>,
): Promise<boolean> {
  for (;;) {
    // The write may still be on its way if its connection was lost.
    await sleep(RETRY_MS);
    try {
      return carriesClaim((await store.get(record))?.record, record.claim);
    } catch (err) {
      if (stopping.aborted) return false;
      log.error({ ...fieldsOf(record), err }, 'claim not read yet, will retry');
    }
  }
}

/** Whether the record carries exactly this claim. */
function carriesClaim(
  record: Claimable | undefined,
  { owner, startedAt }: NonNullable<Claimable['claim']>,
): boolean {
  return record?.claim?.owner === owner && record.claim.startedAt === startedAt;
}

/** The wait between two tries while the storage is unavailable. */
const RETRY_MS = 1_000;
/** The number of tries during shutdown, which is limited in time. */
const SAVE_TRIES_AT_STOP = 20;

/**
 * Saves the result, whatever else was written meanwhile: nobody else knows it. It is tried without end, but during shutdown only
 * SAVE_TRIES_AT_STOP times.
 *
 * @throws the error of the last of these tries
 */
export async function saveResult<R extends Claimable, E>(
  type: Pick<RecordType<R, E>, 'store' | 'write' | 'report' | 'fieldsOf'>,
  deps: Pick<ClaimDeps, 'stopping' | 'log' | 'sleep' | 'replicated'>,
  claimed: Claimed<R>,
  done: Performed<R>,
): Promise<void> {
  let triesAtStop = 0;
  for (;;) {
    try {
      if (await trySaveResult(type, deps, claimed, done)) return;
    } catch (error) {
      if (deps.stopping.aborted && ++triesAtStop >= SAVE_TRIES_AT_STOP) throw error;
      deps.log.error(
        { ...type.fieldsOf(claimed), ...done.outcome, err: error },
        'result not saved yet, will retry',
      );
      await deps.sleep(RETRY_MS);
    }
  }
}

/**
 * Applies the result. If the claim was lost, another process may have continued, so only what is still true is applied.
 *
 * @returns whether nothing is left to save
 */
async function trySaveResult<R extends Claimable, E>(
  type: Pick<RecordType<R, E>, 'store' | 'write' | 'report'>,
  { replicated }: Pick<ClaimDeps, 'replicated'>,
  claimed: Claimed<R>,
  done: Performed<R>,
): Promise<boolean> {
  const read = await type.store.get(claimed);
  if (!read) return true;
  const before = read.record;
  const isMine = carriesClaim(before, claimed.claim);
  const apply = isMine ? done.apply : done.applyLate;
  if (!apply) return true;
  const { record, first } = apply(before, read.now);
  if (record === before && !isMine) return true;
  if (first) await replicated(first);
  if (!record) return (await type.store.remove(before, before.version)) === 'removed';
  const after = isMine ? withoutClaim(record) : record;
  const isWritten = (await type.write(before, after)).type === 'updated';
  if (isWritten) type.report?.(before, after, { claim: claimed.claim, outcome: done.outcome });
  return isWritten;
}

export function withoutClaim<R extends { claim?: unknown }>({ claim: _released, ...record }: R): R {
  return record as R;
}
