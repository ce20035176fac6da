import type { SlackOptions } from '../../slack/options.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { openSlackDesk } from './slack-desk.ts';

/** What the tests read of the answers of oauth.v2.access. */
export type Grant = {
  ok: boolean;
  error?: string;
  access_token: string;
  refresh_token: string;
  expires_in?: number;
  bot_user_id: string;
  scope: string;
  team: { id: string; name: string } | null;
};

export const REDIRECT = 'http://127.0.0.1:1/slack/oauth_redirect';

/** A Slack in which the app is installed nowhere yet, and what an app does to be installed. */
export async function openOAuthDesk(options: Partial<SlackOptions> = {}) {
  const desk = await openSlackDesk({ installed: false, redirectUrls: [REDIRECT], ...options });
  const { slack } = desk;
  const credentials = { client_id: slack.clientId, client_secret: slack.clientSecret };

  /** The address that the app sends people to; null leaves a part out. */
  function authorizeUrl(changes: Record<string, string | null> = {}): string {
    const url = new URL('../oauth/v2/authorize', slack.apiUrl);
    const usual = {
      client_id: slack.clientId,
      scope: 'commands,chat:write,users:read,im:write',
      redirect_uri: REDIRECT,
      state: 'the state',
    };
    for (const [name, value] of Object.entries({ ...usual, ...changes })) {
      if (value !== null) url.searchParams.set(name, value);
    }
    return url.href;
  }

  /** Somebody allows the app; the code that they bring to it. */
  function allow(who = 'olga', { team, ...changes }: Record<string, string> = {}): string {
    const back = slack.person(who).authorize(authorizeUrl(changes), team ? { team } : {});
    return new URL(back).searchParams.get('code') ?? '';
  }

  const access = async (args: object, token = ''): Promise<Grant> =>
    (await desk.call('oauth.v2.access', args, token)) as unknown as Grant;
  const exchange = (code: string, changes: object = {}) =>
    access({ ...credentials, code, redirect_uri: REDIRECT, ...changes });
  const refresh = (refresh_token: string, changes: object = {}) =>
    access({ ...credentials, grant_type: 'refresh_token', refresh_token, ...changes });

  /** The whole way: somebody allows the app, and it exchanges the code. */
  const install = (who = 'olga', team: string = SEED.team) => exchange(allow(who, { team }));
  return { ...desk, credentials, authorizeUrl, allow, exchange, refresh, install };
}
