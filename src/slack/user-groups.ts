/** The user groups of a workspace, by name. */
import type { webApi } from '@slack/bolt';
import type { AskersGroup } from './ui/setting-inputs.ts';

/** A group that is gone, or can't be looked up now, is still shown, by its id: it is what decides until it is changed. */
export async function nameGroup(client: webApi.WebClient, id: string): Promise<AskersGroup> {
  const { usergroups } = await client.usergroups.list({}).catch(() => ({ usergroups: [] }));
  return { id, name: usergroups?.find((group) => group.id === id)?.name ?? id };
}
