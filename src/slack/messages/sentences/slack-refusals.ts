/** Plain words for what Slack refuses, by the error codes of its methods (https://docs.slack.dev/reference/methods). */
import { tryAgain } from '../../blocks/problems.ts';
import { isTokenRefused } from '../../client/access.ts';

/** Reasons, as the second half of a sentence: "Slack did not allow this: …". */
const WHY: ReadonlyMap<string, string> = new Map([
  ['channel_is_limited_access', 'access to that channel is limited'],
  ['ekm_access_denied', 'the admins of this workspace have suspended posting there'],
  ['plan_upgrade_required', "this workspace's plan has no user groups"],
  ['restricted_action_non_threadable_channel', 'that channel has no threads, and outcomes are posted in one'],
  ['restricted_action_read_only_channel', 'that channel is read-only'],
  ['thread_not_found', 'the message that the request was made from is gone'],
  ['restricted_action_thread_locked', 'that thread is locked'],
  ['restricted_action_thread_only_channel', 'that channel takes only replies in threads'],
]);

/** The sentence for a token that Slack refuses, whatever its reason. */
const TOKEN_REFUSED =
  'Slack no longer lets Countermand work in this workspace. Nothing more was done. Ask an admin of this workspace to install Countermand again.';

/** Refusals that have a sentence of their own. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    'missing_scope',
    'Countermand lacks a permission in Slack that it needs for this. Nothing more was done. Ask an admin of this workspace to install Countermand again.',
  ],
  ['expired_trigger_id', 'The form could not be opened in time. Nothing more was done. Try again.'],
  [
    'message_limit_exceeded',
    'Slack accepts no more messages from this workspace for now. Nothing more was done. Try again in a while.',
  ],
]);

/** Slack adds to this family of codes: each says that a setting keeps the bot from posting. */
const RESTRICTED = 'restricted_action';

function whyRefused(code: string): string | undefined {
  const isRestricted = code.startsWith(RESTRICTED);
  return (
    WHY.get(code) ?? (isRestricted ? 'a setting of this workspace limits who may post there' : undefined)
  );
}

/** Says why a card could not be posted, and what helps, without a full stop. @param code escaped */
export function cardRefused(code: string): string {
  const why = whyRefused(code);
  return `Slack did not let me post there${why ? `: ${why}` : ` (${code})`}. Choose another channel`;
}

/** Tells a person why Slack refused what they wanted; undefined if nothing is known but the code. */
export function knownRefusal(code: string): string | undefined {
  const why = whyRefused(code);
  if (why)
    return `Slack did not allow this: ${why}. Nothing more was done. Ask an admin of this workspace for help.`;
  return isTokenRefused(code) ? TOKEN_REFUSED : SENTENCES.get(code);
}

/** Tells a person that Slack refused what they wanted, if nothing is known but the code. @param reference of the log's line */
export function unknownRefusal(code: string, reference: string): string {
  return `Slack did not allow this (${code}). Nothing more was done. Try again. If it happens again, give an admin this reference: ${reference}.`;
}

export function slowedDown(waitMs: number | undefined): string {
  return `Slack asked Countermand to slow down. Nothing more was done. ${tryAgain(waitMs)}`;
}
