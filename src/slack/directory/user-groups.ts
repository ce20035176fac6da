/** Finds the user groups of a workspace by name. */
import type { webApi } from '@slack/bolt';
import { platformCode } from '../client/failure.ts';

/** A user group for display. */
export type UserGroup = { id: string; name: string };

/** Names a group. One that is gone or unreadable is shown by its id, because it still applies until it is changed. */
export async function nameGroup(client: webApi.WebClient, workspace: string, id: string): Promise<UserGroup> {
  const groups = await listGroups(client, workspace).catch(() => []);
  return { id, name: groups.find((group) => group.id === id)?.name ?? id };
}

/**
 * Lists the user groups; none if the workspace's plan has none
 * (https://docs.slack.dev/reference/methods/usergroups.list).
 *
 * @param workspace required by Slack if the bot is installed in an organization
 */
export async function listGroups(client: webApi.WebClient, workspace: string) {
  try {
    const { usergroups = [] } = await client.usergroups.list({ team_id: workspace });
    return usergroups;
  } catch (error) {
    if (platformCode(error) === 'plan_upgrade_required') return [];
    throw error;
  }
}
