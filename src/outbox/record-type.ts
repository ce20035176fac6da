/**
 * Declares what a type of record brings to the outbox: what is pending, how an effect begins, how it is performed, and what
 * an expired claim leaves. The loop (advance.ts) is the same for every type. Says when an effect is due.
 */
import { z } from 'zod';
import type { ClaimGuard } from './ports.ts';
import type { Condition, RecordStore, Stored, Updated } from './record-store.ts';

/** Names who performs an effect, since when, and until when nobody else may. */
export const HolderFields = { owner: z.string(), startedAt: z.number(), expiresAt: z.number() };
export type Holder = z.infer<z.ZodObject<typeof HolderFields>>;

/** A record whose effects are performed under a claim. `claim`: which effect is performed, and by whom. */
export type Claimable = Stored & { claim?: (Holder & { effect: string }) | undefined };

export type Claimed<R extends Claimable> = R & { claim: NonNullable<R['claim']> };

/** `at`: when the effect is due. */
export type PendingEffect<E> = { effect: E; at: number };

/** A record as it was read. `now`: the time of the read by the store's clock. */
export type Read<R> = { record: R; now: number };

/**
 * The next record; undefined: it is removed. `first`: a write that is made, and replicated, before that of the record: otherwise
 * the record could survive a failover that undoes `first`, and claim that it was done.
 */
export type Change<R> = { record: R | undefined; first?: () => Promise<unknown> };

/**
 * The beginning of a due effect: with a change of the record alone, after a wait, or with a claim. `isSeen`: somebody may
 * see the effect, so that its claim must survive a failover. After a lost claim another process would perform the effect again;
 * and an update would show what the failover has undone.
 */
export type Begun<R extends Claimable> =
  | { type: 'change'; change: Change<R> }
  | { type: 'wait'; ms: number }
  | { type: 'claim'; record: Claimed<R>; isSeen: boolean; conditions?: readonly Condition[] };

type ToChange<R> = (record: R, now: number) => Change<R>;

/**
 * The result of an effect, as fields of the log. `result`: one word. `code`: of a refusal. `said`: the word of the order
 * service. `removed` and `linked`: numbers of copies of a message. `found`: the number of people. `err`: the cause, for the
 * log alone, of a result that is unknown or refused.
 */
export type Outcome = {
  result: string;
  code?: string | undefined;
  said?: string;
  removed?: number | undefined;
  linked?: number | undefined;
  found?: number;
  err?: Error;
};

/** @param result of a post, an update, a search, a tidy, or a check */
export const outcomeOf = ({
  type: result,
  code,
  removed,
  linked,
}: { type: string } & Pick<Outcome, 'code' | 'removed' | 'linked'>): Outcome => ({
  result,
  code,
  removed,
  linked,
});

/**
 * A performed effect: what came of it, and how it changes the record. `applyLate`: how it changes a record whose claim has
 * expired, so that another process may have continued; undefined: nothing is left to apply.
 */
export type Performed<R> = { outcome: Outcome; apply: ToChange<R>; applyLate?: ToChange<R> | undefined };

export type RecordType<R extends Claimable, E> = {
  store: Pick<RecordStore<R>, 'get' | 'postpone' | 'remove'>;
  /** The log fields of a record. */
  fieldsOf: (record: R) => object;
  /** The level of the line about a performed effect. An outcome with `err` is a warning. */
  level: 'info' | 'debug';
  /** Names an effect in the log and in the metrics. */
  nameOf: (effect: E) => string;
  /** Lists what is pending while nothing is claimed, the most urgent effect first. */
  pending: (record: R) => PendingEffect<E>[];
  /** @param holder of the claim, if there is to be one */
  begin: (read: Read<R>, effect: E, holder: Holder) => Promise<Begun<R>>;
  /** Performs a claimed effect. Uncertainty is a result. @throws if the storage can't be read: the claim expires then */
  perform: (effect: E, record: Claimed<R>, guard: ClaimGuard) => Promise<Performed<R>>;
  /**
   * Changes a record whose claim has expired: its owner is gone, and its progress is unknown. Left out: the effect is simply
   * repeated.
   *
   * @param record without its claim
   */
  expired?: (record: R, claim: NonNullable<R['claim']>, now: number) => Change<R>;
  /** Writes a record over the version that was read. Whatever prevents it, the record is read again. */
  write: (before: R, after: R, conditions?: readonly Condition[]) => Promise<Updated>;
  /** Logs what nobody else can be told, after the result of an effect is saved. */
  report?: (before: R, after: R, done: { claim: NonNullable<R['claim']>; outcome: Outcome }) => void;
};

/** The time at which the next effect of a record is due: while one is claimed, the end of its claim. */
export function dueAt<E>(
  { claim }: Pick<Claimable, 'claim'>,
  pending: () => PendingEffect<E>[],
): number | undefined {
  return claim ? claim.expiresAt : earliest(pending());
}

export const earliest = (pending: readonly PendingEffect<unknown>[]): number | undefined =>
  pending.length === 0 ? undefined : Math.min(...pending.map(({ at }) => at));

/**
 * Returns the time of the next try: after a backoff, and no sooner than a 429 allows.
 *
 * @param tries the number of tries so far
 * @param retryAfterMs the wait that the other side has asked for
 */
export const retryAt = (now: number, tries: number, retryAfterMs = 0): number =>
  now + Math.max(retryAfterMs, backoffMs(tries));

const DAY_MS = 24 * 60 * 60_000;

/** The time after which a refusal is final. */
const REFUSED_FOR_GOOD_MS = 7 * DAY_MS;

/**
 * Returns when to try again what Slack has refused: the reason may pass, such as a channel that is archived, or posting that
 * admins have suspended. Each wait is as long as all before it, up to a day: what is refused for good takes few calls.
 *
 * @param since when it was refused first, or owed
 * @returns undefined after a week: it is not tried again
 */
export function retryRefusedAt(now: number, since: number): number | undefined {
  const passed = now - since;
  return passed < REFUSED_FOR_GOOD_MS ? now + Math.min(DAY_MS, Math.max(backoffMs(1), passed)) : undefined;
}

/** Milliseconds to wait before try number `tries` + 1: 1 s, doubling, at most one minute. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, tries - 1)));
}
