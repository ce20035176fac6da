/**
 * Whether something was less than `ms` ago. Times far ahead, which a clock left before it was set back, are not recent.
 *
 * @param at and `now`: milliseconds by one clock
 */
export const isRecent = (at: number, now: number, ms: number): boolean => Math.abs(now - at) < ms;
