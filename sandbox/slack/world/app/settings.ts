import { randomBytes } from 'node:crypto';
import type { SlackOptions } from '../../options.ts';
import type { AppSettings } from '../app-settings.ts';

/** The scopes that the app asks for without a manifest. */
export const DEFAULT_SCOPES = [
  'app_mentions:read',
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

/** Slack's own lifetime: twelve hours. */
const TOKEN_LIFETIME_SECONDS = 43_200;

/** Returns the settings of the options. */
export function appSettings(options: SlackOptions): AppSettings {
  return {
    clientId: options.clientId ?? '1234567890.9876543210',
    clientSecret: options.clientSecret ?? randomBytes(16).toString('hex'),
    scopes: options.scopes ?? DEFAULT_SCOPES,
    redirectUrls: options.redirectUrls,
    tokenRotation: options.tokenRotation ?? false,
    orgDeploy: options.orgDeploy ?? true,
    tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
    homeTab: options.homeTab ?? true,
    messagesTab: options.messagesTab ?? true,
    outsideMarketplace: options.outsideMarketplace ?? false,
    shortPages: options.shortPages ?? [],
  };
}
