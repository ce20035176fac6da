/** Whether the order service still owes a workspace an outcome. */
import type { RequestStore } from './ports.ts';
import type { RequestRecord } from './record.ts';
import type { State } from './states.ts';

const OWED: ReadonlySet<State> = new Set(['calling', 'under_review', 'unknown']);

/** The subject under which the requests are listed that wait for an outcome. */
export const OUTCOME_OWED = 'outcome owed';

export function awaitsOutcome({ state }: RequestRecord): boolean {
  return OWED.has(state);
}

/** @throws where the storage can't be read */
export async function owesOutcome(store: RequestStore, workspace: string): Promise<boolean> {
  const [owed] = await store.listBySubject(workspace, OUTCOME_OWED, 1);
  return owed !== undefined;
}
