/** Use case: somebody adds or removes a reaction. Most reactions are not votes: finds the request of those that are. */
import { choiceOf, plainEmoji } from '../../model/approvals/policy.ts';
import type { RequestRecord } from '../../model/record.ts';
import { approvalMessageOf, votedOn } from '../../model/record-messages.ts';
import { unpostedSubject, voteSubject } from '../../store/subjects.ts';
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

/** `thread`: the parent of the message, if that is a reply in a thread. */
export type Reacted =
  | (Voted & { thread?: string })
  | { type: 'not_a_vote' }
  /** The message may be ours but not recorded yet: Slack must deliver the reaction again. */
  | { type: 'not_yet' };

/** Within this after its post, a message of ours is recorded, or recorded as in doubt: claims and retries end before. */
const WRITTEN_WITHIN_MS = 10 * 60_000;

/** The clocks of Slack and of the bot may differ by this, with the time that Slack takes for a post. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/** The requests in doubt that are read for one reaction. If there are more, the reaction must be delivered again. */
const READ_AT_MOST = 20;

/**
 * Counts a reaction as a vote.
 *
 * @throws if the storage or Slack is unavailable: nothing was counted, and Slack must deliver it again
 */
export async function react(deps: VoteDeps, reacting: Reacting): Promise<Reacted> {
  const { workspace, by, message, emoji, added, moment } = reacting;
  const name = plainEmoji(emoji);
  const isUnposted = () => mayBeFor(deps, reacting, name);
  const wasUnposted = await isUnposted();
  // Read after that, and before it is asked again: a message may be recorded meanwhile, and a failover may undo that.
  const { records } = await deps.store.listBySubject(workspace, voteSubject(name, message), 1);
  const [record] = records;
  if (!record) return { type: wasUnposted || (await isUnposted()) ? 'not_yet' : 'not_a_vote' };
  const choice = record.approval && choiceOf(record.approval.policy, emoji);
  if (!choice) return { type: 'not_a_vote' };
  const voted = await vote(deps, record, { by, choice, source: emoji, added, moment });
  const isNothing = voted.type === 'too_late' || voted.type === 'no_vote';
  if (isNothing && !added) return { type: 'not_a_vote' };
  const { thread } = record;
  return thread === undefined || approvalMessageOf(record) ? voted : { ...voted, thread };
}

/**
 * Whether the reaction may be on a message that is posted but not recorded yet: votes may arrive between the two
 * moments. An older message may be one whose post is still in doubt, because each search for it has failed since.
 *
 * @returns whether a request whose message is on its way may be meant
 */
async function mayBeFor(
  { store }: VoteDeps,
  { workspace, message, moment }: Reacting,
  emoji: string,
): Promise<boolean> {
  const postedAt = Number(message.ts) * 1_000;
  const isNew = moment / 1_000 - postedAt <= WRITTEN_WITHIN_MS;
  const subject = unpostedSubject(emoji, message.channel);
  const limit = isNew ? 1 : READ_AT_MOST;
  const { records } = await store.listBySubject(workspace, subject, limit);
  return records.length === limit || records.some((record) => mayBePostedAt(record, postedAt));
}

/** Whether an attempt to post the message that approvers react to may have been received at this time. */
function mayBePostedAt(record: RequestRecord, postedAt: number): boolean {
  const { delivery } = votedOn(record);
  const inDoubt = delivery.status === 'doubtful' ? [delivery] : [];
  return [...inDoubt, ...(delivery.tidies ?? [])].some(
    ({ since, until }) => postedAt >= since - CLOCKS_DIFFER_MS && postedAt <= until + CLOCKS_DIFFER_MS,
  );
}
