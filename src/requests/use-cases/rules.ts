/** Who may ask, where, and for what. Pure: listeners and use cases show and enforce these same rules. */

import { KINDS, type Kind } from '../model/kinds.ts';
import type { Channel, Person } from '../ports/ports.ts';
import { matchesPattern } from './id-pattern.ts';

/** Our own bounds: the interface shows none. An id is one path segment and must be readable on a card. */
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
export type ChannelProblem = 'missing' | 'not_visible' | 'shared' | 'archived' | 'not_member';
export type PersonProblem =
  | 'stranger'
  | 'bot'
  | 'deactivated'
  | 'guest'
  | 'not_in_group'
  | 'group_unreadable';

/** Punctuation that comes along when an id is copied out of a sentence. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?…\'"’”»');

/** The id without spaces around it and punctuation behind it; one that is nothing else is left as it is. */
export function trimmedId(typed: string): string {
  const text = typed.trim();
  let end = text.length;
  while (end > 0 && isTrailing(text.charAt(end - 1))) end--;
  return end === 0 ? text : text.slice(0, end);
}

const isTrailing = (character: string) => TRAILING.has(character) || character.trim() === '';

/**
 * A slash, a backslash or a control character, percent-encoded once or several times: a proxy may decode a path before it
 * looks for the operation, and `..%2Fprod%2Foffers%2FO-1` is another one then (RFC 3986, section 7.3).
 */
const LEADS_ELSEWHERE = /%(?:25)*(?:2f|5c|[01][0-9a-f]|7f)/i;

/** "." and ".." survive encodeURIComponent, and "%2e" counts as a dot, too (WHATWG URL, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%(?:25)*2e){1,2}$/i;

/** An id becomes one segment of a path, and must not reach another operation. */
export function targetProblem(target: string): TargetProblem | undefined {
  if (target === '') return 'missing';
  if (target.length > TARGET_MAX) return 'too_long';
  if (/[/\\]/.test(target)) return 'has_slash';
  // Control and format characters, and halves of surrogate pairs: nobody types them, and nobody sees them.
  if (/\p{C}/u.test(target)) return 'unprintable';
  return LEADS_ELSEWHERE.test(target) || DOT_SEGMENT.test(target) ? 'not_an_id' : undefined;
}

/** The pattern is for the ids of orders: offers have ids of their own. */
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
 * @param channel undefined where the bot can't see it
 * @param mayBeShared whether people of another company may read what is posted there: a card, where an admin allows it
 */
export function channelProblem(
  channel: Channel | undefined,
  mayBeShared = false,
): Exclude<ChannelProblem, 'missing'> | undefined {
  if (!channel) return 'not_visible';
  if (channel.isShared && !mayBeShared) return 'shared';
  if (channel.isArchived) return 'archived';
  // A public channel is joined when the card is posted; into a private one the bot must be invited.
  return channel.isPrivate && !channel.isMember ? 'not_member' : undefined;
}

/** Asking, voting and deciding are for full members of the workspace's own company (design, "Who may"). */
export function personProblem(
  person: Person | undefined,
): Exclude<PersonProblem, 'not_in_group' | 'group_unreadable'> | undefined {
  if (!person?.ownTeam) return 'stranger';
  if (person.isBot) return 'bot';
  if (person.isDeactivated) return 'deactivated';
  return person.isGuest ? 'guest' : undefined;
}

/** Settings, connecting and disconnecting are for admins and owners (design, "Who may"). */
export function mayAdminister(person: Person | undefined): boolean {
  return personProblem(person) === undefined && person?.isAdmin === true;
}
