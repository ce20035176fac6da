import type { Channel, Ephemeral, Installation, Message, User, UserGroup } from './types.ts';

/** A change in the workspace, the source of events to apps and of live views. */
export type WorldChange =
  | { type: 'message_posted'; message: Message }
  | { type: 'message_changed'; message: Message; previous: Message }
  | { type: 'message_deleted'; message: Message }
  | { type: 'ephemeral'; ephemeral: Ephemeral }
  | { type: 'reaction_added' | 'reaction_removed'; message: Message; user: string; reaction: string }
  | { type: 'member_joined' | 'member_left'; channel: Channel; user: string }
  | { type: 'channel_created' | 'channel_archived' | 'channel_unarchived'; channel: Channel }
  | { type: 'channel_shared'; channel: Channel; team: string }
  /** `from`: its former id. */
  | { type: 'channel_moved'; from: string; channel: Channel }
  /** `copy`: the channel that the former guest workspace has instead. */
  | { type: 'channel_unshared'; channel: Channel; team: string; copy: Channel }
  | { type: 'user_changed'; user: User }
  | { type: 'user_group_changed'; group: UserGroup; added: string[]; removed: string[] }
  | { type: 'app_installed' | 'app_uninstalled' | 'tokens_revoked'; installation: Installation }
  | {
      type: 'team_access_granted' | 'team_access_revoked';
      installation: Installation;
      teams: readonly string[];
    }
  | { type: 'view'; user: string }
  | { type: 'home_opened' | 'home_published'; user: string };
