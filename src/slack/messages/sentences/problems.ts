/**
 * The sentences that say why something is not possible: rights of people, what keeps requests from being sent, a pause, a fault,
 * what Slack refuses. The sentences of the form of a request are in form-texts.ts.
 */
import type { Policy } from '../../../requests/model/policy.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Pause } from '../../../requests/model/settings.ts';
import type { Barrier } from '../../../requests/use-cases/requester.ts';
import type { Administrators, PersonProblem } from '../../../requests/use-cases/who-may.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { countOf, mention, mentionGroup, time } from '../../blocks/text.ts';
import { isTokenRefused } from '../../client/access.ts';
import { capital } from './request-words.ts';

export const PERSON: Record<PersonProblem, [why: string, help?: string]> = {
  // They may read this in their own workspace, in a channel that both workspaces have.
  external_user: [
    'Countermand belongs to another workspace here, and only members of that workspace can use it.',
    'Ask one of them.',
  ],
  bot: ['Bots cannot use Countermand.'],
  deactivated: ['This account is deactivated.'],
  guest: ['Guests cannot use Countermand.', 'Ask a full member of this workspace.'],
  not_in_group: [mayRequest('one user group'), 'Ask an admin to add you.'],
  group_unreadable: [
    'Only members of one user group can make requests in this workspace, and that group is gone or cannot be read.',
    'An admin can choose another one with /countermand settings.',
  ],
};

function mayRequest(whose: string): string {
  return `Only members of ${whose} can make requests here.`;
}

/**
 * Says why a person may not.
 *
 * @param outcome of what they tried, as a sentence: only the caller knows whether anything was sent
 * @param group the user group that may
 */
export function personSentence(problem: PersonProblem, outcome?: string, group?: string): string {
  const [why, help] = PERSON[problem];
  const said = group === undefined ? why : mayRequest(mentionGroup(group));
  return [said, outcome, help].filter(Boolean).join(' ');
}

export const BARRIERS: Record<
  Exclude<Barrier['type'], 'not_allowed' | 'too_few_approvers' | 'paused'>,
  string
> = {
  not_connected:
    'This workspace is not connected to the order service, so nothing can be sent. An admin can connect it with /countermand connect.',
  no_posting:
    'Nothing was sent: Countermand lacks the permission to post messages in this workspace, so it could not post the outcome. Ask an admin to install Countermand again.',
  token_refused:
    "The order service no longer accepts this workspace's token, so calls are paused and nothing can be sent. Ask an admin to try the token again, or to connect another one, with /countermand connect.",
};

export function barrierSentence(barrier: Barrier): string {
  switch (barrier.type) {
    case 'not_allowed':
      return personSentence(barrier.problem, 'Nothing was sent.', barrier.group);
    case 'too_few_approvers':
      return tooFewText(barrier.policy);
    case 'paused':
      return `${capital(whoPaused(barrier.pause))}, so nothing was requested. Try again ${ONCE_RESUMED}.`;
    default:
      return BARRIERS[barrier.type];
  }
}

function tooFewText({ quorum }: Policy): string {
  return `There are not enough approvers besides you: this needs ${countOf(quorum, 'approval')}. Nothing was sent. Ask an admin to change the approvers with /countermand settings.`;
}

export const REQUEST_NOT_FOUND =
  'I cannot find this request: it may have ended long ago and been removed. Nothing was changed.';

export function faultSentence(reference: string): string {
  return `Something went wrong in Countermand, and nothing more was done. Try again. If it happens again, give an admin this reference: ${reference}.`;
}

export function adminsOnlyText(administrators: Administrators): string {
  return `Only ${administratorsText(administrators)} can do this. Nothing was changed. Ask one of them.`;
}

/** Names those who administer a workspace, in the middle of a sentence. */
export function administratorsText(administrators: Administrators): string {
  if (administrators.of === 'workspace') return 'admins and owners of this workspace';
  const { group } = administrators;
  const more = group === undefined ? '' : ` and members of ${mentionGroup(group)}`;
  return `admins and owners of the organization${more}`;
}

const DAY_MS = 24 * 60 * 60_000;

/** Says when to try again. @param waitMs the wait that Slack or the order service asks for; undefined: it names none */
export function tryAgain(waitMs: number | undefined): string {
  if (waitMs === undefined || waitMs > DAY_MS) return 'Try again in a while.';
  return `Try again in ${waitText(waitMs)}.`;
}

/** "30 seconds", "15 minutes" */
export function waitText(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return seconds <= 120 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute');
}

/** The beginning of a sentence or its end, without a full stop. */
export const whoPaused = ({ by, at }: Pause): string => `${mention(by)} paused sending ${time(at)}`;

/** The end of a sentence that says from when on something is possible. */
export const ONCE_RESUMED = 'once an admin has resumed sending';

/** The note in place of words that readers here must not see. @param what the words are, as the start of a sentence */
export const withheldText = ({ id }: Pick<RequestRecord, 'id'>, what: string): string =>
  `${what} is not shown here: people who may read it can type \`${COMMANDS.countermand} status ${id}\`.`;

/** Reasons of Slack by its error codes (https://docs.slack.dev/reference/methods), as the second half of a sentence. */
export const SLACK_REASONS: ReadonlyMap<string, string> = new Map([
  ['cannot_reply_to_message', 'that message takes no replies'],
  ['channel_is_limited_access', 'access to that channel is limited'],
  ['ekm_access_denied', 'the admins of this workspace have suspended posting there'],
  ['plan_upgrade_required', "this workspace's plan has no user groups"],
  ['restricted_action_non_threadable_channel', 'that channel has no threads, and outcomes are posted in one'],
  ['restricted_action_read_only_channel', 'that channel is read-only'],
  ['thread_not_found', 'the message that the request was made from is gone'],
  ['restricted_action_thread_locked', 'that thread is locked'],
  ['restricted_action_thread_only_channel', 'that channel takes only replies in threads'],
  ['too_many_members', 'that channel takes no more members'],
]);

/** Refusals of Slack that have a sentence of their own. */
export const SLACK_SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    'missing_scope',
    'Countermand lacks a permission in Slack that it needs for this. Nothing more was done. Ask an admin to install Countermand again.',
  ],
  // Another replica may be renewing the token; if Slack refuses to, the admins are told.
  [
    'token_expired',
    "Slack has not renewed Countermand's access yet. Nothing more was done. Try again in a minute. If it happens again, ask an admin to install Countermand again.",
  ],
  ['expired_trigger_id', 'The form could not be opened in time. Nothing more was done. Try again.'],
  [
    'message_limit_exceeded',
    'Slack accepts no more messages from this workspace for now. Nothing more was done. Try again in a while.',
  ],
]);

function whyRefused(code: string): string | undefined {
  const why = SLACK_REASONS.get(code);
  // Slack adds codes to this family: each says that a setting keeps the bot from posting.
  const isRestricted = why === undefined && code.startsWith('restricted_action');
  return isRestricted ? 'a setting of this workspace limits who may post there' : why;
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
  const sentence = SLACK_SENTENCES.get(code);
  if (sentence || !isTokenRefused(code)) return sentence;
  return 'Slack no longer lets Countermand work in this workspace. Nothing more was done. Ask an admin to install Countermand again.';
}

export function unknownRefusal(code: string, reference: string): string {
  return `Slack did not allow this (${code}). Nothing more was done. Try again. If it happens again, give an admin this reference: ${reference}.`;
}

export function slowedDown(waitMs: number | undefined): string {
  return `Slack asked Countermand to slow down. Nothing more was done. ${tryAgain(waitMs)}`;
}
