/** Reads manifest.yml for the local Slack, so that it grants and sends what the app declares and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PATH = join(import.meta.dirname, '../../manifest.yml');

/** The part of manifest.yml that the sandbox reads (https://docs.slack.dev/reference/app-manifest). */
type Manifest = {
  features: {
    app_home: { home_tab_enabled: boolean; messages_tab_enabled: boolean };
    slash_commands: { command: string; description: string; usage_hint?: string }[];
    shortcuts: { callback_id: string; name: string; type: 'global' | 'message'; description: string }[];
  };
  oauth_config: { redirect_urls: string[]; scopes: { bot: string[] } };
  settings: {
    event_subscriptions: { bot_events: string[] };
    org_deploy_enabled: boolean;
    token_rotation_enabled: boolean;
  };
};

const MANIFEST: Manifest = parse(readFileSync(PATH, 'utf8'));

/**
 * Returns manifest.yml as options of `startSlack`.
 * @param publicUrl replaces the manifest's own host in the redirect URLs; left out: any redirect URL is allowed
 */
export function readManifest(publicUrl?: string) {
  const { features, oauth_config, settings } = MANIFEST;
  return {
    ...(publicUrl && { redirectUrls: oauth_config.redirect_urls.map((url) => movedTo(publicUrl, url)) }),
    orgDeploy: settings.org_deploy_enabled,
    tokenRotation: settings.token_rotation_enabled,
    homeTab: features.app_home.home_tab_enabled,
    messagesTab: features.app_home.messages_tab_enabled,
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts.map(({ callback_id }) => callback_id),
    scopes: oauth_config.scopes.bot,
    subscriptions: settings.event_subscriptions.bot_events,
  };
}

const movedTo = (publicUrl: string, url: string) => new URL(new URL(url).pathname, publicUrl).href;

/** The app's commands and shortcuts in a Slack client, with their names and descriptions. */
export type AppMenu = ReturnType<typeof readMenu>;

export function readMenu() {
  const { slash_commands: commands, shortcuts } = MANIFEST.features;
  return { commands, shortcuts };
}
