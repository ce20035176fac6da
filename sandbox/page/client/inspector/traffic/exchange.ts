import type { JournalEntry, Underway } from '../../../../lib/http/journal.ts';

/** An exchange that has begun. */
export type Begun = Omit<Underway, 'end'>;

/** An exchange or an action in the inspector; one that is under way lacks the fields that are known at its end. */
export type Exchange = Begun & Partial<Omit<JournalEntry, keyof Begun>>;

/** The sides of an exchange; 'people' includes admins and the back office. */
export type Side = 'slack' | 'order-service' | 'people';

/** Returns the sides of an exchange. */
export function sideOf({ from, to }: Exchange): Side {
  if (from !== 'bot' && to !== 'bot') return 'people';
  return [from, to].includes('order-service') ? 'order-service' : 'slack';
}

/** Returns the fields of an unknown value. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
