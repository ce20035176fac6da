import { randomBytes } from 'node:crypto';
import type { SlackOptions } from '../../options.ts';

/** The settings of the app, and how Slack serves it; may be changed while it runs. */
export type AppSettings = {
  clientId: string;
  clientSecret: string;
  /** What the app asks for, and gets where an admin installs it. */
  scopes: readonly string[];
  /** Where a person may be sent back to; undefined: anywhere. */
  redirectUrls?: readonly string[] | undefined;
  /** Whether tokens expire (token_rotation_enabled). */
  tokenRotation: boolean;
  /** Whether it may be installed in a whole organization (org_deploy_enabled). */
  orgDeploy: boolean;
  tokenLifetimeSeconds: number;
  /** How long a refresh token that was used can be used again. Slack says "a short grace period". */
  refreshGraceSeconds: number;
  /** Whether its messages tab is on (features.app_home.messages_tab_enabled): without it, its bot writes to nobody directly. */
  messagesTab: boolean;
  /** Whether it is distributed commercially outside the Marketplace: it may then read little of any history (`api/history-limits.ts`). */
  outsideMarketplace: boolean;
  /**
   * How many items the pages of a list hold at most, one number after the other and then from the first again; none: as many
   * as were asked for. "Fewer than the requested number of items may be returned, even if the end of the list hasn't been
   * reached" (https://docs.slack.dev/reference/methods/conversations.history, and every other method with a cursor).
   */
  shortPages: readonly number[];
};

/** What the app asks for where no manifest is given. */
export const DEFAULT_SCOPES = [
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:read',
  'usergroups:read',
  'users:read',
];

/** Slack's own: twelve hours. */
const TOKEN_LIFETIME_SECONDS = 43_200;
const REFRESH_GRACE_SECONDS = 10;

/** The settings that the options give. */
export function appSettings(options: SlackOptions): AppSettings {
  return {
    clientId: options.clientId ?? '1234567890.9876543210',
    clientSecret: options.clientSecret ?? randomBytes(16).toString('hex'),
    scopes: options.scopes ?? DEFAULT_SCOPES,
    redirectUrls: options.redirectUrls,
    tokenRotation: options.tokenRotation ?? false,
    orgDeploy: options.orgDeploy ?? true,
    tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
    refreshGraceSeconds: REFRESH_GRACE_SECONDS,
    messagesTab: options.messagesTab ?? true,
    outsideMarketplace: options.outsideMarketplace ?? false,
    shortPages: options.shortPages ?? [],
  };
}
