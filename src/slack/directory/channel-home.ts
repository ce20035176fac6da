/** Tells whose a channel is, where one bot token opens the channels of several workspaces. */
import type { Installation } from '../client/installations.ts';

/** As conversations.info has it (https://docs.slack.dev/reference/objects/conversation-object). */
export type ChannelTeams = {
  /** The workspace of the channel. The page shows it in its example, and does not describe it. */
  context_team_id?: string;
  /** Of a shared channel: the workspace that has it, or its organization. */
  conversation_host_id?: string;
  /** All that have it; their organization, where it is that of all workspaces or of another company's. */
  shared_team_ids?: string[];
  /** Several workspaces of one organization have it. */
  is_org_shared?: boolean;
  is_ext_shared?: boolean;
};

/**
 * Whether a workspace has the channel. The token of an org-wide installation opens those of every workspace in the
 * organization, and an id in a form is not proof of anything. Where Slack does not say whose it is, it is nobody's: of a
 * channel of several workspaces that is shared with a company, too, only the organization may be named.
 */
export function isHome(
  channel: ChannelTeams,
  { workspace, organization }: Pick<Installation, 'workspace' | 'organization'>,
): boolean {
  // Any other token opens nothing but what its own workspace has.
  if (organization === undefined) return true;
  const { shared_team_ids: teams = [], context_team_id, conversation_host_id } = channel;
  if ([...teams, context_team_id, conversation_host_id].includes(workspace)) return true;
  const isOfWholeOrganization = channel.is_org_shared === true && channel.is_ext_shared !== true;
  return isOfWholeOrganization && teams.includes(organization);
}
