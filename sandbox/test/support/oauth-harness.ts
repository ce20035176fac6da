import type { SlackOptions } from '../../slack/options.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { openSlackHarness } from './slack-harness.ts';
import { testWith } from './test-with.ts';

/** The part of oauth.v2.access's answers that the tests read. */
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

/** Opens a harness with a Slack without installations, and the steps of installing the app. */
export async function openOAuthHarness(options: Partial<SlackOptions> = {}) {
  const harness = await openSlackHarness({ installed: false, redirectUrls: [REDIRECT], ...options });
  const { slack } = harness;
  const credentials = { client_id: slack.clientId, client_secret: slack.clientSecret };

  /** Returns the URL that the app sends people to; null leaves a part out. */
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

  /** Allows the app as a person. @returns the code for the app */
  function allow(who = 'olga', { team, ...changes }: Record<string, string> = {}): string {
    const back = slack.person(who).authorize(authorizeUrl(changes), team ? { team } : {});
    return new URL(back).searchParams.get('code') ?? '';
  }

  const access = async (args: object, token = ''): Promise<Grant> =>
    (await harness.call('oauth.v2.access', args, token)) as unknown as Grant;
  const exchange = (code: string, changes: object = {}) =>
    access({ ...credentials, code, redirect_uri: REDIRECT, ...changes });
  const refresh = (refresh_token: string) =>
    access({ ...credentials, grant_type: 'refresh_token', refresh_token });

  /** Installs the app: a person allows it, and it exchanges the code. */
  const install = (who = 'olga', team: string = SEED.team) => exchange(allow(who, { team }));
  /** Returns the error that a call with this token gets. */
  const check = async (token: string) => (await harness.call('auth.test', {}, token)).error;
  return { ...harness, authorizeUrl, allow, exchange, refresh, install, check };
}

export const test = testWith(openOAuthHarness, [
  'authorizeUrl',
  'allow',
  'exchange',
  'install',
  'slack',
  'call',
]);
