/** Finds the admins of a workspace who are notified of a problem. */
import type { webApi } from '@slack/bolt';
import { TERMINAL } from '../../requests/model/audit-entry.ts';
import type { Person } from '../../requests/ports/ports.ts';
import { personProblem } from '../../requests/use-cases/who-may.ts';
import type { Installation } from '../client/installations.ts';
import {
  findGroupUsers,
  findPerson,
  type Reader,
  type SlackUser,
  toPerson,
} from '../directory/read-people.ts';

/** Any admin can fix the problem: more messages would only be noise in a company with dozens of admins. */
const MOST_PEOPLE = 10;

/** Slack's largest page (https://docs.slack.dev/reference/methods/users.list). */
const PAGE = 1_000;

/**
 * As many pages as fit, with one call before them, into half of a claim; one page fewer where a user group is read, too. In a
 * larger workspace the creator of the connection is still notified, and the user group that administers a workspace of an
 * organization.
 */
const MOST_PAGES = 3;

/**
 * Finds the people to notify about a problem of a workspace.
 *
 * @param connectedBy a member's id, or `TERMINAL`, who can't be notified
 * @param group the user group that administers the workspace, too
 * @returns ids of full members, the creator of the connection first
 */
export async function adminsToNotify(
  client: webApi.WebClient,
  installation: Installation,
  { connectedBy, group }: { connectedBy: string; group: string | undefined },
): Promise<string[]> {
  const { workspace } = installation;
  const reader = { client, installation };
  const [isCreatorHere, members] = await Promise.all([
    isFullMember(reader, connectedBy),
    fullMembersOf(reader, group),
  ]);
  const people = new Set([...(isCreatorHere ? [connectedBy] : []), ...members]);
  const pages = group === undefined ? MOST_PAGES : MOST_PAGES - 1;
  let cursor: string | undefined;
  for (let page = 0; page < pages && people.size < MOST_PEOPLE; page++) {
    const answer = await client.users.list({
      team_id: workspace,
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const id of adminsAmong(answer.members ?? [], installation)) people.add(id);
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return [...people].slice(0, MOST_PEOPLE);
}

function adminsAmong(
  members: readonly (SlackUser & { id?: string })[],
  installation: Installation,
): string[] {
  return members.flatMap(({ id, ...user }) => (id && isAdmin(toPerson(user, id, installation)) ? [id] : []));
}

const isAdmin = (person: Person) => personProblem(person) === undefined && person.isAdmin;

async function fullMembersOf(reader: Reader, group: string | undefined): Promise<string[]> {
  if (group === undefined) return [];
  const members = ((await findGroupUsers(reader, group)) ?? []).slice(0, MOST_PEOPLE);
  const areFull = await Promise.all(members.map((id) => isFullMember(reader, id)));
  return members.filter((_id, n) => areFull[n]);
}

async function isFullMember(reader: Reader, id: string): Promise<boolean> {
  return id !== TERMINAL && personProblem(await findPerson(reader, id)) === undefined;
}
