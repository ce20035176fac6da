/** When it makes sense to try again. */

/** @param waitMs what the order service asks for, where it does */
export function tryAgain(waitMs: number | undefined): string {
  if (waitMs === undefined) return 'Try again in a while.';
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return seconds <= 120
    ? `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
    : `Try again in ${Math.ceil(seconds / 60).toLocaleString('en')} minutes.`;
}
