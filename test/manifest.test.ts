import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SCOPES as BOT_SCOPES } from '../src/slack/client/access.ts';
import { slackRoutes } from '../src/slack/routes.ts';

const ROOT = join(import.meta.dirname, '..');
const manifest = parse(readFileSync(join(ROOT, 'manifest.yml'), 'utf8'));

/** The scopes of each Web API method (https://docs.slack.dev/reference/methods), for the channels the bot works in. */
const SCOPES: Record<string, readonly string[]> = {
  'apps.connections.open': [],
  'auth.teams.list': [],
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.join': ['channels:join'],
  'conversations.members': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'oauth.v2.access': [],
  'reactions.get': ['reactions:read'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.conversations': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

function methodsUsed(): string[] {
  const sources = globSync('src/slack/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const called = sources.flatMap((text) =>
    [...text.matchAll(/\bclient\.((?:\w+\.)+\w+)\(/g)].map(([, name]) => name),
  );
  const paged = sources.flatMap((text) =>
    [...text.matchAll(/client\.paginate\('([\w.]+)'/g)].map(([, name]) => name),
  );
  return [...new Set([...called, ...paged])].map(String).sort();
}

describe('manifest.yml', () => {
  test('declares the commands that the code answers, at one address', () => {
    const declared = manifest.features.slash_commands.map(({ command }: { command: string }) => command);
    expect(declared.sort()).toEqual(Object.keys(slackRoutes({} as never).commands).sort());
    const urls = manifest.features.slash_commands.map(({ url }: { url: string }) => new URL(url).pathname);
    expect(new Set(urls)).toEqual(new Set(['/slack/events']));
  });

  test('declares the shortcuts that the code answers', () => {
    const { shortcuts } = manifest.features;
    const declared = shortcuts.map(({ callback_id }: { callback_id: string }) => callback_id);
    expect(declared.sort()).toEqual(Object.keys(slackRoutes({} as never).shortcuts).sort());
    for (const { type, callback_id } of shortcuts)
      expect(type).toBe(callback_id.startsWith('message_') ? 'message' : 'global');
  });

  test('asks for the scopes that the code needs, and for no other', () => {
    expect(methodsUsed()).toEqual(Object.keys(SCOPES).sort());
    const needed = new Set(['commands', 'app_mentions:read', ...Object.values(SCOPES).flat()]);
    expect(new Set(manifest.oauth_config.scopes.bot)).toEqual(needed);
    expect(new Set(BOT_SCOPES)).toEqual(needed);
  });

  test('has a messages tab, without which Slack takes no direct message of the bot, and a Home tab', () => {
    expect(manifest.features.app_home).toEqual({
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
  });

  test('lets Slack lead back to the page of ours that finishes an installation', () => {
    const [address, ...more] = manifest.oauth_config.redirect_urls;
    expect(new URL(address).pathname).toBe('/slack/oauth_redirect');
    expect(more).toEqual([]);
  });

  test('subscribes to the events that the code listens to, and to no other', () => {
    const { request_url, bot_events } = manifest.settings.event_subscriptions;
    const events = Object.keys(slackRoutes({} as never).events);
    // Of messages, only those that are written to the bot itself.
    const subscribed = events.map((name) => (name === 'message' ? 'message.im' : name));
    expect(bot_events).toEqual(subscribed.sort());
    expect(new URL(request_url).pathname).toBe('/slack/events');
  });

  test('has interactions and options delivered, which the modals need', () => {
    const { interactivity } = manifest.settings;
    expect(interactivity.is_enabled).toBe(true);
    expect(new URL(interactivity.request_url).pathname).toBe('/slack/events');
    expect(new URL(interactivity.message_menu_options_url).pathname).toBe('/slack/events');
  });

  test('keeps within the limits that Slack sets on an app', () => {
    expect(manifest.display_information.name.length).toBeLessThanOrEqual(35);
    expect(manifest.display_information.description.length).toBeLessThanOrEqual(140);
    for (const command of manifest.features.slash_commands)
      expect(command.command).toMatch(/^\/[a-z0-9_-]{1,31}$/);
  });
});
