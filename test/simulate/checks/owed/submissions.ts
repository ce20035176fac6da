/** Checks that each submitted request is stored, or was refused for a reason that holds in the play. */
import type { Plan } from '../../draw/plan.ts';
import { REFUSED_AFTER, REFUSED_FOR_ANOTHER, STORED } from '../../tables/refusals.ts';
import { idOf } from '../../teams.ts';
import type { World } from '../../world/world.ts';

type Submission = World['submissions'][number];

export function checkSubmissions(world: World, plan: Plan): void {
  const stored = new Set([...world.stored.requests.entries()].map(({ record }) => record.id));
  for (const submission of world.submissions) {
    const { answers, slot, id, team } = submission;
    const isForgotten = plan.acts.some((act) => act.type === 'uninstall' && act.team === team);
    if (answers.some(({ type }) => STORED.has(type)) && !stored.has(id) && !isForgotten)
      world.witness.violated(`request: ${slot} was acknowledged, and is not stored`);
    if (answers.length === 0 && !hasMetFaults(world))
      world.witness.violated(`request: ${slot} was never answered`);
    for (const answer of answers) checkRefusal(world, plan, submission, answer);
  }
}

const hasMetFaults = ({ choices }: World): boolean => choices.taken().length > 0;

function checkRefusal(
  world: World,
  { acts }: Plan,
  submission: Submission,
  { type, at }: Submission['answers'][number],
): void {
  const { team, slot } = submission;
  if (STORED.has(type)) return;
  const holds =
    type === 'fault'
      ? hasMetFaults(world) || hasNoInstallation(world, submission)
      : REFUSED_FOR_ANOTHER.has(type)
        ? world.submissions.some((other) => other !== submission && other.slot === slot && other.at <= at)
        : acts.some((act) => 'team' in act && act.team === team && REFUSED_AFTER[type]?.includes(act.type));
  if (!holds)
    world.witness.violated(`request: ${slot} was refused (${type}), and nothing gives a reason for it`);
}

const hasNoInstallation = ({ slack, reinstalled }: World, { team }: Submission): boolean =>
  slack.world.installations.get(idOf('T', team))?.status !== 'active' || reinstalled.has(team);
