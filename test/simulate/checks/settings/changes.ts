/** Checks that the notifications channel hears of each change of the settings, once. */
import { SETTINGS_CHANGED } from '../../tables/notices.ts';
import { TEAMS } from '../../teams.ts';
import { installedSince, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { isPostedNowhere } from '../moved.ts';

export function checkChanges(world: World): void {
  for (const team of TEAMS) {
    if (installedSince(world, team) > 0) continue;
    // The preparation of a play sets all policies without a form; a policy that is saved by its form names its kind.
    const saved = world.policies.filter((each) => each.team === team && each.kind !== undefined);
    const known = saved.filter(
      ({ from, known: to }) => Number.isFinite(to) && !isPostedNowhere(world, team, { from, to }),
    ).length;
    const told = messagesOfBot(world, team).filter(({ text }) => SETTINGS_CHANGED.test(text)).length;
    if (told < known || told > saved.length)
      world.witness.violated(
        `settings: ${team} was told of ${told} changes, and ${known} of ${saved.length} had to be told`,
      );
  }
}
