/** Checks that nothing fails for no reason: each error in the log has a fault of the play, or an act, behind it. */
import type { Plan } from '../draw/plan.ts';
import { FAULT_OF_STORAGE, LINES } from '../tables/log.ts';
import type { World } from '../world/world.ts';

export function checkErrors({ witness, errorLines, choices }: World, { acts }: Plan): void {
  for (const error of witness.errors) witness.violated(`error: ${error}`);
  for (const { message, error } of errorLines) {
    if (error?.constructor.name === FAULT_OF_STORAGE) continue;
    const text = error ? `${message}: ${error.message}` : message;
    const { after = [] } = LINES.find(({ line }) => line.test(text)) ?? {};
    const isMet =
      after === 'a fault' ? choices.taken().length > 0 : acts.some(({ type }) => after.includes(type));
    if (!isMet) witness.violated(`error: nothing gives a reason for the line "${text}"`);
  }
}
