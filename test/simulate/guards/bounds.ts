/** Within how many plays the simulation has to find that a guard is lost. */
import { FOUND_PLAYS } from '../draw/found.ts';

/** Found in the median of several seeds within `median` plays, and never after `most`. `stored`: there is a stored play. */
export type Bound = { median?: number; most: number; stored: boolean };

/** Omissions that everybody would meet. */
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
