/** The outcomes of the calls that the core makes outside, drawn or given. */

/**
 * The result of one outside call: with `dies_*` the process ends before or after the call has its effect. `appears_late`: the
 * call has its effect, but its answer is lost and the effect is invisible for minutes.
 */
export const FATES = [
  'works',
  'dies_before',
  'dies_after',
  'fails_before',
  'fails_after',
  'appears_late',
  'not_sent',
  'refused',
] as const;
export type Fate = (typeof FATES)[number];

/** The end of the process. */
export class Death extends Error {}
