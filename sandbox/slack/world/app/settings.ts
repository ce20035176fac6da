/** The settings of the app. */
import { randomBytes } from 'node:crypto';
import { readManifest } from '../../../lib/manifest.ts';
import type { SlackOptions } from '../../options.ts';

/** The settings of the app, mostly of its manifest, and how Slack serves it; may be changed while it runs. */
export type AppSettings = {
  clientId: string;
  clientSecret: string;
  /** The bot scopes of the manifest, which the app gets wherever an admin installs it. */
  scopes: readonly string[];
  /** The addresses that a person may be sent back to; undefined: any. */
  redirectUrls?: readonly string[] | undefined;
  /** Whether tokens expire (token_rotation_enabled). */
  tokenRotation: boolean;
  tokenLifetimeSeconds: number;
  /** Whether it may be installed in a whole organization (org_deploy_enabled). */
  orgDeploy: boolean;
  /** Whether its Home tab is on (features.app_home.home_tab_enabled); without it, it can't publish pages. */
  homeTab: boolean;
  /** Whether its messages tab is on (features.app_home.messages_tab_enabled), as its bot's direct messages need it. */
  messagesTab: boolean;
  /**
   * Whether it is distributed commercially outside the Marketplace: its access to message histories is then limited
   * (`api/history.ts`).
   */
  outsideMarketplace: boolean;
  /**
   * The most items that the pages of a list hold, one number after the other and then from the first again; empty: as many
   * as were asked for. "Fewer than the requested number of items may be returned, even if the end of the list hasn't been
   * reached" (https://docs.slack.dev/reference/methods/conversations.history, and every other method with a cursor).
   */
  shortPages: readonly number[];
};

/** The scopes that the app has unless it is started with others: those of its manifest, and one that only tests need. */
export const DEFAULT_SCOPES = [...readManifest().scopes, 'im:read'];

/** Slack's own lifetime: twelve hours. */
const TOKEN_LIFETIME_SECONDS = 43_200;

/** Returns the settings of the options, with the default of each that is left out. */
export function appSettings(options: SlackOptions): AppSettings {
  return {
    clientId: options.clientId ?? '1234567890.9876543210',
    clientSecret: options.clientSecret ?? randomBytes(16).toString('hex'),
    scopes: options.scopes ?? DEFAULT_SCOPES,
    redirectUrls: options.redirectUrls,
    tokenRotation: options.tokenRotation ?? false,
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? TOKEN_LIFETIME_SECONDS,
    orgDeploy: options.orgDeploy ?? true,
    homeTab: options.homeTab ?? true,
    messagesTab: options.messagesTab ?? true,
    outsideMarketplace: options.outsideMarketplace ?? false,
    shortPages: options.shortPages ?? [],
  };
}
