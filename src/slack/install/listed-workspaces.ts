/** Asks Slack to which workspaces an organization has added the app. */
import { createCache } from '../../cache.ts';
import type { StoredInstallation } from '../../workspaces/installation/installations.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import type { AnswerAge } from '../client/installation.ts';

/** Slack's largest page (https://docs.slack.dev/reference/methods/auth.teams.list). */
const PAGE = 1_000;

/** @param timeoutMs for each page @throws if Slack can't be asked */
export async function listTeams(
  botToken: string,
  api: SlackApi,
  timeoutMs: number,
): Promise<ReadonlySet<string>> {
  const client = webClient(botToken, api, timeoutMs);
  const listed = new Set<string>();
  for await (const page of client.paginate('auth.teams.list', { limit: PAGE })) {
    const { teams = [] } = page as { teams?: { id?: string }[] };
    for (const { id } of teams) if (id !== undefined) listed.add(id);
  }
  return listed;
}

/** A person may be waiting. */
const TIMEOUT_MS = 1_200;

/**
 * The time for which an answer of Slack, or its failure to answer, is recent. Slack allows twenty calls a minute, and each event
 * in a channel of any other company asks (tier 2, https://docs.slack.dev/reference/methods/auth.teams.list).
 */
const KEPT_MS = 20_000;
const MOST_KEPT = 1_000;

/** @throws if Slack can't be asked */
export type IsListed = (
  organization: StoredInstallation,
  workspace: string,
  age: AnswerAge,
) => Promise<boolean>;

export function createIsListed(api: SlackApi, monotonic: () => number): IsListed {
  const kept = { ttlMs: KEPT_MS, now: monotonic };
  const lists = createCache<Promise<ReadonlySet<string>>>(MOST_KEPT, kept);
  const answers = createCache<Promise<boolean>>(MOST_KEPT, kept);

  async function askNow({ generation, tokens }: StoredInstallation, workspace: string): Promise<boolean> {
    const list = listTeams(tokens.bot, api, TIMEOUT_MS);
    lists.set(generation, list);
    return (await list).has(workspace);
  }

  return async (organization, workspace, age) => {
    const list = lists.get(organization.generation);
    const isListed = list && (await list).has(workspace);
    // The workspace may have been added to the organization since the list was read.
    if (isListed || (isListed === false && age === 'recent')) return isListed;
    const key = `${organization.generation} ${workspace}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = askNow(organization, workspace);
    answers.set(key, answer);
    return answer;
  };
}
