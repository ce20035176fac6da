import { expect, test } from 'vitest';
import { checkSlack } from '../../src/cli/doctor/slack.ts';

const NOW = 1_000_000;

type Stored = { expiresAt: number; tokens: object; refusedAt?: number };

/** What doctor says of an installation by OAuth, where Slack answers that its token has expired. */
async function findings(stored: Stored | Error | 'unusable', messageTo?: string) {
  let asked = 0;
  const send = async () => {
    asked += 1;
    const body = JSON.stringify({ ok: false, error: 'token_expired' });
    return { type: 'answered' as const, answer: { status: 200, headers: {}, body } };
  };
  const installations = {
    async *ids() {
      yield 'T1';
    },
    get: async () => (stored instanceof Error ? Promise.reject(stored) : stored),
  };
  const found = await checkSlack({
    config: { slack: { installing: { type: 'oauth' }, transport: { type: 'http' } } },
    adapters: stored === 'unusable' ? stored : { installations },
    api: { apiUrl: new URL('https://slack.example/api/'), send },
    now: () => NOW,
    messageTo,
    messages: false,
    sleep: async () => {},
  } as never);
  return { asked, found: found.map((finding) => JSON.stringify(finding)).join('\n') };
}

const tokens = { bot: 'xoxe.xoxb-1-1', refresh: 'xoxe-1-1' };

test('a token that has expired while nobody needed it is no problem: the bot renews it', async () => {
  const { asked, found } = await findings({ expiresAt: NOW, tokens });
  expect(asked).toBe(0);
  expect(found).toContain('has expired, and is renewed before it is used again');
});

test.each([
  ['does not expire yet', { expiresAt: NOW + 1, tokens }],
  ['cannot be renewed', { expiresAt: NOW, tokens: { bot: 'xoxe.xoxb-1-1' } }],
  ['Slack has refused to renew', { expiresAt: NOW, tokens, refusedAt: NOW }],
])('a token that %s is shown to Slack', async (_name, stored) => {
  const { asked, found } = await findings(stored);
  expect(asked).toBeGreaterThan(0);
  expect(found).toContain('token_expired');
});

test('an installation that no key opens is not said to be missing', async () => {
  const { found } = await findings(new Error('sealed by another key'));
  expect(found).toContain('No stored installation can be read');
  expect(found).not.toContain('No installation is known');
});

test('where the storage cannot be used, the bot is not said to be installed nowhere', async () => {
  const { found } = await findings('unusable');
  expect(found).toContain('The storage cannot be used, so no installation can be read');
  expect(found).not.toContain('No installation is known');
});

test('where no token is known for a test message, a person who named its reader is not told to name one', async () => {
  const { found } = await findings(new Error('sealed by another key'), 'U1');
  expect(found).toContain('No bot token is known, so no message was sent');
  expect(found).not.toContain('--message-to');
});

test.each([
  [
    'of the second workspace is sent by its token',
    'U2',
    'ok',
    /^U2 has a test message, by the bot token of T2$/,
  ],
  ['of none is sent by none', 'U9', 'problem', /nobody by the id in --message-to in the workspaces/],
])('of two workspaces, a test message to a person %s', async (_to, messageTo, status, text) => {
  const people: Record<string, string> = { 'Bearer xoxb-T1': 'U1', 'Bearer xoxb-T2': 'U2' };
  const send = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
    const person = people[new Headers(headers).get('authorization') ?? ''];
    const isTo = String(body).includes('channel=');
    const isKnown = !isTo || String(body).includes(`channel=${person}`);
    const said = isKnown ? { ok: true, team_id: 'T1' } : { ok: false, error: 'channel_not_found' };
    return { type: 'answered', answer: { status: 200, headers: {}, body: JSON.stringify(said) } };
  };
  const found = await checkSlack({
    config: { slack: { installing: { type: 'oauth' }, transport: { type: 'http' } } },
    adapters: {
      installations: {
        ids: () => ['T1', 'T2'].values(),
        get: async (id: string) => ({ tokens: { bot: `xoxb-${id}` } }),
      },
    },
    api: { apiUrl: new URL('https://slack.example/api/'), send },
    now: () => NOW,
    messageTo,
    messages: false,
    sleep: async () => {},
  } as never);
  const [finding] = found.filter(({ check }) => check === 'messages tab');
  expect(finding).toMatchObject({ status, text: expect.stringMatching(text) });
});

test.each([
  ['http', 'problem', true],
  ['socket', 'warning', false],
])(
  'a wrong clock over %s is a %s, since only HTTP has requests that are refused by it',
  async (type, status, isRefused) => {
    const headers = { date: new Date(0).toUTCString(), 'x-oauth-scopes': 'chat:write' };
    const body = JSON.stringify({
      ok: true,
      team_id: 'T1',
      team: 'Acme',
      user_id: 'U1',
      url: 'wss://x',
    });
    const found = await checkSlack({
      config: {
        slack: { installing: { type: 'token', botToken: 'xoxb-1' }, transport: { type, appToken: 'xapp-1' } },
      },
      adapters: undefined,
      api: {
        apiUrl: new URL('https://slack.example/api/'),
        send: async () => ({ type: 'answered', answer: { status: 200, headers, body } }),
      },
      now: () => 600_000,
      messages: false,
      sleep: async () => {},
    } as never);
    const [clock] = found.filter(({ check }) => check === 'clock');
    expect(clock?.status).toBe(status);
    expect(clock?.text).toContain("600 s ahead of Slack's");
    expect(clock?.text.includes('refuses')).toBe(isRefused);
  },
);
