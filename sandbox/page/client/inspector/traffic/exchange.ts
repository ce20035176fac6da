import type { JournalEntry, Underway } from '../../../../lib/http/journal.ts';

/** An exchange that has begun. */
export type Begun = Omit<Underway, 'end'>;

/** An exchange or an act in the inspector; one that is under way has none of what is known at its end. */
export type Exchange = Begun & Partial<Omit<JournalEntry, keyof Begun>>;

/** Between whom something goes on; the acts of people count admins and the back office in. */
export type Side = 'slack' | 'order-service' | 'people';

/** The side that an exchange is on. */
export function sideOf({ from, to }: Exchange): Side {
  if (from !== 'bot' && to !== 'bot') return 'people';
  return [from, to].includes('order-service') ? 'order-service' : 'slack';
}

/** The fields of a value of which nothing is known. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
