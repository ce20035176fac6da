/** Sets up the storage of a play: how late it may be, whether another server replicates it, and how often a commit fails. */
import type { Plan } from '../draw/plan.ts';
import type { Stored } from '../storage/stored.ts';

export type StorageSide = {
  /** The longest delay of a command, milliseconds; it may be executed after its time-out. */
  longestStallMs: number;
  /** Failures in a thousand commits. Above zero, what is written in one turn is committed together. */
  failingCommits: number;
  /** Whether commits may fail yet: none does before the first act. */
  mayFail: boolean;
  /** Whether writes are copied to another server, which may take over without the last ones. */
  isReplicated: boolean;
  /** The other server holds everything that is stored now. */
  confirm(): void;
  /** The other server takes over: what it did not hold is lost. */
  failOver(): void;
  /** The number of failovers so far. */
  failOvers(): number;
};

const STALL_MS = 5_000;

export function createStorageSide(
  { longestStallMs = STALL_MS, failingCommits = 0, isReplicated = false }: Plan,
  stored: Pick<Stored, 'snapshot'>,
): StorageSide {
  let restore = stored.snapshot();
  let failOvers = 0;
  return {
    longestStallMs,
    failingCommits,
    mayFail: false,
    isReplicated,
    confirm() {
      restore = stored.snapshot();
    },
    failOvers: () => failOvers,
    failOver() {
      failOvers += 1;
      restore();
      // A restored state must not change with what is written from now on.
      restore = stored.snapshot();
    },
  };
}
