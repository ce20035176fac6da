/** Checks that an update which Slack refuses is tried ever more rarely, so that one that is refused for good takes few calls. */
import { TEAMS } from '../../teams.ts';
import type { World } from '../../world/world.ts';

const HOUR_MS = 60 * 60_000;

/** A wait that doubles reaches an hour after a dozen tries, and begins anew for an update that was overtaken. */
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
