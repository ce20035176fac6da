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
    slash_commands: z.array(Command),
    shortcuts: z.array(Shortcut).default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z
      .object({ bot_events: z.array(z.string()).default([]) })
      .default({ bot_events: [] }),
  }),
});

const read = () => Manifest.parse(parse(readFileSync(PATH, 'utf8')));

/** The app as its manifest.yml has it, the way that `startSlack` takes it: what is not declared does not reach the bot. */
export function readManifest() {
  const { features, oauth_config, settings } = read();
  return {
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts.map(({ callback_id }) => callback_id),
    scopes: oauth_config.scopes.bot,
    subscriptions: settings.event_subscriptions.bot_events,
  };
}

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
