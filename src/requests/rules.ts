/** Who may ask, where, and for what. Pure: listeners and use cases show and enforce these same rules. */
import { matchesPattern } from './id-pattern.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Channel, Person } from './ports.ts';

/** Our own bounds: the interface shows none. An id is one path segment and must be readable on a card. */
export const TARGET_MAX = 128;
export const REASON_MAX = 1_000;

export type TargetProblem = 'missing' | 'too_long' | 'not_an_id' | 'not_the_pattern';
export type ReasonProblem = 'missing' | 'too_long';
export type ChannelProblem = 'missing' | 'not_visible' | 'shared' | 'archived' | 'not_member';
export type PersonProblem =
  | 'stranger'
  | 'bot'
  | 'deactivated'
  | 'guest'
  | 'not_in_group'
  | 'group_unreadable';

export function targetProblem(target: string): TargetProblem | undefined {
  if (target === '') return 'missing';
  if (target.length > TARGET_MAX) return 'too_long';
  // Dot segments can't be encoded away, a lone surrogate can't be encoded at all, and nobody types a control character.
  const usable = target !== '.' && target !== '..' && target.isWellFormed() && !/\p{C}/u.test(target);
  return usable ? undefined : 'not_an_id';
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
