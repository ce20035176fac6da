import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../../src/http/server.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { mayInstall } from '../../../src/slack/client/rate-limits.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { installRoutes } from '../../../src/slack/install/installer.ts';
import { createStates, type States } from '../../../src/slack/install/oauth-states.ts';
import { endingPage } from '../../../src/slack/install/pages.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import {
  createInstallationStore,
  type NewInstallation,
  NotAddedError,
} from '../../../src/workspaces/installation/installations.ts';
import { createSingleUse } from '../../../src/workspaces/single-use.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

type Deps = Parameters<typeof installRoutes>[0];

/** The pages alone, on a server of their own. Slack is not there. */
async function serve(
  change: (states: States) => States = (states) => states,
  asked: string[] = [],
  more: Partial<Pick<Deps, 'store' | 'api'>> = {},
) {
  const storage = openSqliteStorage(':memory:');
  const { limiter } = storage;
  const lines: string[] = [];
  const note = (fields: object, msg: string) => {
    const line = { ...fields, msg };
    lines.push(JSON.stringify(line, (_key, value) => (value instanceof Error ? value.stack : value)));
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const routes = installRoutes({
    store: createInstallationStore({ ...RUNTIME, cipher, records: storage.installations }),
    states: change(createStates('a secret of thirty-two characters', createSingleUse(storage.usedStates))),
    api: {
      apiUrl: new URL('http://127.0.0.1:1/api/'),
      logger: boltLogger(log),
      send: (call, ...rest) => {
        asked.push(call.path);
        return sendOver(createSlackAgent())(call, ...rest);
      },
    },
    clientId: 'id',
    clientSecret: 'secret',
    publicUrl: new URL('https://bot.example/'),
    mayExchange: () => mayInstall(limiter),
    isConnected: async () => false,
    welcome: async () => true,
    log,
    ...more,
  });
  const server = createHttpServer(routes, { port: 0, host: '127.0.0.1', log });
  const url = `http://127.0.0.1:${await server.start()}`;
  onTestFinished(() => server.stop());
  const browser = openBrowser({ url } as Parameters<typeof openBrowser>[0]);
  return {
    url,
    browser,
    storage,
    log: () => lines.join('\n'),
    async begin() {
      const { link } = await browser.open('/slack/install');
      return new URL(link).searchParams.get('state') ?? '';
    },
  };
}

/** The page of a fault, whose reference is in the log: and nothing of the address is. */
function expectFault({ status, text }: { status: number; text: string }, log: string, ...secrets: string[]) {
  expect({ status, text }).toMatchObject({
    status: 500,
    text: expect.stringContaining('Something went wrong'),
  });
  const [, reference = ''] = text.match(/reference: (\S+)/) ?? [];
  expect(log).toContain(reference || 'a reference');
  expect(log).toMatch(/"route":"\/slack\/(install|oauth_redirect)"/);
  for (const secret of secrets) expect(log).not.toContain(secret);
}

describe('while the storage is away', () => {
  test('the page to begin with is there: it stores nothing', async () => {
    const { browser, storage } = await serve();
    await storage.close();
    expect((await browser.open('/slack/install')).text).toContain('Add Countermand to Slack');
  });

  test.each(['with its cookie', 'from another browser'])(
    'coming back %s ends in a reference',
    async (how) => {
      const { browser, storage, begin, log } = await serve();
      const state = await begin();
      if (how === 'from another browser') browser.cookies.clear();
      await storage.close();
      const page = await browser.open(`/slack/oauth_redirect?code=a-good-code&state=${state}`);
      expectFault(page, log(), 'a-good-code', state);
    },
  );
});

describe('a callback that anybody may open', () => {
  /** Counts what the callbacks have used up: states, and calls to Slack. */
  async function counting() {
    const [used, asked]: [string[], string[]] = [[], []];
    const served = await serve(
      (states) => ({
        ...states,
        verifyStateParam: (now, state) => {
          used.push(state);
          return states.verifyStateParam(now, state);
        },
      }),
      asked,
    );
    return { ...served, used, asked };
  }

  test.each<[string, (state: string, cookies: Map<string, string>) => string]>([
    ['a forged state', () => 'forged'],
    ['no state', () => ''],
    [
      'the state of another browser',
      (state, cookies) => {
        cookies.clear();
        return state;
      },
    ],
  ])('with %s writes nothing and calls nobody', async (_name, forge) => {
    const { browser, begin, used, asked } = await counting();
    const state = forge(await begin(), browser.cookies);
    const { status } = await browser.open(`/slack/oauth_redirect?code=x&state=${state}`);
    expect([status, used, asked]).toEqual([400, [], []]);
  });

  test('with good states exchanges ten codes at once, and then asks for patience, which the log tells', async () => {
    const { browser, begin, used, asked, log } = await counting();
    const statuses: number[] = [];
    for (let n = 0; n < 15; n++) {
      const page = await browser.open(`/slack/oauth_redirect?code=x&state=${await begin()}`);
      statuses.push(page.status);
    }
    // Slack is not there; and a token may have come back meanwhile.
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(4);
    expect(used.length).toBeLessThanOrEqual(11);
    expect(asked.length).toBe(used.length);
    expect(log()).toContain(
      '{"route":"/slack/oauth_redirect","msg":"installation refused: too many are tried"}',
    );
  });
});

test('the cookie of an installation comes back with a person whom Slack’s page leads here, and no script reads it', async () => {
  const { browser } = await serve();
  const { headers } = await browser.open('/slack/install');
  // With SameSite=Strict a browser leaves it out after a link of another site, and nobody could install.
  expect(headers.get('set-cookie')).toMatch(
    /^countermand-install=\S+; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/,
  );
});

describe('what Slack gives for a code', () => {
  /** Slack's answer to every call (https://docs.slack.dev/reference/methods/oauth.v2.access). */
  const ANSWER = {
    ok: true,
    access_token: 'xoxe.xoxb-1',
    refresh_token: 'xoxe-1',
    expires_in: 43_200,
    scope: 'commands,chat:write',
    token_type: 'bot',
    bot_user_id: 'U0BOT',
    app_id: 'A1',
    team: { id: 'T1', name: 'Acme' },
    enterprise: { id: 'E1', name: 'Initech' },
    is_enterprise_install: false,
    authed_user: { id: 'U1' },
  };

  /** Comes back with a code, and passes on what is to be stored. @param slack answers every call, whatever it says then */
  async function install(add: Deps['store']['add'], slack: { answer: object } = { answer: ANSWER }) {
    const store = { add } as Deps['store'];
    const api: Deps['api'] = {
      apiUrl: new URL('https://slack.example/api/'),
      logger: boltLogger(SILENT),
      send: async () => ({
        type: 'answered',
        answer: { status: 200, headers: {}, body: JSON.stringify(slack.answer) },
      }),
    };
    const { browser, begin } = await serve(undefined, undefined, { store, api });
    return browser.open(`/slack/oauth_redirect?code=x&state=${await begin()}`);
  }

  test.each([
    ['a workspace', ANSWER, { id: 'T1', orgWide: false, organization: 'E1' }],
    ['a workspace without an organization', { ...ANSWER, enterprise: null }, { id: 'T1', orgWide: false }],
    ['an organization', { ...ANSWER, team: null, is_enterprise_install: true }, { id: 'E1', orgWide: true }],
  ])('is stored for %s, with all that is needed later', async (_what, answer, where) => {
    const stored: NewInstallation[] = [];
    const before = Date.now();
    await install(async (installation) => void stored.push(installation), { answer });
    expect(stored).toEqual([
      {
        ...where,
        tokens: { bot: 'xoxe.xoxb-1', refresh: 'xoxe-1' },
        expiresAt: expect.any(Number),
        scopes: ['commands', 'chat:write'],
        botUserId: 'U0BOT',
        installedBy: 'U1',
      },
    ]);
    // The installer counts in whole seconds.
    expect(stored[0]?.expiresAt).toBeGreaterThanOrEqual(before + 43_200_000 - 1_000);
  });

  test.each([
    [
      'removing',
      'data of the workspace are being removed for too long',
      503,
      'Start again in a few minutes.',
    ],
    [
      'replaced',
      'a later installation has replaced it',
      409,
      'If it does not work in your workspace now, start again.',
    ],
  ] as const)('is no fault (%s) if %s: the page says what to do', async (why, _when, status, advice) => {
    const page = await install(() => Promise.reject(new NotAddedError('T1', why)));
    expect(page).toMatchObject({ status, text: expect.stringContaining(advice) });
  });

  test.each([
    ['invalid_auth', false],
    ['account_inactive', false],
    ['token_revoked', false],
  ])('is outdated once Slack answers its token with %s', async (error, isAccepted) => {
    const slack = { answer: ANSWER as object };
    const said: unknown[] = [];
    await install(async (_installation, ask) => {
      said.push(await ask?.());
      slack.answer = { ok: false, error };
      said.push(await ask?.());
    }, slack);
    expect(said).toEqual([true, isAccepted]);
  });

  test('is a fault, and not stored, if Slack does not say whether its token still works', async () => {
    const slack = { answer: ANSWER as object };
    const page = await install(async (_installation, ask) => {
      slack.answer = { ok: false, error: 'internal_error' };
      await ask?.();
    }, slack);
    expect(page).toMatchObject({ status: 500, text: expect.stringContaining('Something went wrong') });
  });
});

test.each(['a b', '%%', 'x:99999', '['])(
  'a callback to a host with which no address can be made (%s) is forged, and no fault',
  async (host) => {
    const { url, log } = await serve();
    const sent = request(new URL('/slack/oauth_redirect?state=SECRET', url), { headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(400);
    expect(log()).not.toContain('SECRET');
  },
);

test('whatever else is wrong where it begins ends in a reference, too', async () => {
  const { browser, log } = await serve((states) => ({
    ...states,
    generateStateParam: () => Promise.reject(new Error('away')),
  }));
  expectFault(await browser.open('/slack/install'), log());
});

test('a page shows what Slack has said as text, whatever it is', () => {
  const { body } = endingPage({ type: 'refused', code: '<b>"&' });
  expect(body).toContain('Slack gave “&lt;b&gt;&quot;&amp;” as the reason');
});

test('an installation for an organization is connected by its admins: Slack does not say who those of a workspace are', () => {
  const { body } = endingPage({
    type: 'installed',
    id: 'E1',
    appId: undefined,
    orgWide: true,
    next: 'message',
  });
  expect(body).toContain('In each of them, an admin or owner of the organization connects it');
});

test('a page has its own style, and no other page may frame it', () => {
  const { headers, body } = endingPage({ type: 'removing' });
  const [, style = ''] = String(body).match(/<style>(.*)<\/style>/s) ?? [];
  const policy = headers?.['content-security-policy'];
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(policy).toContain("frame-ancestors 'none'");
});
