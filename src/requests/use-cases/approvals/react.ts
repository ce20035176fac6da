/** Use case: somebody puts a reaction on a message, or takes it off. Most of them mean nothing to us. */

import { choiceOf, plainEmoji } from '../../model/approvals/policy.ts';
import { type RequestRecord, votedOn } from '../../model/record.ts';
import { unpostedSubject, voteSubject } from '../../store/entry.ts';
import { type VoteDeps, type Voted, vote } from './vote.ts';

export type Reacting = {
  workspace: string;
  by: string;
  message: { channel: string; ts: string };
  /** The name of the emoji, with its skin tone. */
  emoji: string;
  added: boolean;
  /** Microseconds by Slack's clock. */
  moment: number;
};

export type Reacted =
  | Voted
  | { type: 'not_a_vote' }
  /** The message may be one of ours that is not written down yet: Slack must tell again. */
  | { type: 'not_yet' };

/** More requests than are being posted into one channel at a time. */
const MOST_UNPOSTED = 50;
/** After its claim, its doubt and the tries to write it down, a message is known, or is none of ours. */
const WRITTEN_WITHIN_MS = 10 * 60_000;

/** @throws where the storage or Slack is away: nothing was counted, and Slack must tell again */
export async function react(deps: VoteDeps, reacting: Reacting): Promise<Reacted> {
  const { workspace, by, message, emoji, added, moment } = reacting;
  const name = plainEmoji(emoji);
  // In this order: a message that is written down between the two is found by the second.
  const unposted = await mayBeFor(deps, reacting, name);
  const [record] = await deps.store.listBySubject(workspace, voteSubject(name, message), 1);
  if (!record) return { type: unposted ? 'not_yet' : 'not_a_vote' };
  const choice = record.approval && choiceOf(record.approval.policy, emoji);
  if (!choice) return { type: 'not_a_vote' };
  const voted = await vote(deps, record, { by, choice, source: emoji, added, moment });
  return voted.type === 'too_late' && !added ? { type: 'not_a_vote' } : voted;
}

/**
 * Between the moment at which a message stands in Slack and the moment at which it is written down, votes may come.
 *
 * @returns whether a request whose message is on its way may be meant
 */
async function mayBeFor(
  { store }: VoteDeps,
  { workspace, message, moment }: Reacting,
  emoji: string,
): Promise<boolean> {
  // Whatever has stood for longer is written down, or is none of ours.
  if (moment / 1_000 - Number(message.ts) * 1_000 > WRITTEN_WITHIN_MS) return false;
  const unposted = await store.listBySubject(
    workspace,
    unpostedSubject(emoji, message.channel),
    MOST_UNPOSTED,
  );
  return unposted.some((record) => isBeingPosted(record) && isSince(record, message.ts));
}

/** A post is under way, or nobody knows whether it came through. */
function isBeingPosted(record: RequestRecord): boolean {
  const { place, delivery } = votedOn(record);
  const telling = record.approval?.ballot ? 'ballot' : 'card';
  const { claim } = record;
  const isClaimed = claim !== undefined && 'telling' in claim && claim.telling.type === telling;
  return place === undefined && (isClaimed || delivery.status === 'doubtful');
}

/** How far our clock and Slack's may lie apart. */
const SKEW_MS = 5_000;

const isSince = ({ approval }: RequestRecord, ts: string): boolean =>
  Number(ts) * 1_000 >= (approval?.since ?? 0) - SKEW_MS;
