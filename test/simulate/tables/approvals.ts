/** Who may approve in a play, and what its policies demand. The people are those of world/slack-side.ts. */
import type { Plan, PlannedPolicy } from '../draw/plan.ts';
import { idOf, type Team } from '../teams.ts';

/** The emoji that are votes. */
export const EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

/** The members of the approvers' group whose votes count: a requester is one of it, too, and a guest never counts. */
export const APPROVERS = ['cara', 'dev', 'eve', 'ana'];

/** The policy that `save_policy` saves. */
const SAVED: PlannedPolicy = { quorum: 1, shownIn: 'where_requested' };

/** All policies that a team has had in a play, each of which may have been in force; undefined: no approval was needed. */
export function policiesOf({ policies, acts }: Plan, team: Team): (PlannedPolicy | undefined)[] {
  return [
    policies[team],
    ...acts.flatMap((act) => {
      if (!('team' in act) || act.team !== team) return [];
      if (act.type === 'set_policy') return [act.policy];
      if (act.type === 'save_policy') return [SAVED];
      // Nothing is left of a workspace that has uninstalled the app.
      return act.type === 'uninstall' ? [undefined] : [];
    }),
  ];
}

/** The number of approvals that a call of the team needed at least. */
export const leastApprovals = (plan: Plan, team: Team): number =>
  Math.min(...policiesOf(plan, team).map((policy) => policy?.quorum ?? 0));

export const mayApprove = (team: Team, person: string, requester: string): boolean =>
  person !== requester && APPROVERS.some((name) => person === idOf('U', team, name));
