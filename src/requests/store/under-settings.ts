/** Writes what depends on the settings only while they are in force: a policy is saved beside what it decides about. */

import { type Condition, SETTINGS_ID } from '../../outbox/record-store.ts';
import type { InForce, Workspaces } from '../ports/ports.ts';

/** The condition that nobody has saved settings since they were read. */
export const whileInForce = ({ version }: Pick<InForce, 'version'>): Condition => ({
  type: 'settings',
  id: SETTINGS_ID,
  version,
});

/** Then the person is asked to try again: somebody is saving one thing after another. */
const TRIES = 3;

/**
 * Runs `attempt` under the settings in force, and again if they were saved meanwhile.
 *
 * @param attempt returns undefined if `whileInForce` was not met when it wrote
 * @returns undefined if it was never met: nothing was written
 * @throws if the settings can't be read, and whatever `attempt` throws
 */
export async function underSettings<T>(
  { inForce }: Pick<Workspaces, 'inForce'>,
  workspace: string,
  attempt: (settings: InForce) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await attempt(await inForce(workspace));
    if (result !== undefined) return result;
  }
  return undefined;
}
