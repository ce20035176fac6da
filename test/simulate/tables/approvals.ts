/** Tells who may approve in a play, and which policies may be in force. The people are those of world/slack-side.ts. */
import type { KINDS } from '../../support/seen-requests.ts';
import type { PlannedEmoji, PlannedPolicy } from '../draw/plan.ts';
import { idOf, type Team } from '../teams.ts';

/** The emoji that are votes under a policy. */
export const EMOJI: Readonly<Record<PlannedEmoji, { yes: string; no: string }>> = {
  usual: { yes: 'white_check_mark', no: 'x' },
  other: { yes: 'heart', no: 'no_entry' },
  swapped: { yes: 'x', no: 'white_check_mark' },
};

export type Approvers = NonNullable<PlannedPolicy['approvers']>;

/** The people whose votes count. Each list has a requester; a guest who is named as well is left out. */
const APPROVERS: Readonly<Record<Approvers, readonly string[]>> = {
  group: ['cara', 'dev', 'eve', 'ana'],
  people: ['cara', 'dev', 'ana'],
  channel: ['cara', 'dev', 'eve', 'ana', 'ben', 'olga'],
};

/** The losses that take away the right to approve, by whom a policy names. */
const LOST_BY: Readonly<Record<Approvers, readonly Lost['by'][]>> = {
  group: ['group', 'company', 'guest'],
  people: ['company', 'guest'],
  channel: ['channel', 'company', 'guest'],
};

/**
 * A time in which a person was not in the group, the channel or the company of the approvers, was a guest, or was not in the
 * group of those who may request; epoch milliseconds.
 */
export type Lost = {
  who: string;
  by: 'group' | 'channel' | 'company' | 'guest' | 'requesters';
  from: number;
  to: number;
};

type Losses = { lostRights: Readonly<Record<Team, readonly Lost[]>> };

/** A time, both ends included; epoch milliseconds. */
export type Period = { from: number; to: number };

/**
 * A policy that was saved; undefined: no approval was needed. `kind`: undefined: of all kinds. `from`: when an admin saved it;
 * `known`: when the bot had acknowledged that; infinity: it has not. `tries`: how often the form was submitted.
 */
export type SavedPolicy = {
  team: Team;
  kind?: keyof typeof KINDS;
  policy: PlannedPolicy | undefined;
  from: number;
  known: number;
  tries: number;
};

export const approversOf = ({ approvers = 'group' }: PlannedPolicy): readonly string[] =>
  APPROVERS[approvers].map((name) => idOf('U', name));

/** Returns the times in which a person did not have the right to approve under a policy, the earliest first. */
export function lossesOf(
  { lostRights }: Losses,
  team: Team,
  { approvers = 'group' }: PlannedPolicy,
  person: string,
): readonly Lost[] {
  return lostRights[team].filter(({ who, by }) => who === person && LOST_BY[approvers].includes(by));
}

/**
 * Whether the bot may have read in a period that a person has the right to approve. It reads and remembers the group and the
 * account separately, so each must have allowed it at some moment, not necessarily at the same one.
 */
export function mayApproveWithin(
  lost: Losses,
  team: Team,
  policy: PlannedPolicy,
  person: string,
  { from, to }: Period,
): boolean {
  if (!approversOf(policy).includes(person)) return false;
  const losses = Map.groupBy(lossesOf(lost, team, policy, person), ({ by }) => by);
  return [...losses.values()].every((each) => !isThroughout(each, { from, to }));
}

/** Whether losses of one kind, the earliest first, leave no moment of a period. */
function isThroughout(losses: readonly Lost[], { from, to }: Period): boolean {
  let at = from;
  for (const loss of losses) if (loss.from <= at && loss.to > at) at = loss.to;
  return at > to;
}

/** Whether a person had the right to approve all the time. */
export const mayApproveThroughout = (
  lost: Losses,
  team: Team,
  policy: PlannedPolicy,
  person: string,
  { from, to }: Period,
): boolean =>
  approversOf(policy).includes(person) &&
  !lossesOf(lost, team, policy, person).some((loss) => loss.from <= to && loss.to >= from);

/** The time that a submitted form may be on its way. It then replaces what was saved meanwhile. */
const ARRIVES_WITHIN_MS = 15 * 60_000;

/** Whether a policy can't be in force after a moment, because of one that was saved later. */
function isReplaced({ from, known, tries }: SavedPolicy, newer: SavedPolicy, moment: number): boolean {
  // If a form was submitted again, one of the tries may still be under way in a frozen process.
  return newer.known <= moment && (tries <= 1 ? known : from + ARRIVES_WITHIN_MS) <= newer.from;
}

/** The policies of a kind that may have been in force at some time between two moments; undefined: no approval was needed. */
export function policiesBetween(
  { policies }: { policies: readonly SavedPolicy[] },
  { team, kind }: { team: Team; kind: keyof typeof KINDS },
  from: number,
  to: number,
): (PlannedPolicy | undefined)[] {
  const own = policies.filter((each) => each.team === team && (each.kind ?? kind) === kind);
  return own
    .filter((each, n) => each.from <= to && !own.slice(n + 1).some((newer) => isReplaced(each, newer, from)))
    .map(({ policy }) => policy);
}
