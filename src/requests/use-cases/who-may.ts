/**
 * Decides who may do what, and where: docs/using.md has the table. Besides, approvals/approvers.ts says whose vote counts,
 * requester.ts what else keeps somebody from making a request, look-up.ts who may read its reason, and approvals/give-reason.ts who
 * may give the reason of a decline.
 */
import type { RecordRef } from '../../outbox/record-store.ts';
import { TERMINAL } from '../model/audit-entry.ts';
import type { Policy } from '../model/policy.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Settings } from '../model/settings.ts';
import type { ManualAction } from '../model/states.ts';
import type {
  Channel,
  Directory,
  PeopleDirectory,
  Person,
  RequestStore,
  Workspaces,
} from '../ports/ports.ts';

export type ChannelProblem = 'missing' | 'not_visible' | 'shared' | 'archived' | 'not_member' | 'not_theirs';
export type PersonProblem =
  | 'external_user'
  | 'bot'
  | 'deactivated'
  | 'guest'
  | 'not_in_group'
  | 'group_unreadable';

/**
 * Checks whether the bot can post in a channel.
 *
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

/** A person who makes a request, and the settings of their workspace. */
type Requesting = { workspace: string; requester: string; settings: Settings };

/**
 * Checks whether the card of a person's request can be posted in a channel. Slack offers people only their own channels, but
 * a form that somebody has made up may name any channel that the bot is in.
 *
 * @param channel undefined if the bot can't see it
 */
export async function placeProblem(
  directory: Directory,
  { workspace, requester, settings }: Requesting,
  channel: Channel | undefined,
): Promise<ChannelProblem | undefined> {
  const problem = channelProblem(channel, settings.sharedChannels);
  if (problem || !channel?.isPrivate) return problem;
  return (await directory.isChannelMember(workspace, channel.id, requester)) ? undefined : 'not_theirs';
}

/** Checks whether the card can be posted in the channel of a message from which a person wants to make a request. */
export async function checkPlace(
  { directory }: { directory: Directory },
  person: Requesting,
  channel: string,
): Promise<ChannelProblem | undefined> {
  return placeProblem(directory, person, await directory.channel(person.workspace, channel));
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

/** Somebody who may not do this, or read anything. `group`: the user group that may, where they are not in it. */
export type NotAllowed = { type: 'not_allowed'; problem: PersonProblem; group?: string };

/** Finds a full member of the workspace's own company: nobody else may read anything. */
export async function findMember(
  directory: Directory,
  workspace: string,
  user: string,
): Promise<{ type: 'member'; person: Person } | NotAllowed> {
  const person = await directory.person(workspace, user);
  const problem = personProblem(person);
  return person && !problem
    ? { type: 'member', person }
    : { type: 'not_allowed', problem: problem ?? 'external_user' };
}

/**
 * Checks the user group that may create requests, if one is set. While it is unreadable, nobody may (promise 10).
 *
 * @returns undefined if the person may
 */
export async function outsideOfGroup(
  directory: Directory,
  { workspace, requester, settings: { requesters } }: Requesting,
): Promise<NotAllowed | undefined> {
  if (!requesters) return undefined;
  const isIn = await directory.isInGroup(workspace, requesters, requester);
  if (isIn === undefined) return { type: 'not_allowed', problem: 'group_unreadable' };
  return isIn ? undefined : { type: 'not_allowed', problem: 'not_in_group', group: requesters };
}

/**
 * Whether a person is an approver under a policy; no if its group is gone.
 *
 * @throws if Slack can't say: a vote must not be taken for that of somebody else
 */
export async function isApprover(
  directory: PeopleDirectory,
  workspace: string,
  { approvers, channel }: Policy,
  user: string,
): Promise<boolean> {
  switch (approvers.type) {
    case 'people':
      return approvers.people.includes(user);
    case 'group':
      return (await directory.isInGroup(workspace, approvers.group, user)) === true;
    case 'channel':
      return channel !== undefined && isApprovingMember(directory, workspace, channel, user);
  }
}

/**
 * Whether a person is an approver as a member of a channel. Everybody may join a public one, and another company may choose the
 * members of a shared one, so nobody is an approver by these. Those of an archived one remain approvers, who may not vote.
 *
 * @throws as `isApprover` does
 */
export async function isApprovingMember(
  directory: Pick<PeopleDirectory, 'channel' | 'isChannelMember'>,
  workspace: string,
  id: string,
  user: string,
): Promise<boolean> {
  const channel = await directory.channel(workspace, id, 'private');
  return channel?.isPrivate === true && !channel.isShared && directory.isChannelMember(workspace, id, user);
}

/**
 * The directory for what only shows or offers more: a group's list of the last minute says who is not in it, too. Slack allows
 * twenty reads of groups a minute, and the decisions on approvals need them. Whatever is offered is checked again at the act.
 */
export const remembering = (directory: Directory): Directory => ({
  ...directory,
  isInGroup: (workspace, group, user) => directory.isInGroup(workspace, group, user, 'remembered'),
});

/** Whether Slack says yes, for what only shows or offers more. If Slack can't say, that counts as no. */
export const isSaid = (asked: Promise<boolean>): Promise<boolean> => asked.catch(() => false);

export type Role = 'requester' | 'approvers' | 'admins';

/** The actions that depend on a person's role. A retry needs the right to request (`outsideOfGroup`), and no other. */
export type RoleAction = Exclude<ManualAction, 'retry'>;

/**
 * The roles that may do this with a request in a state.
 *
 * @param approval of the request: without one, it has no approvers
 */
export function rolesFor(
  { state, approval }: { state: string; approval?: { policy: { mayWithdraw: boolean } } | undefined },
  action: RoleAction,
): readonly Role[] {
  if (action === 'release') return ['admins'];
  if (action === 'withdraw')
    return approval?.policy.mayWithdraw === false ? ['admins'] : ['requester', 'admins'];
  const deciders: Role[] = approval ? ['approvers', 'admins'] : ['admins'];
  // A review, and an outcome that a person has recorded, are for those who decide.
  return state === 'unknown' ? ['requester', ...deciders] : deciders;
}

/** The roles that may have the text for the customer of a request: they may read the reason, and answer for the outcome. */
export const MAY_REPLY: readonly Role[] = ['requester', 'approvers', 'admins'];

/** The roles of a person in a request. `isApprover`: under its policy. */
export function rolesOf(
  { requester }: Pick<RequestRecord, 'requester'>,
  { id, isAdmin, isApprover }: { id: string; isAdmin: boolean; isApprover: boolean },
): ReadonlySet<Role> {
  return new Set<Role>([
    ...(id === requester ? (['requester'] as const) : []),
    ...(isApprover ? (['approvers'] as const) : []),
    ...(isAdmin ? (['admins'] as const) : []),
  ]);
}

/**
 * The people who change the settings of a workspace, connect and disconnect it: its admins and owners. The token of an
 * organization does not tell who they are: with it, the admins and owners of the organization, and the user group that these
 * have set.
 */
export type Administrators = { of: 'workspace' } | { of: 'organization'; group: string | undefined };

export type AdministratorsDeps = {
  directory: Pick<Directory, 'isOrgWide' | 'isInGroup'>;
  settings: (workspace: string) => Promise<Settings>;
};

export async function administratorsOf(
  { directory, settings }: AdministratorsDeps,
  workspace: string,
): Promise<Administrators> {
  if (!(await directory.isOrgWide(workspace))) return { of: 'workspace' };
  return { of: 'organization', group: (await settings(workspace)).admins };
}

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

/** The ports of what a person reads. */
export type ReadDeps = {
  store: RequestStore;
  directory: Directory;
  workspaces: Pick<Workspaces, 'settings'>;
};

/** `unsaid`: the roles for which Slack can't say whether the person has them, and the errors. */
export type Actor = {
  record: RequestRecord;
  roles: ReadonlySet<Role>;
  unsaid: ReadonlyMap<Role, unknown>;
};

export type FoundWithRoles = ({ type: 'found' } & Actor) | { type: 'not_found' } | NotAllowed;

/** The operator at the terminal stands for an admin, and never for an approver. */
const OPERATOR: ReadonlySet<Role> = new Set(['admins']);

/**
 * Finds a request, and the roles of a person in it.
 *
 * @param who `by`: a person, or `TERMINAL`
 */
export async function findWithRoles(
  { store, directory, workspaces }: ReadDeps,
  { workspace, id, by }: RecordRef & { by: string },
): Promise<FoundWithRoles> {
  const isOperator = by === TERMINAL;
  const [found, person] = await Promise.all([
    store.get({ workspace, id }),
    isOperator ? undefined : directory.person(workspace, by),
  ]);
  if (!found) return { type: 'not_found' };
  const { record } = found;
  const unsaid = new Map<Role, unknown>();
  if (isOperator) return { type: 'found', record, roles: OPERATOR, unsaid };
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  const { approval } = record;
  const said = (role: Role, asked: Promise<boolean>) =>
    asked.catch((error: unknown) => {
      unsaid.set(role, error);
      return false;
    });
  const administrating = { directory, settings: workspaces.settings };
  const [isOne, isAdmin] = await Promise.all([
    approval ? said('approvers', isApprover(directory, workspace, approval.policy, by)) : false,
    said('admins', mayAdminister(administrating, workspace, person)),
  ]);
  const roles = rolesOf(record, { id: by, isAdmin, isApprover: isOne });
  return { type: 'found', record, roles, unsaid };
}

/**
 * Whether a person may do this with a request.
 *
 * @param state of the request; that in which a person saw it, to tell whether they might have done it then
 * @throws as `hasOneOf` does
 */
export function mayDo(actor: Actor, action: RoleAction, state: string = actor.record.state): boolean {
  return hasOneOf(actor, rolesFor({ ...actor.record, state }, action));
}

/**
 * Whether a person has one of these roles.
 *
 * @throws if they are known to have none, but Slack can't say whether they have one of the others
 */
export function hasOneOf({ roles, unsaid }: Pick<Actor, 'roles' | 'unsaid'>, may: readonly Role[]): boolean {
  if (may.some((role) => roles.has(role))) return true;
  for (const role of may) if (unsaid.has(role)) throw unsaid.get(role);
  return false;
}
