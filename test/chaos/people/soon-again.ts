/** Shortens the wait for records that could not be advanced: a run has no minute to spare. */
import type { RequestStore } from '../../../src/requests/ports/ports.ts';

const LONGEST_MS = 1_500;

export function soonAgain(store: RequestStore): RequestStore {
  return { ...store, postpone: (ref, ms) => store.postpone(ref, Math.min(ms, LONGEST_MS)) };
}
