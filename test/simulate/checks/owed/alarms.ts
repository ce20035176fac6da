/** Checks promise 10: the admin who set a policy learns that nobody can decide a request, by direct message. */
import type { PlannedPolicy } from '../../draw/plan.ts';
import { FAULTS, type Why } from '../../spans.ts';
import { approversOf, lossesOf } from '../../tables/approvals.ts';
import { ALARM, ALARMED_AFTER_MS } from '../../tables/notices.ts';
import { type About, ADMIN, isToldOf } from './notices.ts';

/** The time for an alarm, after what owes it or after the end of what holds it up. A direct message waits for no channel. */
const ALARMED_WITHIN_MS = 3 * 60_000;

/** A wait for approval. */
type Wait = { from: number; until: number };

/** Checks that the admin learns of votes that reach what is needed and can't be confirmed. */
export function checkUnconfirmed(about: About, { from, until }: Wait): void {
  const owed = about.record.approval?.confirmation?.since;
  if (owed === undefined || owed < from) return;
  const isAlarmed = isAdminAlarmed(about, owed + ALARMED_AFTER_MS, until, {
    except: `${about.name}: confirm_votes`,
  });
  if (!isAlarmed)
    about.world.witness.violated(
      `told: no admin learned that the votes on ${about.name} cannot be confirmed`,
    );
}

/**
 * Checks that the admin learns it when everybody whose votes are counted has lost the right to vote, at one moment, and too
 * few are left to approve.
 */
export function checkNobodyLeft(about: About, policy: PlannedPolicy, { from, until }: Wait): void {
  const { world, team, record, name } = about;
  // Whoever may vote again is asked to, and the request may be decided yet.
  if (world.lostRights[team].some(({ to }) => to <= until)) return;
  const lostAt = (person: string) =>
    Math.min(...lossesOf(world, team, policy, person).map((loss) => loss.from));
  const others = approversOf(policy).filter((person) => person !== record.requester);
  const counted = world.presses.filter(
    ({ request, choice, answer, added, by, at, endedAt = until }) =>
      request === record.id &&
      choice === 'yes' &&
      answer === 'counted' &&
      added &&
      at >= from &&
      endedAt < lostAt(by),
  );
  const voters = new Set(counted.map(({ by }) => by));
  const isTakenBack = world.presses.some((each) => each.request === record.id && !each.added);
  const moments = new Set([...voters].map(lostAt));
  const [gone] = moments;
  if (voters.size < policy.quorum || isTakenBack) return;
  if (moments.size !== 1 || gone === undefined || gone > until) return;
  if (others.filter((person) => lostAt(person) > gone).length >= policy.quorum) return;
  if (!isAdminAlarmed(about, gone, until))
    world.witness.violated(`told: no admin learned that nobody is left to approve ${name}`);
}

/** Checks that the admin learns it when approval is wanted in a channel that is archived. */
export function checkArchived(about: About, policy: PlannedPolicy, { from, until }: Wait): void {
  if (policy.shownIn !== 'approvals_channel') return;
  const archived = about.world.spans.find({ why: ['approvals archived'], team: about.team, from, to: from });
  const to = Math.min(until, ...archived.map((span) => span.to));
  if (archived.length > 0 && !isAdminAlarmed(about, from, to, { unlessArchived: false }))
    about.world.witness.violated(
      `told: no admin learned that nobody can see ${about.name} in the archived approvals channel`,
    );
}

/** Reasons for which nobody can vote or is asked to vote. The admin may know them already. */
const NOT_ASKED: readonly Why[] = ['paused', 'archived'];

/**
 * @param except the beginning of the names of effects whose faults owe the alarm. `unlessArchived`: whether an archived
 * approvals channel is a reason for which none is owed
 * @returns true, too, where nothing is owed
 */
function isAdminAlarmed(
  about: About,
  from: number,
  until: number,
  { except, unlessArchived = true }: { except?: string; unlessArchived?: boolean } = {},
): boolean {
  const { world, team, name } = about;
  const heldUp = { why: FAULTS, team, about: name, from, ...(except === undefined ? {} : { except }) };
  if (until - world.spans.settled(heldUp, ALARMED_WITHIN_MS) <= ALARMED_WITHIN_MS) return true;
  const why: readonly Why[] = unlessArchived ? [...NOT_ASKED, 'approvals archived'] : NOT_ASKED;
  if (world.spans.find({ why, team, from, to: until }).length > 0) return true;
  return isToldOf(about, ADMIN, ALARM);
}
