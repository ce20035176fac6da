/** The answers to a submitted request, and what has to have happened in a play for each of the refusals. */
import type { Act } from '../draw/plan.ts';

/** The request is stored, now or by an earlier try of the same form. */
export const STORED: ReadonlySet<string> = new Set(['created', 'already_submitted']);

/**
 * The acts of the team, one of which a refusal needs. An empty list: no play gives a reason for it, and it is wrong.
 * `settings_changed` needs several saves at once, which no play draws.
 */
export const REFUSED_AFTER: Readonly<Record<string, readonly Act['type'][]>> = {
  not_connected: ['disconnect', 'uninstall', 'install'],
  // A disconnection or an uninstall revokes the token first, and may be interrupted there.
  token_refused: ['revoke_token', 'disconnect', 'reconnect', 'uninstall', 'install'],
  connection_unreadable: [],
  invalid: ['archive', 'share', 'uninstall', 'install'],
  not_allowed: ['uninstall', 'install'],
  no_posting: ['uninstall', 'install'],
  too_few_approvers: ['leave_group', 'deactivate'],
  misspelled: [],
  settings_changed: [],
};

/** Refusals that need an earlier request for the same order or offer. */
export const REFUSED_FOR_ANOTHER: ReadonlySet<string> = new Set(['slot_taken', 'done_before']);
