/** Checks that nobody requests more within an hour than one person may: each request that they made or sent again counts. */
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { TEAMS } from '../../teams.ts';
import { requestsOf, type World } from '../../world/world.ts';

/** A little less than an hour, because a step has the time at which it was begun to be written. */
const WITHIN_MS = 59 * 60_000;

type Made = { by: string; at: number };

export function checkLimits({ requestsPerHour: limit, forgotten, ...world }: World): void {
  if (limit === undefined) return;
  for (const team of TEAMS) {
    // An uninstall also removes the counts of what people have requested.
    const isForgotten = world.spans.all.some((span) => span.why === 'uninstalled' && span.team === team);
    if (isForgotten) continue;
    const made = requestsOf(world, team).flatMap(madeIn);
    for (const last of made) {
      // So does the command that forgets a person, for that person.
      if (forgotten.some(({ team: of, who }) => of === team && who === last.by)) continue;
      const own = made.filter(({ by, at }) => by === last.by && at <= last.at && at > last.at - WITHIN_MS);
      if (own.length > limit)
        world.witness.violated(`limit: ${last.by} of ${team} made ${own.length} requests within an hour`);
    }
  }
}

const SENT_AGAIN: ReadonlySet<string> = new Set(['retry', 'not_received']);

function madeIn({ steps }: RequestRecord): Made[] {
  return steps.flatMap(({ cause, at }): Made[] => {
    const isMade =
      cause.type === 'requested' ||
      cause.type === 'approval_requested_again' ||
      (cause.type === 'person' && SENT_AGAIN.has(cause.action));
    return isMade ? [{ by: cause.by, at }] : [];
  });
}

/** Counts the requests that a person has tried to make, or to send again, before a moment. */
export const triesOf = (
  { submissions, confirmed }: Pick<World, 'submissions' | 'confirmed'>,
  { team, by, until }: { team: string; by: string; until: number },
): number =>
  [...submissions, ...confirmed.filter(({ act }) => SENT_AGAIN.has(act))].filter(
    (each) => each.team === team && each.by === by && each.at <= until,
  ).length;
