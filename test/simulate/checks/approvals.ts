/** Promise 2: who decided, and that what they said stood when it was counted. */
import { isButton } from '../../../src/requests/model/approvals/votes.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import { EMOJI } from '../people/team.ts';
import type { World } from '../replica.ts';
import { idOf, type Team } from '../world/slack-side.ts';

/** Reading the rights takes less than half of a claim, and writing down what they are less than all of it. */
const CONFIRMED_WITHIN_MS = 60_000;

const NEVER = ['GINA', 'BEN', 'OLGA'];

export function checkApprovals(world: World, plan: Plan): void {
  for (const { record } of world.stored.requests.entries()) {
    checkDecision(world, record);
    if (!wasInTheWay(plan, record)) checkExpired(world, record);
  }
}

/** While nobody may look at what is voted on, nothing is decided. */
const IN_THE_WAY: readonly string[] = ['archive', 'share', 'uninstall', 'disconnect', 'set_policy'];

const wasInTheWay = ({ acts }: Plan, { workspace }: RequestRecord): boolean =>
  acts.some((act) => IN_THE_WAY.includes(act.type) && 'team' in act && idOf('T', act.team) === workspace);

const APPROVERS = ['cara', 'dev', 'eve'];
/** Longer than Slack fails, and than the only replica is frozen a few times. */
const DECIDED_WITHIN_MS = 40 * 60_000;

/** No vote is lost: what stands, and the bot has heard of in time, decides before the request expires. */
function checkExpired({ witness, slack, lostRights, reactions }: World, record: RequestRecord): void {
  const { approval, workspace, requester, target, card, state } = record;
  const { at, cause } = currentStep(record);
  if (state !== 'expired' || cause.type !== 'expire' || !approval || approval.decision) return;
  const place = approval.approvalMessage?.location ?? card.location;
  const message = place && slack.world.channels.get(place.channel)?.messages.get(place.ts);
  if (!place || !message || message.is_tombstone) return;
  const team = workspace.slice(1).toLowerCase() as Team;
  const standing = APPROVERS.map((name) => idOf('U', team, name)).filter((user) => {
    const about = `${place.channel} ${place.ts} ${user} ${EMOJI.yes}`;
    const added = reactions.findLast((each) => each.about === about && each.added);
    const stands = message.reactions.get(EMOJI.yes)?.includes(user) ?? false;
    // Approval that is requested again needs new votes, and those of before still stand on the card.
    const counts = (added?.moment ?? 0) > approval.countedFrom && user !== requester && !lostRights.has(user);
    return stands && counts && (added?.heardAt ?? at) < at - DECIDED_WITHIN_MS;
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

/** Checks that a counted voter was allowed to vote, and that their vote stood when it was read. */
function checkVoter(
  { witness, lostRights, reactions }: World,
  { approval, requester, target, card }: RequestRecord,
  person: string,
  { choice, at }: Decision,
): void {
  const isBarred = person === requester || NEVER.some((name) => person.endsWith(name));
  if (isBarred) witness.violated(`approval: ${person} counted for ${target}`);
  if ((lostRights.get(person) ?? at) < at - CONFIRMED_WITHIN_MS)
    witness.violated(`approval: ${person} counted for ${target} without the right to it`);
  const place = approval?.approvalMessage?.location ?? card.location;
  const about = `${place?.channel} ${place?.ts} ${person} ${EMOJI[choice]}`;
  const own = approval?.votes.filter((each) => each.by === person && each.choice === choice) ?? [];
  if (own.some((vote) => isButton(vote) && vote.addedAt > vote.removedAt)) return;
  if (choice === 'no') {
    if (wasKnownToBeGone(reactions, about, at))
      witness.violated(`approval: ${person} had taken back what declined ${target}`);
    return;
  }
  const look = witness.looks.findLast(
    (each) => each.channel === place?.channel && each.ts === place.ts && each.at <= at + 1_000,
  );
  if (!look?.standing.has(`${person} ${EMOJI[choice]}`))
    witness.violated(`approval: the vote of ${person} for ${target} did not stand when it was counted`);
}

/** One denial declines at once. It does not count where the bot has heard before that it was taken back. */
function wasKnownToBeGone(reactions: World['reactions'], about: string, at: number): boolean {
  const own = reactions.filter((each) => each.about === about && each.at <= at);
  const lastAdded = Math.max(0, ...own.filter(({ added }) => added).map(({ moment }) => moment));
  return own.some(({ added, moment, heardAt = at }) => !added && moment > lastAdded && heardAt < at);
}
