/** Use case: somebody adds or removes a reaction, most of which are no votes. */
import { idsOfChannel } from '../../model/channels.ts';
import { choiceOf, plainEmoji } from '../../model/policy.ts';
import type { RequestRecord } from '../../model/record.ts';
import { approvalMessageOf, votedOn } from '../../model/record-messages.ts';
import { STATES } from '../../model/states.ts';
import { unrecordedSubject, voteSubject } from '../../store/subjects.ts';
import { type VoteDeps, type Voted, vote } from './vote.ts';

export type Reacting = {
  workspace: string;
  by: string;
  message: { channel: string; ts: string };
  /** Whether the bot may have written the message. For nearly every message, Slack names the author. */
  mayBeOurs: boolean;
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
  /** The message may be ours but not recorded yet, or its channel not known by its new id: Slack must deliver it again. */
  | { type: 'not_yet' };

/** Within this time of its post, a message of ours is recorded, at least as in doubt: claims and retries end before. */
const RECORDED_WITHIN_MS = 10 * 60_000;

/** The largest difference between the clocks of Slack and of the bot, with the time that Slack takes for a post. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/** The requests that are read for one reaction. If more are in doubt, the reaction must be delivered again. */
const READ_AT_MOST = 20;

/**
 * Counts a reaction as a vote.
 *
 * @throws if the storage or Slack is unavailable: Slack must deliver the reaction again, which counts once
 */
export const react = (deps: VoteDeps, reacting: Reacting): Promise<Reacted> =>
  reacting.mayBeOurs ? deps.replicated(() => count(deps, reacting)) : count(deps, reacting);

async function count(deps: VoteDeps, reacting: Reacting): Promise<Reacted> {
  const { workspace, by, message, emoji, added, moment } = reacting;
  const name = plainEmoji(emoji);
  // Before the recorded messages are read: one may be recorded meanwhile.
  const isUnrecorded = await mayBeUnrecorded(deps, reacting, name);
  const { records } = await deps.store.listBySubject(workspace, voteSubject(name, message.ts), READ_AT_MOST);
  const record = records.find((each) => isVotedOnIn(each, message.channel));
  if (!record) return { type: hasMoved(records) || isUnrecorded ? 'not_yet' : 'not_a_vote' };
  const choice = record.approval && choiceOf(record.approval.policy, emoji);
  if (!choice) return { type: 'not_a_vote' };
  const voted = await vote(deps, record, { by, choice, source: emoji, added, moment });
  const isNothing = voted.type === 'too_late' || voted.type === 'no_vote';
  if (isNothing && !added) return { type: 'not_a_vote' };
  const { thread } = record;
  return thread === undefined || approvalMessageOf(record) ? voted : { ...voted, thread };
}

const isVotedOnIn = (record: RequestRecord, channel: string): boolean => {
  const { location } = votedOn(record);
  return location !== undefined && idsOfChannel(record, location.channel).includes(channel);
};

/** Whether the message may be that of an open request whose channel has got another id: the event about that is on its way. */
const hasMoved = (records: readonly RequestRecord[]): boolean =>
  records.some(({ state }) => STATES[state].votes);

/**
 * Whether the reaction may be on a message that is posted but not recorded yet: votes may arrive between the two
 * moments. The post of an older message may still be in doubt, because each search for it has failed since. The channel is not
 * compared: the one to which the message was posted may have got another id meanwhile.
 */
async function mayBeUnrecorded(
  { store }: VoteDeps,
  { workspace, message, mayBeOurs, moment }: Reacting,
  emoji: string,
): Promise<boolean> {
  if (!mayBeOurs) return false;
  const postedAt = Number(message.ts) * 1_000;
  const isNew = moment / 1_000 - postedAt <= RECORDED_WITHIN_MS;
  const limit = isNew ? 1 : READ_AT_MOST;
  const { records } = await store.listBySubject(workspace, unrecordedSubject(emoji), limit);
  return records.length === limit || records.some((record) => mayBePostedAt(record, postedAt));
}

/** Whether an attempt to post the message that approvers react to may have been received at a time. */
function mayBePostedAt(record: RequestRecord, postedAt: number): boolean {
  const { delivery } = votedOn(record);
  const inDoubt = delivery.status === 'doubtful' ? [delivery] : [];
  return [...inDoubt, ...(delivery.tidies ?? [])].some(
    ({ since, until }) => postedAt >= since - CLOCKS_DIFFER_MS && postedAt <= until + CLOCKS_DIFFER_MS,
  );
}
