/** Fills manifest.yml in, and makes the address of Slack's page for a new app with it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/** The address in manifest.yml that stands for that of the bot. */
const EXAMPLE = 'https://countermand.example.com/';

/**
 * The page on which Slack creates an app with the manifest filled in
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests, "Sharing manifests").
 */
export function newAppPage(publicUrl: URL, socketMode: boolean): string {
  const manifest = JSON.stringify(filledIn(publicUrl, socketMode));
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(manifest)}`;
}

function filledIn(publicUrl: URL, socketMode: boolean): object {
  const text = readFileSync(manifestPath(), 'utf8').replaceAll(EXAMPLE, publicUrl.href);
  const manifest = parse(text);
  return { ...manifest, settings: { ...manifest.settings, socket_mode_enabled: socketMode } };
}

/** The file lies in the folder of the project, or in that of the bundle: above this module in either case. */
function manifestPath(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'manifest.yml');
    if (existsSync(path)) return path;
    if (folder === dirname(folder))
      throw new Error('The file manifest.yml is missing. Install Countermand again.');
  }
}
