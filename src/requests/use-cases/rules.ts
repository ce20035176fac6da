/** Rules of who may request what, and where. Listeners and use cases share them. */
import { KINDS, type Kind } from '../model/kinds.ts';
import type { Channel, Directory, Person, Settings } from '../ports/ports.ts';
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

/** Checks an id: it becomes one path segment, and must not reach another operation. @returns undefined if it is valid */
export function targetProblem(target: string): TargetProblem | undefined {
  if (target === '') return 'missing';
  if (target.length > TARGET_MAX) return 'too_long';
  if (/[/\\]/.test(target)) return 'has_slash';
  // Control and format characters and lone surrogates: invisible, and never typed on purpose.
  if (/\p{C}/u.test(target)) return 'unprintable';
  return LEADS_ELSEWHERE.test(target) || DOT_SEGMENT.test(target) ? 'not_an_id' : undefined;
}

/** Checks an order id against the pattern. Offers have ids of their own form. */
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
  return KINDS[kind].reason === 'required' && reason === '' ? 'missing' : undefined;
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

/** Checks whether a person may request, vote or decide: only full members of the workspace's own company may. */
export function personProblem(
  person: Person | undefined,
): Exclude<PersonProblem, 'not_in_group' | 'group_unreadable'> | undefined {
  if (!person?.ownTeam) return 'external_user';
  if (person.isBot) return 'bot';
  if (person.isDeactivated) return 'deactivated';
  return person.isGuest ? 'guest' : undefined;
}

/**
 * The people who change the settings of a workspace, connect and disconnect it: its admins and owners. With the token of an
 * organization, which does not tell those, the admins and owners of the organization, and the user group that they set.
 */
export type Administrators = { of: 'workspace' } | { of: 'organization'; group: string | undefined };

export type AdministratorsDeps = {
  directory: Pick<Directory, 'isOrgWide' | 'isInGroup'>;
  settings: (workspace: string) => Promise<Settings>;
};

/** @throws if the installation or the settings can't be read */
export async function administratorsOf(
  { directory, settings }: AdministratorsDeps,
  workspace: string,
): Promise<Administrators> {
  if (!(await directory.isOrgWide(workspace))) return { of: 'workspace' };
  return { of: 'organization', group: (await settings(workspace)).admins };
}

/** Whether a person is one of the administrators of a workspace. @throws if that can't be read */
export async function mayAdminister(
  deps: AdministratorsDeps,
  workspace: string,
  person: Person | undefined,
): Promise<boolean> {
  if (!person || personProblem(person)) return false;
  if (person.isAdmin) return true;
  const administrators = await administratorsOf(deps, workspace);
  if (administrators.of === 'workspace' || administrators.group === undefined) return false;
  return (await deps.directory.isInGroup(workspace, administrators.group, person.id)) === true;
}

/**
 * Whether a person may choose the user group that administers a workspace: the admins and owners of its organization. A
 * member of that group may not, so that nobody is made an admin by somebody whom no admin of the organization has named.
 */
export async function maySetAdmins(
  { directory }: Pick<AdministratorsDeps, 'directory'>,
  workspace: string,
  person: Person | undefined,
): Promise<boolean> {
  const isAdmin = personProblem(person) === undefined && person?.isAdmin === true;
  return isAdmin && (await directory.isOrgWide(workspace));
}
