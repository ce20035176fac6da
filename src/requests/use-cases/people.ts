/** Decides who takes part, and where: full members of the workspace's own company, its administrators, channels for posts. */
import type { Channel, Directory, Person, Settings } from '../ports/ports.ts';

export type ChannelProblem = 'missing' | 'not_visible' | 'shared' | 'archived' | 'not_member' | 'not_theirs';
export type PersonProblem =
  | 'external_user'
  | 'bot'
  | 'deactivated'
  | 'guest'
  | 'not_in_group'
  | 'group_unreadable';

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
