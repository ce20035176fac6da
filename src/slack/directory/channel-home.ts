/** Decides whether a workspace has a channel, when one bot token opens the channels of several workspaces. */
import type { Installation } from '../client/installations.ts';

/** The fields of conversations.info (https://docs.slack.dev/reference/objects/conversation-object). */
export type ChannelTeams = {
  /** The workspace of the channel. The page shows it in an example without a description. */
  context_team_id?: string;
  /** The workspace or organization that hosts a shared channel. */
  conversation_host_id?: string;
  /** The workspaces that have the channel; an organization stands for all its workspaces, or for another company's. */
  shared_team_ids?: string[];
  /** Whether several workspaces of one organization have the channel. */
  is_org_shared?: boolean;
  is_ext_shared?: boolean;
};

/**
 * Whether a workspace has the channel. The token of an org-wide installation opens the channels of every workspace, and
 * an id in a form proves nothing. If Slack does not say, no workspace has it: for a channel of several workspaces that
 * is also shared with a company, Slack may name only the organization.
 */
export function isHome(
  channel: ChannelTeams,
  { workspace, organization }: Pick<Installation, 'workspace' | 'organization'>,
): boolean {
  // Any other token opens only the channels of its own workspace.
  if (organization === undefined) return true;
  const { shared_team_ids: teams = [], context_team_id, conversation_host_id } = channel;
  if ([...teams, context_team_id, conversation_host_id].includes(workspace)) return true;
  const isOfWholeOrganization = channel.is_org_shared === true && channel.is_ext_shared !== true;
  return isOfWholeOrganization && teams.includes(organization);
}
