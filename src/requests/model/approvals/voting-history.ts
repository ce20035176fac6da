/** Keeps the history of the votes on a request, within a bound. */
import { z } from 'zod';
import { Choice } from './policy.ts';
import { VoteProblem } from './problems.ts';

/**
 * An entry in the voting history. `gone`: the message was read, and the reaction is not there. `void`: the voter has
 * lost the right to vote since.
 */
export const VoteEntry = z.object({
  /** Counted from 1, over all that were dropped. */
  n: z.number(),
  at: z.number(),
  by: z.string(),
  type: z.enum(['voted', 'taken_back', 'gone', 'void', 'refused']),
  choice: Choice,
  source: z.string(),
  problem: VoteProblem.optional(),
});
export type VoteEntry = z.infer<typeof VoteEntry>;

/** `forgotten`: the number of entries dropped from the history. */
type VotingHistory = { history: VoteEntry[]; forgotten: number };

/** More than any honest vote needs. Older entries are only counted. */
const MOST_ENTRIES = 300;

/** Adds an entry to the history. Refusals are dropped first, so that people without a vote can't fill it up. */
export function withEntry<T extends VotingHistory>(approval: T, entry: Omit<VoteEntry, 'n'>): T {
  const next = [...approval.history, { ...entry, n: lastEntry(approval) + 1 }];
  const kept = next.length > MOST_ENTRIES ? next.toSpliced(leastWanted(next), 1) : next;
  return { ...approval, history: kept, forgotten: approval.forgotten + next.length - kept.length };
}

/** The number of the last entry that was added. */
export const lastEntry = ({ history, forgotten }: VotingHistory): number => history.length + forgotten;

/** The index of the oldest refusal or, if there is none, of the oldest entry. */
function leastWanted(history: readonly VoteEntry[]): number {
  return Math.max(
    0,
    history.findIndex(({ type }) => type === 'refused'),
  );
}
