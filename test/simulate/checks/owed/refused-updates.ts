/** Checks that an update which Slack refuses is tried ever more seldom: what is refused for good takes few calls. */
import { TEAMS } from '../../teams.ts';
import type { World } from '../../world/world.ts';

const HOUR_MS = 60 * 60_000;

/** Waits that double reach an hour after a dozen tries; an update that was overtaken begins anew. */
const MOST_IN_AN_HOUR = 60;

export function checkRefusedUpdates({ slack, witness }: World): void {
  for (const team of TEAMS)
    for (const tries of slack.of[team].refusedUpdates.values()) {
      const isTooOften = tries.some((at, n) => at - (tries[n - MOST_IN_AN_HOUR] ?? -HOUR_MS) < HOUR_MS);
      if (isTooOften)
        witness.violated(
          `update: of ${team} the same one was refused ${tries.length} times, and tried again`,
        );
    }
}
