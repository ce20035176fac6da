/** Checks promise 2: only permitted voters decide, by votes that stood when they were counted. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import { EMOJI } from '../tables/approvals.ts';
import { BUTTON } from '../tables/messages.ts';
import { lastStep } from '../tables/records.ts';
import { idOf, type Team } from '../teams.ts';
import type { World } from '../world/world.ts';

/** The length of a claim: rights are read and the decision is written under one claim. */
const CONFIRMED_WITHIN_MS = 60_000;

/** The people whose votes never count. */
const NEVER = ['GINA', 'BEN', 'OLGA'];

export function checkApprovals(world: World, plan: Plan): void {
  for (const { record } of world.stored.requests.entries()) {
    checkDecision(world, record);
    if (!wasBlocked(plan, record)) checkExpired(world, record);
  }
}

/** Acts after which the bot cannot read the votes, or the policy is another one. */
const BLOCKING_ACTS: readonly string[] = ['archive', 'share', 'uninstall', 'disconnect', 'set_policy'];

const wasBlocked = ({ acts }: Plan, { workspace }: RequestRecord): boolean =>
  acts.some((act) => BLOCKING_ACTS.includes(act.type) && 'team' in act && idOf('T', act.team) === workspace);

const APPROVERS = ['cara', 'dev', 'eve'];
/** The time that the bot may need to read the votes: Slack fails for a while, or the only replica is frozen a few times. */
const DECIDED_WITHIN_MS = 40 * 60_000;

/** Checks that no vote is lost: a request with enough standing votes, known in time, does not expire. */
function checkExpired({ witness, slack, lostRights, reactions }: World, record: RequestRecord): void {
  const { approval, workspace, requester, target, card, state } = record;
  const { at, cause } = lastStep(record);
  if (state !== 'expired' || cause.type !== 'expire' || !approval || approval.decision) return;
  const location = approval.approvalMessage?.location ?? card.location;
  const message = location && slack.world.channels.get(location.channel)?.messages.get(location.ts);
  if (!location || !message || message.is_tombstone) return;
  const team = workspace.slice(1).toLowerCase() as Team;
  const standing = APPROVERS.map((name) => idOf('U', team, name)).filter((user) => {
    const about = `${location.channel} ${location.ts} ${user} ${EMOJI.yes}`;
    const added = reactions.findLast((each) => each.about === about && each.added);
    const stands = message.reactions.get(EMOJI.yes)?.includes(user) ?? false;
    // A new round of approval needs new votes; those of the round before still stand on the card.
    const counts = (added?.moment ?? 0) > approval.countedFrom && user !== requester && !lostRights.has(user);
    return stands && counts && (added?.acknowledgedAt ?? at) < at - DECIDED_WITHIN_MS;
  });
  if (standing.length >= approval.policy.quorum)
    witness.violated(`approval: ${target} expired, and ${standing.length} had approved it`);
}

function checkDecision(world: World, record: RequestRecord): void {
  const { witness } = world;
  const { approval, target, steps } = record;
  const decided = steps.filter(({ cause }) => cause.type === 'decision');
  const rounds = steps.filter(({ state }) => state === 'awaiting_approval').length;
  if (decided.length > rounds) witness.violated(`approval: ${target} was decided twice`);
  if (!approval?.decision) return;
  const { by, choice } = approval.decision;
  if (new Set(by).size !== by.length) witness.violated(`approval: somebody counted twice for ${target}`);
  if (choice === 'yes' && by.length < approval.policy.quorum)
    witness.violated(`approval: ${target} was approved by too few`);
  for (const person of by) checkVoter(world, record, person, approval.decision);
}

type Decision = NonNullable<NonNullable<RequestRecord['approval']>['decision']>;

/** Checks that a counted voter was allowed to vote, and that the vote stood when it was read. */
function checkVoter(
  { witness, lostRights, reactions }: World,
  { id, approval, requester, target, card }: RequestRecord,
  person: string,
  { choice, at }: Decision,
): void {
  const isBarred = person === requester || NEVER.some((name) => person.endsWith(name));
  if (isBarred) witness.violated(`approval: ${person} counted for ${target}`);
  // Approvals are confirmed when they decide. A vote against counts by the rights at which it was accepted, also if a later
  // approval of the same person hid it until that was taken back.
  const accepted = approval?.history.findLast(
    (entry) => entry.type === 'voted' && entry.by === person && entry.choice === choice,
  );
  const judgedAt = choice === 'no' ? (accepted?.at ?? at) : at;
  if ((lostRights.get(person) ?? at) < judgedAt - CONFIRMED_WITHIN_MS)
    witness.violated(`approval: ${person} counted for ${target} without the right to it`);
  const location = approval?.approvalMessage?.location ?? card.location;
  const about = `${location?.channel} ${location?.ts} ${person} ${EMOJI[choice]}`;
  const own = approval?.votes.filter((each) => each.by === person && each.choice === choice) ?? [];
  if (own.some((vote) => vote.source === BUTTON && vote.addedAt > vote.removedAt)) return;
  if (choice === 'no') {
    if (wasKnownToBeRemoved(reactions, about, at))
      witness.violated(`approval: ${person} had taken back the vote that declined ${target}`);
    return;
  }
  // Of the message that people voted on then: a copy may have taken its place since.
  const read = witness.voteReads.findLast((each) => each.request === id && each.at <= at + 1_000);
  if (!read?.standing.has(`${person} ${EMOJI[choice]}`))
    witness.violated(`approval: the vote of ${person} for ${target} did not stand when it was counted`);
}

/** A single vote to decline decides at once, unless the bot knew before that it had been removed. */
function wasKnownToBeRemoved(reactions: World['reactions'], about: string, at: number): boolean {
  const own = reactions.filter((each) => each.about === about && each.at <= at);
  const lastAdded = Math.max(0, ...own.filter(({ added }) => added).map(({ moment }) => moment));
  return own.some(
    ({ added, moment, acknowledgedAt = at }) => !added && moment > lastAdded && acknowledgedAt < at,
  );
}
