/** The user groups of a workspace, by name. */
import type { webApi } from '@slack/bolt';
import type { AskersGroup } from './ui/setting-inputs.ts';

/** A group that is gone, or can't be looked up now, is still shown, by its id: it is what decides until it is changed. */
export async function nameGroup(
  client: webApi.WebClient,
  workspace: string,
  id: string,
): Promise<AskersGroup> {
  const groups = await listGroups(client, workspace).catch(() => []);
  return { id, name: groups.find((group) => group.id === id)?.name ?? id };
}

/** @param workspace Slack wants to know of which one, where the bot is installed in an organization */
export async function listGroups(client: webApi.WebClient, workspace: string) {
  const { usergroups = [] } = await client.usergroups.list({ team_id: workspace });
  return usergroups;
}
