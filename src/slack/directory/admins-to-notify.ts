/** Finds the people to notify about a problem of a workspace's connection: its creator, the admins and the owners. */
import type { webApi } from '@slack/bolt';
import { mayAdminister, personProblem } from '../../requests/use-cases/rules.ts';
import { platformCode } from '../client/failure.ts';
import type { Installation } from '../client/installations.ts';
import { type SlackUser, toPerson } from './read-people.ts';

/** Any one of them can fix it: more messages would only be noise in a company with dozens of admins. */
const MOST_PEOPLE = 10;

/**
 * Slack's largest page (https://docs.slack.dev/reference/methods/users.list), and as many pages as fit, with one call
 * before them, into half of a claim. In a larger workspace the creator of the connection is still notified.
 */
const PAGE = 1_000;
const MOST_PAGES = 3;

const NOBODY: ReadonlySet<string | undefined> = new Set(['user_not_found', 'user_not_visible']);

/**
 * @param connectedBy a member's id, or `terminal`, who can't be notified
 * @returns ids of full members, the creator of the connection first; empty if there are none
 * @throws whatever the Web API client throws
 */
export async function adminsToNotify(
  client: webApi.WebClient,
  installation: Installation,
  connectedBy: string,
): Promise<string[]> {
  const { workspace } = installation;
  const people = new Set<string>();
  if (await isFullMember(client, installation, connectedBy)) people.add(connectedBy);
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && people.size < MOST_PEOPLE; page++) {
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
  return members.flatMap(({ id, ...user }) =>
    id && mayAdminister(toPerson(user, id, installation)) ? [id] : [],
  );
}

async function isFullMember(
  client: webApi.WebClient,
  installation: Installation,
  id: string,
): Promise<boolean> {
  if (id === 'terminal') return false;
  try {
    const { user } = await client.users.info({ user: id });
    return user !== undefined && personProblem(toPerson(user, id, installation)) === undefined;
  } catch (error) {
    if (NOBODY.has(platformCode(error))) return false;
    throw error;
  }
}
