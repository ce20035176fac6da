import { randomBytes } from 'node:crypto';
import { readManifest } from '../../../lib/manifest.ts';
import type { AppSettings, SlackOptions } from '../../options.ts';

/** The scopes that the app has unless it is started with others: those of its manifest. */
export const DEFAULT_SCOPES = readManifest().scopes;

/** Slack's own lifetime: twelve hours. */
const TOKEN_LIFETIME_SECONDS = 43_200;

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
    namedTeam: options.namedTeam ?? 'acting',
  };
}
