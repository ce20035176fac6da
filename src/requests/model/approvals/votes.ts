/** The votes on a request, and what they decide. Pure, and the same in whatever order Slack tells of them. */
import { z } from 'zod';
import { Choice, type Policy } from './policy.ts';

/** What pressing a button is called among the sources of votes; the others are names of emoji. */
export const BUTTON = 'button';

/**
 * What one person has said in one way: with the button, or with one emoji. `addedAt` and `removedAt` are the last such
 * moments, microseconds by Slack's clock, 0: never. Both are kept, so that a late redelivery is known as such.
 */
export const Vote = z.object({
  by: z.string(),
  source: z.string(),
  choice: Choice,
  addedAt: z.number(),
  removedAt: z.number(),
});
export type Vote = z.infer<typeof Vote>;

export type Ballot = { votes: readonly Vote[]; policy: Pick<Policy, 'quorum'>; countedFrom: number };

/** A vote, or one taken back. */
export type VoteChange = Pick<Vote, 'by' | 'source' | 'choice'> & { added: boolean; moment: number };

/** @returns the votes with the change in them; the same ones where it is repeated, or older than what is known */
export function applyVote(votes: readonly Vote[], change: VoteChange): readonly Vote[] {
  const { added, moment, ...key } = change;
  const known = votes.find((vote) => isSame(vote, key)) ?? { ...key, addedAt: 0, removedAt: 0 };
  const last = added ? known.addedAt : known.removedAt;
  if (moment <= last) return votes;
  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };
  return [...votes.filter((vote) => !isSame(vote, key)), next];
}

const isSame = (a: Vote, b: Pick<Vote, 'by' | 'source' | 'choice'>) =>
  a.by === b.by && a.source === b.source && a.choice === b.choice;

/** Whether what somebody said in one way stands. */
export function stands(votes: readonly Vote[], said: Pick<Vote, 'by' | 'source' | 'choice'>): boolean {
  return votes.some((vote) => isSame(vote, said) && vote.addedAt > vote.removedAt);
}

/** The votes that count: of each person the latest that still stands. In the order in which they were made. */
export function counted({ votes, countedFrom }: Omit<Ballot, 'policy'>): Vote[] {
  const latest = new Map<string, Vote>();
  for (const vote of votes) {
    const other = latest.get(vote.by);
    const isStanding = vote.addedAt > vote.removedAt && vote.addedAt > countedFrom;
    if (isStanding && (!other || other.addedAt < vote.addedAt)) latest.set(vote.by, vote);
  }
  return [...latest.values()].sort((a, b) => a.addedAt - b.addedAt);
}

export type Verdict =
  | { type: 'open' }
  /** The approvals reach the quorum: what stands in Slack, and the rights of the voters, are read before they decide. */
  | { type: 'to_confirm' }
  | { type: 'decided'; choice: Choice; by: string[] };

/**
 * One denial declines at once, since it can only keep something from being sent. Approvals must reach the quorum, and
 * decide only once they are confirmed.
 *
 * @param isConfirmed whether a vote was found to stand, and its voter to have the right to it
 */
export function verdict(ballot: Ballot, isConfirmed: (vote: Vote) => boolean = () => false): Verdict {
  const standing = counted(ballot);
  const no = standing.find(({ choice }) => choice === 'no');
  if (no) return { type: 'decided', choice: 'no', by: [no.by] };
  const { quorum } = ballot.policy;
  if (standing.length < quorum) return { type: 'open' };
  const confirmed = standing.filter(isConfirmed);
  if (confirmed.length < quorum) return { type: 'to_confirm' };
  return { type: 'decided', choice: 'yes', by: confirmed.slice(0, quorum).map(({ by }) => by) };
}

export const isButton = ({ source }: Vote): boolean => source === BUTTON;

/** The votes by reaction of which a look at the message has shown that they do not stand. */
export function missing(
  votes: readonly Vote[],
  standing: readonly { emoji: string; users: readonly string[] }[],
): Vote[] {
  const isThere = ({ source, by }: Vote) =>
    standing.some(({ emoji, users }) => emoji === source && users.includes(by));
  return votes.filter((vote) => !isButton(vote) && vote.addedAt > vote.removedAt && !isThere(vote));
}
