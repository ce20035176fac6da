/** Checks that no record of the past names a person whom an operator had forgotten. */
import { approversOf } from '../../tables/approvals.ts';
import { TEAMS, type Team, workspaceOf } from '../../teams.ts';
import type { World } from '../../world/world.ts';

/** The time for which an act of a person may be on its way to the bot. */
const ARRIVES_WITHIN_MS = 10 * 60_000;

/** Stands for a person who was forgotten (docs/configuration.md). */
const NOBODY = 'forgotten';

export function checkForgotten(world: World): void {
  for (const { team, who, from, at } of world.forgotten) {
    const since = from - ARRIVES_WITHIN_MS;
    if (at === undefined || isNamedSince(world, team, who, since)) continue;
    for (const [type, records] of Object.entries(pastOf(world)))
      for (const { record } of records.entries())
        if (record.workspace === workspaceOf(team) && JSON.stringify(record).includes(`"${who}"`))
          world.witness.violated(`forgotten: ${who} of ${team} is named in ${type}`);
  }
}

const pastOf = ({ stored: { requests, auditEntries, recentRequests } }: World) => ({
  requests,
  auditEntries,
  recentRequests,
});

/** Whether a person did something after a moment, or what they did before was answered after it: it may be written as late. */
function hasActedSince(
  { submissions, presses, declining, confirmed, reactions }: World,
  team: Team,
  who: string,
  moment: number,
): boolean {
  const asked = [...submissions, ...confirmed].map((act) => ({
    ...act,
    until: Math.max(act.at, ...act.answers.map(({ at }) => at)),
  }));
  const pressed = presses.map((press) => ({ ...press, until: press.endedAt ?? press.at }));
  const reacted = reactions.map(({ about, at, acknowledgedAt = at, ...reaction }) => ({
    ...reaction,
    by: about.split(' ')[2],
    until: acknowledgedAt,
  }));
  const declined = declining.map((act) => ({ ...act, until: act.at }));
  return [...asked, ...pressed, ...declined, ...reacted].some(
    (act) => act.by === who && act.team === team && act.until > moment,
  );
}

/** Whether a person acted after a moment, or an admin named them as an approver: requests made since copy that policy. */
const isNamedSince = (world: World, team: Team, who: string, moment: number): boolean =>
  hasActedSince(world, team, who, moment) ||
  world.policies.some(
    ({ team: where, policy, known }) =>
      where === team && policy?.approvers === 'people' && approversOf(policy).includes(who) && known > moment,
  );

/** Puts the ids of forgotten people back, since other checks ask who did what. At most one person of each team is forgotten. */
export function nameForgotten(world: World): void {
  for (const team of TEAMS) {
    const { who } = world.forgotten.find((each) => each.team === team) ?? {};
    if (who === undefined) continue;
    for (const records of Object.values(pastOf(world)))
      for (const entry of records.entries())
        if (entry.record.workspace === workspaceOf(team))
          entry.record = JSON.parse(JSON.stringify(entry.record).replaceAll(`"${NOBODY}"`, `"${who}"`));
  }
}
