/** Reads manifest.yml for the local Slack, so that it grants and sends what the app declares and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const PATH = join(import.meta.dirname, '../../manifest.yml');

const Command = z.object({
  command: z.string(),
  description: z.string(),
  usage_hint: z.string().optional(),
});

const Shortcut = z.object({
  callback_id: z.string(),
  name: z.string(),
  type: z.enum(['global', 'message']),
  description: z.string(),
});

const Manifest = z.object({
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.boolean(), messages_tab_enabled: z.boolean() }),
    slash_commands: z.array(Command),
    shortcuts: z.array(Shortcut),
  }),
  oauth_config: z.object({
    redirect_urls: z.array(z.url()),
    scopes: z.object({ bot: z.array(z.string()) }),
  }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
    org_deploy_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

const MANIFEST = Manifest.parse(parse(readFileSync(PATH, 'utf8')));

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
