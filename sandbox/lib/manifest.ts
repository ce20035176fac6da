import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const PATH = join(import.meta.dirname, '../../manifest.yml');

const Manifest = z.object({
  features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z
      .object({ bot_events: z.array(z.string()).default([]) })
      .default({ bot_events: [] }),
  }),
});

/** The app as its manifest.yml has it, the way that `startSlack` takes it: what is not declared does not reach the bot. */
export function readManifest(): { commands: string[]; scopes: string[]; subscriptions: string[] } {
  const { features, oauth_config, settings } = Manifest.parse(parse(readFileSync(PATH, 'utf8')));
  return {
    commands: features.slash_commands.map(({ command }) => command),
    scopes: oauth_config.scopes.bot,
    subscriptions: settings.event_subscriptions.bot_events,
  };
}
