/** Checks that a month later what has ended is gone, and what is open is kept. */
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { STATES } from '../../../support/seen-requests.ts';
import { lastStep } from '../../tables/records.ts';
import { TEAMS, teamIn } from '../../teams.ts';
import { installedSince, requestsOf, type World } from '../../world/world.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The retention that the replicas are configured with. */
const KEPT_MS = 30 * DAY_MS;
/** That time, a day until the next daily task, and a day for what another record has kept until then. */
export const MONTH_MS: number = KEPT_MS + 2 * DAY_MS;

/** Notes what is open before that month. @returns the check to run after it */
export function checkKept(world: World): () => void {
  const open = TEAMS.flatMap((team) => requestsOf(world, team).filter(({ state }) => STATES[state]?.isOpen));
  return () => {
    const old = world.scheduler.now() - KEPT_MS - DAY_MS;
    const left = TEAMS.flatMap((team) => requestsOf(world, team));
    const ended = left
      .filter(({ state }) => !STATES[state]?.isOpen)
      .filter((each) => lastStep(each).at < old);
    for (const { id } of ended) world.witness.violated(`kept: ${world.witness.nameOf(id)} ended a month ago`);
    const ids = new Set(left.map(({ id }) => id));
    const gone = open.filter((record) => isInstalled(world, record) && !ids.has(record.id));
    for (const { id } of gone)
      world.witness.violated(`kept: ${world.witness.nameOf(id)}, which is open, is gone`);
    for (const { record } of world.stored.notices.entries())
      if (record.at < old) world.witness.violated('kept: a notice is a month old');
    for (const { record } of world.stored.installations.entries())
      if (!record.installed)
        world.witness.violated(`kept: the claim to remove ${record.workspace} is a month old`);
  };
}

const isInstalled = (world: World, { workspace }: RequestRecord): boolean =>
  installedSince(world, teamIn(workspace)) < Number.POSITIVE_INFINITY;
