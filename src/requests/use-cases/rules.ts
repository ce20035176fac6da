/** Rules of who may request what, and where. Listeners and use cases share them. */

import { KINDS, type Kind } from '../model/kinds.ts';
import type { Channel, Person } from '../ports/ports.ts';
import { matchesPattern } from './id-pattern.ts';

/** Our own limits: the interface states none. An id is one path segment and must be readable on a card. */
export const TARGET_MAX = 128;
export const REASON_MAX = 1_000;

export type TargetProblem =
  | 'missing'
  | 'too_long'
  | 'has_slash'
  | 'unprintable'
  | 'not_an_id'
  | 'not_the_pattern';
export type ReasonProblem = 'missing' | 'too_long';
export type ChannelProblem = 'missing' | 'not_visible' | 'shared' | 'archived' | 'not_member' | 'not_theirs';
export type PersonProblem =
  | 'external_user'
  | 'bot'
  | 'deactivated'
  | 'guest'
  | 'not_in_group'
  | 'group_unreadable';

/** Punctuation that is copied along with an id from a sentence. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?…\'"’”»');

/** The id without surrounding spaces and trailing punctuation; an id of punctuation alone stays as it is. */
export function trimmedId(typed: string): string {
  const text = typed.trim();
  let end = text.length;
  while (end > 0 && isTrailing(text.charAt(end - 1))) end--;
  return end === 0 ? text : text.slice(0, end);
}

const isTrailing = (character: string) => TRAILING.has(character) || character.trim() === '';

/**
 * A slash, a backslash or a control character, percent-encoded once or several times: a proxy may decode a path before
 * routing it, and `..%2Fprod%2Foffers%2FO-1` then names another operation (RFC 3986, section 7.3).
 */
const LEADS_ELSEWHERE = /%(?:25)*(?:2f|5c|[01][0-9a-f]|7f)/i;

/** "." and ".." survive encodeURIComponent, and "%2e" counts as a dot, too (WHATWG URL, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%(?:25)*2e){1,2}$/i;

/** Why an id is invalid: it becomes one path segment, and must not reach another operation. */
export function targetProblem(target: string): TargetProblem | undefined {
  if (target === '') return 'missing';
  if (target.length > TARGET_MAX) return 'too_long';
  if (/[/\\]/.test(target)) return 'has_slash';
  // Control and format characters and lone surrogates: invisible, and never typed on purpose.
  if (/\p{C}/u.test(target)) return 'unprintable';
  return LEADS_ELSEWHERE.test(target) || DOT_SEGMENT.test(target) ? 'not_an_id' : undefined;
}

/** Why an order id does not match the pattern. Offers have ids of their own form. */
export function patternProblem(
  kind: Kind,
  target: string,
  pattern: string | undefined,
): TargetProblem | undefined {
  if (pattern === undefined || KINDS[kind].resource !== 'order') return undefined;
  return matchesPattern(pattern, target) ? undefined : 'not_the_pattern';
}

export function reasonProblem(kind: Kind, reason: string): ReasonProblem | undefined {
  if (reason.length > REASON_MAX) return 'too_long';
  return KINDS[kind].needsReason && reason === '' ? 'missing' : undefined;
}

/**
 * @param channel undefined if the bot can't see it
 * @param mayBeShared whether people of another company may read what is posted there: true for a card if an admin
 *   allows it
 */
export function channelProblem(
  channel: Channel | undefined,
  mayBeShared = false,
): Exclude<ChannelProblem, 'missing' | 'not_theirs'> | undefined {
  if (!channel) return 'not_visible';
  if (channel.isShared && !mayBeShared) return 'shared';
  if (channel.isArchived) return 'archived';
  // The bot joins a public channel when it posts the card; it must be invited to a private one.
  return channel.isPrivate && !channel.isMember ? 'not_member' : undefined;
}

/**
 * Why a person may not request, vote or decide: only full members of the workspace's own company may.
 */
export function personProblem(
  person: Person | undefined,
): Exclude<PersonProblem, 'not_in_group' | 'group_unreadable'> | undefined {
  if (!person?.ownTeam) return 'external_user';
  if (person.isBot) return 'bot';
  if (person.isDeactivated) return 'deactivated';
  return person.isGuest ? 'guest' : undefined;
}

/** Whether a person may change settings, connect and disconnect: admins and owners. */
export function mayAdminister(person: Person | undefined): boolean {
  return personProblem(person) === undefined && person?.isAdmin === true;
}
