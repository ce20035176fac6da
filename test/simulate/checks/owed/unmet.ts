/**
 * Checks promise 10 for policies that nobody can meet any more. Slack reports who has left a group or a channel, and an
 * admin is told then. Nothing reports to the bot who has left the company: a request that too few could approve is refused
 * (submissions.ts).
 */
import { KINDS } from '../../../support/seen-requests.ts';
import type { PlannedPolicy } from '../../draw/plan.ts';
import { type Approvers, approversOf, policiesBetween } from '../../tables/approvals.ts';
import { policyUnmet } from '../../tables/notices.ts';
import { TEAMS, type Team } from '../../teams.ts';
import { installedSince, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { isMoveUnknown } from '../moved.ts';
import { isAdminTold } from './notices.ts';

/** What the bot has read of people, groups and channels may be a minute old. */
const REMEMBERED_MS = 60_000;

/** The reports of Slack that somebody has left, by whom a policy names. */
const REPORTED: Readonly<Partial<Record<Approvers, World['reports'][number]['type']>>> = {
  group: 'group',
  channel: 'members',
};

/** Checks that the admin who set a policy is told that too few approvers are left for any request. */
export function checkUnmet(world: World): void {
  for (const team of TEAMS) if (installedSince(world, team) === 0) checkTeam(world, team);
}

function checkTeam(world: World, team: Team): void {
  const standing = messagesOfBot(world, team);
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    // One that was saved after the last report was not counted by it.
    const isUnmet = policiesBetween(world, { team, kind }, 0, world.scheduler.now()).every(
      (policy) => policy !== undefined && isReportedUnmet(world, team, policy),
    );
    if (isUnmet && !isAdminTold(world, team, standing, policyUnmet(KINDS[kind].title)))
      world.witness.violated(`notice: no admin of ${team} was told that nobody can approve: ${kind}`);
  }
}

/** Whether too few were left at Slack's last report of the approvers, and the bot has acknowledged that report. */
function isReportedUnmet(world: World, team: Team, policy: PlannedPolicy): boolean {
  const { approvers = 'group', quorum } = policy;
  const type = REPORTED[approvers];
  const last = world.reports.findLast((report) => report.type === type && report.team === team);
  if (!last?.isAcknowledged) return false;
  // The report named the new id, and the policy still the former one.
  if (approvers === 'channel' && isMoveUnknown(world, team)) return false;
  const gone = world.lostRights[team]
    .filter(({ by, from, to }) => {
      const isReported = by === approvers ? from <= last.at : LEFT.has(by) && isKnown(from, last.at);
      return isReported && to === Number.POSITIVE_INFINITY;
    })
    .map(({ who }) => who);
  return approversOf(policy).filter((person) => !gone.includes(person)).length < quorum;
}

/** Losses of which the bot gets no report. */
const LEFT: ReadonlySet<string> = new Set(['company', 'guest']);

const isKnown = (lostAt: number, at: number): boolean => lostAt < at - REMEMBERED_MS;
