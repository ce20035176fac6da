/** Checks promise 2: only permitted voters decide, by votes that stood when they were counted, and no vote is lost. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { FAULTS, type Why } from '../spans.ts';
import { approversOf, mayApproveThroughout, mayApproveWithin, policiesBetween } from '../tables/approvals.ts';
import { BUTTON, reactedWith } from '../tables/messages.ts';
import { lastStep, votedOnIn } from '../tables/records.ts';
import { TEAMS, type Team } from '../teams.ts';
import { requestsOf, type World } from '../world/world.ts';
import { wasChannelUnknown } from './moved.ts';

const MINUTE_MS = 60_000;
/** The length of a claim: rights are read and the decision is written under one claim. */
const CONFIRMED_WITHIN_MS = 60_000;
/** The longest time from the stored time of a vote to the look at its voter's rights, apart from freezes. */
const JUDGED_WITHIN_MS = 1_000;

type About = { world: World; team: Team; record: RequestRecord; name: string };

export function checkApprovals(world: World): void {
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      const about = { world, team, record, name: world.witness.nameOf(record.id) };
      checkDecision(about);
      checkExpired(about);
      checkRefused(about);
      checkLateVotes(about);
    }
}

/** Checks that no vote of the last round of approval was counted once its time was over. */
function checkLateVotes({ world, record: { approval }, name }: About): void {
  if (!approval) return;
  const { history, since, policy } = approval;
  const end = since + policy.expiresAfterMs;
  for (const { type, at, by } of history)
    if (type === 'voted' && at >= end) world.witness.violated(`vote: ${by} voted on ${name} after its time`);
}

/** The policies under which a request may have been approved. */
const policiesOf = ({ world, team, record: { kind, createdAt } }: About, at: number) =>
  policiesBetween(world, { team, kind }, createdAt - MINUTE_MS, at).flatMap((policy) => policy ?? []);

/** Reasons for which the bot cannot read the votes, or does not count them. */
const UNREADABLE: readonly Why[] = [
  'archived',
  'approvals archived',
  'shared',
  'uninstalled',
  'deleted',
  'paused',
];

/**
 * The time in which votes decide, once they stand and nothing fails: a rate limit may ask for seven minutes more than once.
 */
const DECIDED_WITHIN_MS = 15 * MINUTE_MS;

/** Checks that no vote is lost: a request with enough standing votes, known in time, does not expire. */
function checkExpired(about: About): void {
  const { world, team, record, name } = about;
  const { approval, requester, state } = record;
  const { at, cause } = lastStep(record);
  if (state !== 'expired' || cause.type !== 'expire' || !approval || approval.decision) return;
  const from = approval.since;
  // A process may be frozen between its look at the clock, which gives `since`, and its write.
  const written = world.witness.states.get(record.id)?.findLast((each) => each.state === 'awaiting_approval');
  const writtenAt = written?.at ?? from;
  if (world.spans.find({ why: UNREADABLE, team, about: name, from, to: at }).length > 0) return;
  const location = votedOnIn(record)?.location;
  const message =
    location && world.slack.of[team].world.channels.get(location.channel)?.messages.get(location.ts);
  if (!location || !message || message.is_tombstone) return;
  const { yes } = approval.policy.emoji;
  const asked = record.steps.findLast((step) => step.cause.type === 'approval_requested_again')?.cause;
  const asker = asked && 'by' in asked ? asked.by : undefined;
  // Until the bot knows the new id of the approvals channel, it reads neither who approves there nor the votes.
  const heldUpBy: readonly Why[] = approval.policy.channel === undefined ? FAULTS : [...FAULTS, 'moved'];
  const query = { why: heldUpBy, team, about: name };
  const isInTime = (known: number) =>
    world.spans.settled({ ...query, from: known }, DECIDED_WITHIN_MS) + DECIDED_WITHIN_MS < at;
  const standing = policiesOf(about, from).map((policy) => {
    const people = approversOf(policy).filter((user) => {
      const place = `${location.channel} ${location.ts} ${user} ${yes}`;
      const added = world.reactions.findLast(
        (each) => each.team === team && each.about === place && each.added,
      );
      const stands = reactedWith(message, yes).includes(user);
      // A new round of approval needs new votes, though those of the round before still stand on the card. An emoji that was
      // added before the round was written may not have been a vote then.
      const isOfRound = (added?.moment ?? 0) > approval.countedFrom && (added?.at ?? 0) >= writtenAt;
      const voting = { from: Math.min(from, added?.at ?? from), to: at };
      const isLost = !mayApproveThroughout(world, team, policy, user, voting);
      const isKnown = added?.acknowledgedAt !== undefined && isInTime(added.acknowledgedAt);
      const isRefused = approval.history.some(({ by, type }) => by === user && type === 'refused');
      const isUnknown = isRefused && added && wasChannelUnknown(world, team, added);
      return stands && isOfRound && isKnown && !isUnknown && !isLost && user !== requester && user !== asker;
    });
    return { people: people.length, needed: policy.quorum };
  });
  if (standing.length > 0 && standing.every(({ people, needed }) => people >= needed))
    world.witness.violated(`approval: ${name} expired, and ${standing[0]?.people} had approved it`);
}

/** A refusal rests on a read of Slack soon after its time, or on a list of the group that is up to ten seconds old. */
const REFUSED_WITHIN_MS = 12_000;

/** Checks that nobody was refused who had the right to vote all the time. */
function checkRefused(about: About): void {
  const { world, team, record, name } = about;
  for (const { type, by, at, problem = '' } of record.approval?.history ?? []) {
    if (type !== 'refused' || !OF_PERSON.has(problem)) continue;
    const judged = { from: at - REFUSED_WITHIN_MS, to: at + REFUSED_WITHIN_MS };
    const mayVote = policiesOf(about, at).every((policy) =>
      mayApproveThroughout(world, team, policy, by, judged),
    );
    const isHeldUp = world.spans.find({ why: [...FAULTS, 'uninstalled'], team, ...judged }).length > 0;
    if (mayVote && !isHeldUp)
      world.witness.violated(`approval: a vote of ${by} on ${name} was refused (${problem})`);
  }
}

/** The refusals that say that a person has no right to vote on any request. */
const OF_PERSON: ReadonlySet<string> = new Set([
  'external_user',
  'bot',
  'deactivated',
  'guest',
  'not_approver',
]);

function checkDecision(about: About): void {
  const { world, record, name } = about;
  const { witness } = world;
  const { approval, steps } = record;
  const decided = steps.filter(({ cause }) => cause.type === 'decision');
  const rounds = steps.filter(({ state }) => state === 'awaiting_approval').length;
  if (decided.length > rounds) witness.violated(`approval: ${name} was decided twice`);
  if (!approval?.decision) return;
  const { by, choice } = approval.decision;
  if (new Set(by).size !== by.length) witness.violated(`approval: somebody counted twice for ${name}`);
  if (choice === 'yes' && by.length < approval.policy.quorum)
    witness.violated(`approval: ${name} was approved by too few`);
  for (const person of by) checkVoter(about, person, approval.decision);
}

type Decision = NonNullable<NonNullable<RequestRecord['approval']>['decision']>;

/** Checks that a counted voter was allowed to vote, and that the vote stood when it was read. */
function checkVoter(about: About, person: string, { choice, at, source }: Decision): void {
  const { world, team, record, name } = about;
  const { witness, reactions } = world;
  const { id, approval, requester } = record;
  const policies = policiesOf(about, at);
  if (person === requester || !policies.some((policy) => approversOf(policy).includes(person)))
    witness.violated(`approval: ${person} counted for ${name}`);
  // Approvals are confirmed when they decide. A vote against counts by the rights at which it was accepted, also if a later
  // approval of the same person hid it until that was taken back.
  const accepted = approval?.history.findLast(
    (entry) => entry.type === 'voted' && entry.by === person && entry.choice === choice,
  );
  const judgedAt = choice === 'no' ? (accepted?.at ?? at) : at;
  // A process may be frozen between its look at the clock and its look at the rights.
  const to = world.spans.settled({ why: ['freeze'], from: judgedAt }, JUDGED_WITHIN_MS);
  const judged = { from: judgedAt - CONFIRMED_WITHIN_MS, to };
  if (!policies.some((policy) => mayApproveWithin(world, team, policy, person, judged)))
    witness.violated(`approval: ${person} counted for ${name} without the right to it`);
  const location = votedOnIn(record)?.location;
  // Only an emoji of this round makes a vote (witness.ts compares the policy of the round with the one in force).
  const emoji = approval?.policy.emoji[choice];
  const place = `${location?.channel} ${location?.ts} ${person} ${emoji}`;
  const own = approval?.votes.filter((each) => each.by === person && each.choice === choice) ?? [];
  const byButton = own.find((vote) => vote.source === BUTTON);
  if (byButton && (byButton.addedAt > byButton.removedAt || stoodAt(world, id, { person, choice, at })))
    return;
  if (choice === 'no') {
    const theirs = reactions.filter(
      (each) => each.team === team && each.about === place && each.emoji === source,
    );
    if (wasKnownToBeRemoved(theirs, at))
      witness.violated(`approval: ${person} had taken back the vote that declined ${name}`);
    return;
  }
  // The last read before the decision, of the message that people voted on then: a copy may have taken its place since.
  const read = witness.voteReads.findLast((each) => each.request === id && each.at <= at + 1_000);
  if (!read?.standing.has(`${person} ${emoji}`))
    witness.violated(`approval: the vote of ${person} for ${name} did not stand when it was counted`);
}

/** Whether a vote by button stood at a moment, by what its voter did: it may have been taken back since then. */
function stoodAt(
  { presses }: World,
  request: string,
  { person, choice, at }: { person: string; choice: string; at: number },
): boolean {
  const theirs = presses.filter(
    (each) => each.request === request && each.by === person && each.choice === choice,
  );
  const isTakenBack = (cast: World['presses'][number]) =>
    theirs.some(
      (other) => !other.added && other.at > cast.at && (other.endedAt ?? Number.POSITIVE_INFINITY) <= at,
    );
  return theirs.some((each) => each.added && each.at <= at && !isTakenBack(each));
}

/** A single vote to decline decides at once, unless the bot knew before that it had been removed. */
function wasKnownToBeRemoved(theirs: World['reactions'], at: number): boolean {
  const own = theirs.filter((each) => each.at <= at);
  const lastAdded = Math.max(0, ...own.filter(({ added }) => added).map(({ moment }) => moment));
  return own.some(
    ({ added, moment, acknowledgedAt = at }) => !added && moment > lastAdded && acknowledgedAt < at,
  );
}
