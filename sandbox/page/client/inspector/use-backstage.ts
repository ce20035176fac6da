import type { JournalEntry } from '../../../lib/http/journal.ts';
import type { Backstage } from '../../view-model/backstage.ts';
import { type Reducers, useLive } from '../live.ts';
import type { Begun } from './traffic/exchange.ts';

/** Everything that the dock shows. */
export type BackstageSeen = {
  /** Null until the sandbox has told it. */
  backstage: Backstage | null;
  /** What has begun and not yet ended. */
  underway: Begun[];
  /** What has ended, oldest first: the newest of it. */
  traffic: JournalEntry[];
};

const MOST_ENTRIES = 500;
const NOTHING_YET: BackstageSeen = { backstage: null, underway: [], traffic: [] };

const REDUCERS: Reducers<BackstageSeen> = {
  backstage: (seen, backstage: Backstage) => ({ ...seen, backstage }),
  underway: (seen, underway: Begun[]) => ({ ...seen, underway }),
  traffic: (seen, fresh: JournalEntry[]) => ({ ...seen, traffic: withFresh(seen.traffic, fresh) }),
};

/** What stands behind the workspace, as it changes. The page itself tells when the sandbox can't be reached. */
export const useBackstage = (): BackstageSeen => useLive('/live/backstage', NOTHING_YET, REDUCERS).value;

/** Adds what came; what begins with the first entry is a journal anew, and takes the place of the earlier one. */
export function withFresh(before: JournalEntry[], fresh: JournalEntry[]): JournalEntry[] {
  const kept = fresh[0]?.n === 1 ? [] : before;
  return [...kept, ...fresh].slice(-MOST_ENTRIES);
}
