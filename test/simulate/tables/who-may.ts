/** Tells who may make a request, and who may do what with one, by the table in docs/using.md. Written by hand. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { PlannedPolicy } from '../draw/plan.ts';
import { idOf, type Team } from '../teams.ts';
import { type Lost, mayApproveThroughout, mayApproveWithin, type Period } from './approvals.ts';

/** The user group that may request, in plays that have one. It includes a guest, who may not. */
export const REQUESTERS = ['ana', 'cara', 'olga', 'gina'] as const;
/** The people who are not in that group until they join it. */
export const OTHERS: readonly Lost[] = ['ben', 'dev', 'eve'].map((name) => ({
  who: idOf('U', name),
  by: 'requesters',
  from: 0,
  to: Number.POSITIVE_INFINITY,
}));
const GUESTS: ReadonlySet<string> = new Set([idOf('U', 'gina')]);
const ADMIN = idOf('U', 'olga');

/** `always`: judges by what held all the time, and not at some moment. */
export type Judged = Period & { always: boolean };

export type Rights = { lostRights: Readonly<Record<Team, readonly Lost[]>>; hasRequesters: boolean };

const isMember = (
  { lostRights }: Rights,
  team: Team,
  person: string,
  by: readonly Lost['by'][],
  { from, to, always }: Judged,
): boolean =>
  !lostRights[team].some(
    (loss) =>
      loss.who === person &&
      by.includes(loss.by) &&
      (always ? loss.from <= to && loss.to >= from : loss.from <= from && loss.to > to),
  );

/** Whether a person may make a request, or press Retry. */
export function mayRequest(rights: Rights, team: Team, person: string, judged: Judged): boolean {
  if (GUESTS.has(person)) return false;
  const losses = ['company', 'guest', ...(rights.hasRequesters ? ['requesters' as const] : [])] as const;
  return isMember(rights, team, person, losses, judged);
}

/** The acts that send a request again, or say what came of a call. */
const OF_UNKNOWN: readonly ManualAction[] = [
  'approved',
  'denied',
  'sent',
  'canceled',
  'in_review',
  'not_received',
];

type Act = { team: Team; by: string; act: ManualAction };

/** Whether a person may do this with a request in a state, under the policy that it has. */
export function mayDo(
  rights: Rights,
  { requester }: Pick<RequestRecord, 'requester'>,
  { team, by, act }: Act,
  { state, policy }: { state: string; policy: PlannedPolicy | undefined },
  judged: Judged,
): boolean {
  if (act === 'retry') return mayRequest(rights, team, by, judged);
  if (GUESTS.has(by) || !isMember(rights, team, by, ['company', 'guest'], judged)) return false;
  if (by === ADMIN) return true;
  if (act === 'release') return false;
  if (act === 'withdraw') return by === requester && policy?.isForAdminsToWithdraw !== true;
  if (by === requester && state === 'unknown' && OF_UNKNOWN.includes(act)) return true;
  const mayApprove = judged.always ? mayApproveThroughout : mayApproveWithin;
  return policy !== undefined && mayApprove(rights, team, policy, by, judged);
}
