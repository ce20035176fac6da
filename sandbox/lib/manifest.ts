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
    app_home: z
      .object({ messages_tab_enabled: z.boolean().default(false) })
      .default({ messages_tab_enabled: false }),
    slash_commands: z.array(Command),
    shortcuts: z.array(Shortcut).default([]),
  }),
  oauth_config: z.object({
    redirect_urls: z.array(z.url()).optional(),
    scopes: z.object({ bot: z.array(z.string()) }),
  }),
  settings: z.object({
    event_subscriptions: z
      .object({ bot_events: z.array(z.string()).default([]) })
      .default({ bot_events: [] }),
    org_deploy_enabled: z.boolean().default(false),
    token_rotation_enabled: z.boolean().default(false),
  }),
});

const read = () => Manifest.parse(parse(readFileSync(PATH, 'utf8')));

/**
 * The app as its manifest.yml has it, the way that `startSlack` takes it: what is not declared does not reach the bot.
 * @param publicUrl where the bot is: takes the place of the manifest's own host in the redirect URLs. Left out: any will do.
 */
export function readManifest(publicUrl?: string) {
  const { features, oauth_config, settings } = read();
  const { redirect_urls } = oauth_config;
  return {
    ...(publicUrl && redirect_urls && { redirectUrls: redirect_urls.map((url) => movedTo(publicUrl, url)) }),
    orgDeploy: settings.org_deploy_enabled,
    tokenRotation: settings.token_rotation_enabled,
    messagesTab: features.app_home.messages_tab_enabled,
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts.map(({ callback_id }) => callback_id),
    scopes: oauth_config.scopes.bot,
    subscriptions: settings.event_subscriptions.bot_events,
  };
}

const movedTo = (publicUrl: string, url: string) => new URL(new URL(url).pathname, publicUrl).href;

/** What a Slack client offers of the app: its commands and shortcuts, with their names and descriptions. */
export type AppMenu = {
  commands: z.output<typeof Command>[];
  shortcuts: z.output<typeof Shortcut>[];
};

/** The menu that manifest.yml gives. */
export function readMenu(): AppMenu {
  const { slash_commands, shortcuts } = read().features;
  return { commands: slash_commands, shortcuts };
}
