/**
 * Checks promise 2 by what people did, whatever the bot has written into its steps: each call under a policy had its approvals
 * at one time, by people who could approve then.
 */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import { EMOJI, leastApprovals, mayApprove } from '../tables/approvals.ts';
import type { Team } from '../teams.ts';
import type { World } from '../world/world.ts';

/**
 * The length of a claim: what is read of votes and rights, and what is decided by it, are under one claim. A clock that was set
 * back makes nothing of this longer: claims expire by the clock of the storage.
 */
const READ_WITHIN_MS = 60_000;

/** A vote in favour was cast, or taken back. `known`: from when it counts; a removal, once the bot must know of it. */
type Change = { by: string; source: string; added: boolean; at: number; known: number };

export function checkDecisions(world: World, plan: Plan): void {
  for (const { record } of world.stored.requests.entries()) {
    const team = record.workspace.slice(1).toLowerCase() as Team;
    const needed = leastApprovals(plan, team);
    const [first] = world.witness.callsFor(record);
    if (!first || needed === 0) continue;
    const most = mostAtOnce(world, team, record, first.at);
    if (most < needed)
      world.witness.violated(`decision: ${record.target} was sent after ${most} of ${needed} approvals`);
  }
}

/** The largest number of people whose approval stood at one time before a moment. */
function mostAtOnce(world: World, team: Team, record: RequestRecord, before: number): number {
  const changes = changesOf(world, record).filter(
    ({ by, at }) => at <= before && mayApprove(team, by, record.requester),
  );
  const atOnce = changes.map(({ at: moment }) => {
    const people = new Set<string>();
    for (const { by } of changes) {
      const mayStill = (world.lostRights.get(by) ?? before) >= moment - READ_WITHIN_MS;
      if (mayStill && stands(changes, by, moment)) people.add(by);
    }
    return people.size;
  });
  return Math.max(0, ...atOnce);
}

/** Whether a vote of a person, by any source, had been cast at a moment and not been taken back since. */
function stands(changes: readonly Change[], person: string, moment: number): boolean {
  const own = changes.filter(({ by, known }) => by === person && known <= moment);
  return own.some(
    ({ added, at, source }) =>
      added && !own.some((other) => !other.added && other.source === source && other.at > at),
  );
}

function changesOf({ presses, reactions, witness }: World, { id }: RequestRecord): Change[] {
  const pressed = presses
    .filter(({ request, choice }) => request === id && choice === 'yes')
    .map(
      ({ by, added, at, endedAt = Number.POSITIVE_INFINITY }): Change => ({
        by,
        source: 'button',
        added,
        at,
        known: added ? at : endedAt,
      }),
    );
  const places = witness.votedOn.get(id) ?? new Set();
  const reacted = reactions.flatMap(({ about, added, at }): Change[] => {
    const [channel, ts, by = '', emoji] = about.split(' ');
    const isIts = emoji === EMOJI.yes && places.has(`${channel} ${ts}`);
    if (!isIts) return [];
    return [{ by, source: `${channel} ${ts}`, added, at, known: added ? at : at + READ_WITHIN_MS }];
  });
  return [...pressed, ...reacted];
}
