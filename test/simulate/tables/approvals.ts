/** The people who may approve in a play, and the demands of its policies. The people are those of world/slack-side.ts. */
import type { KINDS } from '../../support/seen-requests.ts';
import type { PlannedPolicy } from '../draw/plan.ts';
import { idOf, type Team } from '../teams.ts';

/** The emoji that are votes. */
export const EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

export type Approvers = NonNullable<PlannedPolicy['approvers']>;

/** Those whose votes count: a requester is one of each, and a guest, who is one as well, never counts. */
const APPROVERS: Readonly<Record<Approvers, readonly string[]>> = {
  group: ['cara', 'dev', 'eve', 'ana'],
  people: ['cara', 'dev', 'ana'],
  channel: ['cara', 'dev', 'eve', 'ana', 'ben', 'olga'],
};

/** The losses that take the right to approve away, by whom a policy names. */
const LOST_BY: Readonly<Record<Approvers, readonly Lost['by'][]>> = {
  group: ['group', 'company'],
  people: ['company'],
  channel: ['channel', 'company'],
};

/** A person who has left the group, the channel or the company of the approvers, and when; epoch milliseconds. */
export type Lost = { who: string; by: 'group' | 'channel' | 'company'; at: number };

/**
 * A policy that was saved; undefined: no approval was needed. `kind`: undefined: of all kinds. `from`: when an admin saved it;
 * `known`: when the bot had acknowledged that; infinity: it has not.
 */
export type SavedPolicy = {
  team: Team;
  kind?: keyof typeof KINDS;
  policy: PlannedPolicy | undefined;
  from: number;
  known: number;
};

export const approversOf = ({ approvers = 'group' }: PlannedPolicy): readonly string[] =>
  APPROVERS[approvers].map((name) => idOf('U', name));

/** The time at which a person lost the right to approve under a policy; infinity: never; undefined: they have never had it. */
export function mayApproveUntil(
  { lostRights }: { lostRights: Readonly<Record<Team, readonly Lost[]>> },
  team: Team,
  policy: PlannedPolicy,
  person: string,
): number | undefined {
  if (!approversOf(policy).includes(person)) return undefined;
  const lost = lostRights[team].find(
    ({ who, by }) => who === person && LOST_BY[policy.approvers ?? 'group'].includes(by),
  );
  return lost?.at ?? Number.POSITIVE_INFINITY;
}

/** Those who still have the right to approve at a moment. @param except who cannot approve their own request */
export const approversLeft = (
  lost: { lostRights: Readonly<Record<Team, readonly Lost[]>> },
  team: Team,
  policy: PlannedPolicy,
  { at, except }: { at: number; except?: string },
): readonly string[] =>
  approversOf(policy).filter(
    (person) => person !== except && (mayApproveUntil(lost, team, policy, person) ?? 0) > at,
  );

/** The policies of a kind that may have been in force at some time between two moments; undefined: no approval was needed. */
export function policiesBetween(
  { policies }: { policies: readonly SavedPolicy[] },
  { team, kind }: { team: Team; kind: keyof typeof KINDS },
  from: number,
  to: number,
): (PlannedPolicy | undefined)[] {
  const own = policies.filter((each) => each.team === team && (each.kind ?? kind) === kind);
  return own
    .filter((each, n) => each.from <= to && !own.slice(n + 1).some(({ known }) => known <= from))
    .map(({ policy }) => policy);
}
