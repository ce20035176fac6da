/** Who hears of trouble with a workspace's connection: whoever made it, and the admins and owners. */
import type { webApi } from '@slack/bolt';
import { mayAdminister, personProblem } from '../../requests/use-cases/rules.ts';
import { platformCode } from '../client/failure.ts';
import type { Installation } from '../client/installations.ts';
import { type SlackUser, toPerson } from './read-people.ts';

/** Any one of them can mend it: more messages than this would only be noise in a company with dozens of admins. */
const MOST_PEOPLE = 10;

/**
 * Slack's largest page (https://docs.slack.dev/reference/methods/users.list), and as many of them as fit, with the one
 * question before them, into half of a claim. In a larger workspace whoever connected it is told all the same.
 */
const PAGE = 1_000;
const MOST_PAGES = 3;

const NOBODY: ReadonlySet<string | undefined> = new Set(['user_not_found', 'user_not_visible']);

/**
 * @param connectedBy a member's id, or `terminal`, who is nobody to write to
 * @returns ids of full members, whoever connected it first; nobody where there is none
 * @throws what the Web API client throws
 */
export async function whomToTell(
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
