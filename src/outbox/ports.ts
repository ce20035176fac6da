/** Declares what the outbox needs from outside besides its stores. */
import type { RecordRef } from './record-store.ts';

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;

/**
 * Wakes the outbox for a record with pending effects: a runner (src/jobs) then calls `advance` (advance.ts; they are joined in
 * src/compose/background.ts). It returns at once and never throws.
 */
export type Wake = (ref: RecordRef) => void;

/**
 * Whether an effect may still be performed. A process can be frozen between any two instructions, and another one takes
 * over once the claim has expired.
 */
export type ClaimGuard = {
  /** Called in the tick in which a request is written to its socket: whether the claim still covers it. */
  inTime: () => boolean;
  /** Whether the stored record still carries the claim. @throws if the storage can't be read */
  isHeld: () => Promise<boolean>;
};

/**
 * Runs `work`, and returns its result once every server that could take over holds what `work` has read and written.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;

/** For a storage on one server. */
export const unreplicated: Replicated = (work) => work();
