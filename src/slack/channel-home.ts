/** Whose a channel is, where one bot token opens the channels of several workspaces. Pure. */
import type { Installation } from './installations.ts';

/** As conversations.info has it (https://docs.slack.dev/reference/objects/conversation-object). */
export type ChannelTeams = {
  /** The workspaces of the organization that have it. */
  internal_team_ids?: string[];
  /** All that have it; the organization itself, where the channel is that of all its workspaces. */
  shared_team_ids?: string[];
};

/**
 * Whether a workspace has the channel. The token of an org-wide installation opens those of every workspace in the
 * organization, and an id in a form is not proof of anything. Where Slack does not say whose it is, it is nobody's.
 */
export function isHome(
  { internal_team_ids = [], shared_team_ids = [] }: ChannelTeams,
  { workspace, organization }: Pick<Installation, 'workspace' | 'organization'>,
): boolean {
  // Any other token opens nothing but what its own workspace has.
  if (organization === undefined) return true;
  const teams = internal_team_ids.length > 0 ? internal_team_ids : shared_team_ids;
  return teams.includes(workspace) || teams.includes(organization);
}
