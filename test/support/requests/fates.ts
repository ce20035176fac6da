/** The results that a test chooses for the calls to Slack and to the order service. */

/** With `dies_*` the process ends, and with `fails_*` the answer is lost, before or after the call has its effect. */
export type Fate =
  | 'works'
  | 'dies_before'
  | 'dies_after'
  | 'fails_before'
  | 'fails_after'
  | 'not_sent'
  | 'refused';

/** The end of the process. */
export class Death extends Error {}
