/** Whether the order service still owes a workspace an outcome. */
import type { RequestStore } from './ports.ts';
import type { State } from './states.ts';

const OWED: ReadonlySet<State> = new Set(['calling', 'under_review', 'unknown']);

/** More open requests than any desk has at once. */
const MOST_OPEN = 10_000;

export async function owesOutcome(store: RequestStore, workspace: string): Promise<boolean> {
  const open = await store.listHolding(workspace, MOST_OPEN);
  return open.some(({ state }) => OWED.has(state));
}
