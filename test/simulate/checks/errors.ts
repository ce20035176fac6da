/** Checks that nothing fails without a reason: a fault or an act of the play explains each error in the log. */
import { FAULT_OF_STORAGE, LINES } from '../tables/log.ts';
import type { World } from '../world/world.ts';

/** The longest time from a fault to its line in the log, which is written after all tries. */
const LOGGED_WITHIN_MS = 15 * 60_000;

type Reason = Omit<(typeof LINES)[number], 'line'>;
const OF_STORAGE: Reason = { after: ['storage', 'freeze', 'failover'] };
const NO_REASON: Reason = { after: [] };

export function checkErrors({ witness, errorLines, spans }: World): void {
  for (const error of witness.errors) witness.violated(`error: ${error}`);
  for (const { at, message, error } of errorLines) {
    const text = error ? `${message}: ${error.message}` : message;
    const isOfStorage = error?.constructor.name === FAULT_OF_STORAGE;
    const { after, isLasting = false } = isOfStorage
      ? OF_STORAGE
      : (LINES.find(({ line }) => line.test(text)) ?? NO_REASON);
    const from = isLasting ? 0 : at - LOGGED_WITHIN_MS;
    if (spans.find({ why: after, from, to: at }).length === 0)
      witness.violated(`error: nothing gives a reason for the line "${text}"`);
  }
}
