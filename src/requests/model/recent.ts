/**
 * Whether something was less than `ms` ago. A clock that was set back may have left times that are far ahead: those tell
 * nothing any more.
 *
 * @param at and `now`: milliseconds by one clock
 */
export const isRecent = (at: number, now: number, ms: number): boolean => Math.abs(now - at) < ms;
