import type { JournalEntry } from '../../../lib/http/journal.ts';
import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { type Reducers, useLive } from '../live.ts';
import type { Begun } from './traffic/exchange.ts';

/** The state of the dock. */
export type InspectorState = {
  /** Null until the sandbox has sent it. */
  inspector: InspectorViewModel | null;
  /** The exchanges that have begun and not yet ended. */
  underway: Begun[];
  /** The newest exchanges that have ended, oldest first. */
  traffic: JournalEntry[];
};

const MOST_ENTRIES = 500;
const NOTHING_YET: InspectorState = { inspector: null, underway: [], traffic: [] };

const REDUCERS: Reducers<InspectorState> = {
  inspector: (seen, inspector: InspectorViewModel) => ({ ...seen, inspector }),
  underway: (seen, underway: Begun[]) => ({ ...seen, underway }),
  traffic: (seen, fresh: JournalEntry[]) => ({ ...seen, traffic: withFresh(seen.traffic, fresh) }),
};

/** Follows the state of the inspector. The workspace view already shows a lost connection. */
export const useInspector = (): InspectorState => useLive('/live/inspector', NOTHING_YET, REDUCERS).value;

/** Adds what result; what begins with the first entry is a journal anew, and takes the place of the earlier one. */
export function withFresh(before: JournalEntry[], fresh: JournalEntry[]): JournalEntry[] {
  const kept = fresh[0]?.n === 1 ? [] : before;
  return [...kept, ...fresh].slice(-MOST_ENTRIES);
}
