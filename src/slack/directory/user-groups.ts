/** The user groups of a workspace, by name. */
import type { webApi } from '@slack/bolt';
import { platformCode } from '../client/failure.ts';

/** A user group, as it is shown. */
export type UserGroup = { id: string; name: string };

/** A group that is gone, or can't be looked up now, is still shown, by its id: it is what decides until it is changed. */
export async function nameGroup(client: webApi.WebClient, workspace: string, id: string): Promise<UserGroup> {
  const groups = await listGroups(client, workspace).catch(() => []);
  return { id, name: groups.find((group) => group.id === id)?.name ?? id };
}

/**
 * None where the workspace's plan has none (https://docs.slack.dev/reference/methods/usergroups.list).
 *
 * @param workspace Slack wants to know of which one, where the bot is installed in an organization
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
