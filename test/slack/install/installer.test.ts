import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../../src/http/server.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { mayInstall } from '../../../src/slack/client/rate-limits.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { installRoutes } from '../../../src/slack/install/installer.ts';
import { createStates, type States } from '../../../src/slack/install/oauth-states.ts';
import { endingPage } from '../../../src/slack/install/pages.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import { createInstallationStore } from '../../../src/workspaces/installation/installations.ts';
import { createSingleUse } from '../../../src/workspaces/single-use.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

/** The pages alone, on a server of their own. Slack is not there. */
async function serve(change: (states: States) => States = (states) => states, asked: string[] = []) {
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

test('the page that asks for patience is true whoever is at work: on removing, on new tokens, on new keys', () => {
  const { status, body } = endingPage({ type: 'busy' });
  expect({ status, body }).toMatchObject({
    status: 503,
    body: expect.stringContaining('Start again in a few minutes'),
  });
  expect(body).not.toMatch(/uninstalled|removed/);
});
