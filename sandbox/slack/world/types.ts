/**
 * The records of a local Slack. A field has the name that it has in Slack's own objects, if they have it (such as
 * https://docs.slack.dev/reference/objects/conversation-object).
 */
import type { Block } from '../blocks/blocks.ts';
import type { Option } from '../blocks/text.ts';
import type { HomeView, ModalView } from '../blocks/validate.ts';

/** An organization that holds several workspaces (Enterprise Grid). */
export type Enterprise = { id: string; name: string; domain: string };

export type Team = Enterprise & { enterprise_id?: string };

/** Slack's flags for a role in one workspace. A guest is restricted; a guest of a single channel ultra-restricted. */
export type RoleFlags = {
  is_admin: boolean;
  is_owner: boolean;
  is_restricted: boolean;
  is_ultra_restricted: boolean;
};

/** A person or a bot. The flags are those of their role in `team_id`. */
export type User = RoleFlags & {
  id: string;
  /** Their workspace; of the bot of an org-wide installation, the organization. */
  team_id: string;
  name: string;
  real_name: string;
  is_bot: boolean;
  deleted: boolean;
  /** Whether they run the organization that their workspace belongs to. */
  is_org_admin?: boolean;
  /** The other workspaces of the organization that they are in, with their roles there. */
  elsewhere?: Record<string, RoleFlags>;
};

export type Channel = {
  id: string;
  team_id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  is_archived: boolean;
  /** The other workspaces it is shared with: of the same organization, or of other companies (Slack Connect). */
  connected_team_ids: string[];
  members: Set<string>;
  messages: Map<string, Message>;
};

export type MessageMetadata = {
  event_type: string;
  event_payload: Record<string, unknown>;
};

export type Message = {
  ts: string;
  channel: string;
  user: string;
  text: string;
  blocks?: Block[] | undefined;
  /** The `ts` of the thread's parent; on the parent itself, set while there are replies. */
  thread_ts?: string | undefined;
  bot_id?: string | undefined;
  app_id?: string | undefined;
  metadata?: MessageMetadata | undefined;
  edited?: { user: string; ts: string } | undefined;
  /** Whether it is a deleted parent whose replies remain. */
  is_tombstone?: boolean | undefined;
  /** Whether admins have suspended access to it, by Enterprise Key Management. */
  is_redacted?: boolean | undefined;
  /**
   * Emoji name (without colons) to the users who reacted with it, in order. No page says what becomes of reactions: those of
   * a deactivated person stay, and those to a deleted message disappear without an event.
   */
  reactions: Map<string, string[]>;
};

/** An ephemeral message, which one person sees and no API reads back. */
export type Ephemeral = {
  ts: string;
  channel: string;
  user: string;
  /** The app that posted it; none if Slack itself reports a failure. */
  bot_id?: string | undefined;
  text: string;
  blocks?: Block[] | undefined;
  thread_ts?: string | undefined;
};

export type UserGroup = {
  id: string;
  team_id: string;
  name: string;
  handle: string;
  users: string[];
  deleted: boolean;
};

/** The app in one workspace, or in all those of an organization: its bot user, its token and what it was granted. */
export type Installation = {
  /** The workspace; of an org-wide installation, the organization (E…). */
  team_id: string;
  enterprise_id: string | null;
  is_enterprise_install: boolean;
  app_id: string;
  bot_id: string;
  /** The bot_id in each workspace of an org-wide installation (`botIdIn`). */
  bot_ids: Map<string, string>;
  bot_user_id: string;
  /** The newest token; with rotation, others may still be valid. */
  token: string;
  scopes: string[];
  /** The workspaces that an org-wide installation was removed from. */
  withoutAccess: Set<string>;
  /** A revoked token answers token_revoked, an uninstalled app's token account_inactive. */
  status: 'active' | 'revoked' | 'uninstalled';
};

/** The permission to open a modal for a person, which the person's action gives to the app. */
export type Trigger = {
  user: string;
  team_id: string;
  channel?: string | undefined;
  view_id?: string | undefined;
  expires_at: number;
  exchanged: boolean;
};

/** A response_url, at which the app may answer one interaction. */
export type ResponseUrl = {
  team_id: string;
  channel: string;
  user: string;
  uses: number;
  expires_at: number;
};

/** The permission that a person gave the app, until the app exchanges the code for a token. */
export type OAuthCode = {
  team_id: string;
  user: string;
  scopes: readonly string[];
  redirect_uri: string;
  expires_at: number;
  is_used: boolean;
};

export type AccessToken = {
  token: string;
  team_id: string;
  /** Epoch milliseconds; undefined if tokens don't rotate. */
  expires_at?: number | undefined;
  is_revoked: boolean;
};

export type RefreshToken = {
  token: string;
  team_id: string;
  /** The refresh token that was exchanged for it, if any. */
  from?: string | undefined;
  used_at?: number | undefined;
  is_revoked: boolean;
};

/** The value of one element in `state.values`; its type decides on its field. */
export type StateValue = {
  type: string;
  value?: string | null;
  selected_option?: Option | null;
  selected_options?: Option[];
  selected_conversation?: string | null;
  selected_user?: string | null;
  selected_date?: string | null;
  selected_users?: string[];
};

/** By block_id, then by action_id. */
export type StateValues = Record<string, Record<string, StateValue>>;

export type View = ViewOf<ModalView>;

export type HomePage = ViewOf<HomeView>;

type ViewOf<Definition> = {
  id: string;
  /** The company of its person; the app's own may be another one (Slack Connect). */
  team_id: string;
  app_installed_team_id: string;
  app_id: string;
  bot_id: string;
  user: string;
  definition: Definition;
  values: StateValues;
  hash: string;
  root_view_id: string;
  previous_view_id: string | null;
  channel?: string | undefined;
  /** The options that the app last offered for an external select, by `block_id/action_id`. */
  suggestions: Map<string, Option[]>;
  /** The error shown at a field, by block_id. */
  errors: Record<string, string>;
};
