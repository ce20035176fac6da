/** Use case: somebody puts a reaction on a message, or takes it off. Most of them mean nothing to us. */
import { messageSubject } from '../entry.ts';
import { type RequestRecord, votedOn } from '../record.ts';
import { choiceOf } from './policy.ts';
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

/** How many open requests are looked through for one whose message is on its way. */
const MOST_OPEN = 1_000;
/** After its claim, its doubt and the tries to write it down, a message is known, or is none of ours. */
const WRITTEN_WITHIN_MS = 10 * 60_000;

export async function react(deps: VoteDeps, reacting: Reacting): Promise<Reacted> {
  const { workspace, by, message, emoji, added, moment } = reacting;
  const [known] = await deps.store.listBySubject(workspace, messageSubject(message), 1);
  const record = known ?? (await mayBeFor(deps, reacting));
  if (!record) return { type: 'not_a_vote' };
  if (!known && votedOn(record).place === undefined) return { type: 'not_yet' };
  const choice = record.approval && choiceOf(record.approval.policy, emoji);
  if (!choice) return { type: 'not_a_vote' };
  const voted = await vote(deps, record, { by, choice, source: emoji, added, moment });
  return voted.type === 'too_late' && !added ? { type: 'not_a_vote' } : voted;
}

/**
 * Between the moment at which a message stands in Slack and the moment at which it is written down, votes may come: the
 * open request whose message it is, if that was written down just now; or one whose message is on its way.
 */
async function mayBeFor(
  { store }: VoteDeps,
  { workspace, message, emoji, moment }: Reacting,
): Promise<RequestRecord | undefined> {
  // Nobody looks through all open requests because of a message that has stood for long.
  if (moment / 1_000 - Number(message.ts) * 1_000 > WRITTEN_WITHIN_MS) return undefined;
  const open = await store.listHolding(workspace, MOST_OPEN);
  const awaiting = open.filter(
    ({ state, approval }) =>
      state === 'awaiting_approval' && approval && choiceOf(approval.policy, emoji) !== undefined,
  );
  const isIts = (record: RequestRecord) => {
    const { place } = votedOn(record);
    return place?.channel === message.channel && place.ts === message.ts;
  };
  const isOnItsWay = (record: RequestRecord) =>
    isBeingPosted(record) && channelOf(record) === message.channel && isSince(record, message.ts);
  return awaiting.find(isIts) ?? awaiting.find(isOnItsWay);
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

const channelOf = ({ approval, channel }: RequestRecord): string | undefined =>
  approval?.ballot ? approval.policy.channel : channel;
