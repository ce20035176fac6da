/** The number of plays within which the simulation has to find that a guard is lost. */
import { FOUND_PLAYS } from '../draw/found.ts';

/** `median`: for the median of several seeds. `most`: for each seed. `stored`: whether a stored play finds it. */
export type Bound = { median?: number; most: number; stored: boolean };

/** Guards whose loss affects so many plays that one of the first finds it. */
const QUICK = [
  'requests-that-may-be-made',
  'stored-requests',
  'policies-of-requests',
  'tries-of-a-reply',
  'tries-of-what-is-refused',
  'reply-of-a-denial',
  'thread-of-a-reply',
  'approval-messages',
  'channel-of-notices',
  'admins-that-are-told',
  'unmatched-events',
  'revision-of-a-card',
  'reasons-in-shared-channels',
  'minute-between-tries',
  'early-reactions',
  'entry-of-a-vote',
  'entry-of-a-decision',
  'entry-of-a-pause',
];

export function boundOf(guard: string): Bound {
  const stored = FOUND_PLAYS.some((found) => found.guard === guard);
  return QUICK.includes(guard) ? { median: 300, most: 3_000, stored } : { most: 20_000, stored };
}
