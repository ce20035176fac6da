const SHORT = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' });
const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' });

const dateOf = (ts: string) => new Date(Number(ts) * 1000);

/** `4:05 PM`, of a message's timestamp */
export const shortTime = (ts: string): string => SHORT.format(dateOf(ts));

/** With the day and the seconds. */
export const fullTime = (ts: string): string => FULL.format(dateOf(ts));
