/** The answers to a submitted request, and what has to be the case for each of the refusals. */
import type { Why } from '../spans.ts';

/** The request is stored, now or by an earlier try of the same form. */
export const STORED: ReadonlySet<string> = new Set(['created', 'already_submitted']);

/**
 * The reasons, one of which a refusal needs. None: no play gives a reason for it, and it is wrong. `too_few_approvers` is
 * compared with the people who are left, `settings_changed` with the saves meanwhile (checks/owed/submissions.ts),
 * `not_allowed` with those who may request (checks/who-may.ts).
 */
export const REFUSED_FOR: Readonly<Record<string, readonly Why[]>> = {
  not_connected: ['disconnected', 'uninstalled'],
  // A disconnection or an uninstall revokes the token first, and may be interrupted there.
  token_refused: ['token revoked', 'dead token', 'disconnected', 'uninstalled'],
  connection_unreadable: [],
  invalid: ['archived', 'shared', 'uninstalled'],
  no_posting: ['uninstalled'],
  misspelled: [],
  settings_changed: [],
  paused: ['paused'],
  fault: ['uninstalled'],
};

/** Refusals that need an earlier request for the same order or offer. */
export const REFUSED_FOR_ANOTHER: ReadonlySet<string> = new Set(['slot_taken', 'done_before']);
