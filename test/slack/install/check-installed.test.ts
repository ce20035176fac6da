import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { checkScopesOfAll, createChecks } from '../../../src/slack/install/check-installed.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';

/** Installations with these scopes, by id; `undefined`: removed since it was listed; an error: it can't be read. */
async function logged(
  granted: Record<string, string[] | Error | undefined>,
  stopping = new AbortController().signal,
) {
  const lines: { fields: object; message: string }[] = [];
  const error = (fields: object, message: string) => void lines.push({ fields, message });
  const store = {
    async *ids() {
      yield* Object.keys(granted);
    },
    async facts(id: string) {
      const scopes = granted[id];
      if (scopes !== undefined && !Array.isArray(scopes)) throw scopes;
      return scopes && { id, generation: 'g', orgWide: false, botUserId: 'UBOT', scopes };
    },
  };
  await checkScopesOfAll(store, { debug() {}, info() {}, warn() {}, error }, stopping);
  return lines;
}

const without = (...names: string[]) => SCOPES.filter((scope) => !names.includes(scope));

test('installations that were made for fewer scopes are reported in one line, with what is missing', async () => {
  const granted = {
    T1: SCOPES,
    T2: without('im:history'),
    T3: without('commands', 'im:history'),
    T4: undefined,
  };
  expect(await logged(granted)).toEqual([
    {
      fields: {
        event: 'slack_scopes_missing',
        installations: 2,
        lacking: ['T2', 'T3'],
        missing: ['im:history', 'commands'],
      },
      message: 'bot tokens lack scopes that Countermand needs: install it in these workspaces again',
    },
  ]);
});

test('an installation that cannot be read hides none of the others; a storage that is away is a fault', async () => {
  const granted = { T1: new z.ZodError([]), T2: without('im:history') };
  expect(await logged(granted)).toMatchObject([{ fields: { lacking: ['T2'] } }]);
  await expect(logged({ T1: new StorageUnavailableError() })).rejects.toThrow(StorageUnavailableError);
});

test('the line names all of them, because each counts until it is granted its scopes', async () => {
  const ids = Array.from({ length: 150 }, (_, n) => `T${n}`);
  const granted = Object.fromEntries(ids.map((id) => [id, without('commands')]));
  expect(await logged(granted)).toMatchObject([{ fields: { installations: 150, lacking: ids } }]);
});

test('more scopes than needed, and none installed, are nothing to report', async () => {
  expect(await logged({ T1: [...SCOPES, 'files:read'] })).toEqual([]);
  expect(await logged({})).toEqual([]);
});

test('a bot that is told to stop reports nothing', async () => {
  expect(await logged({ T1: [] }, AbortSignal.abort())).toEqual([]);
});

/**
 * @param methods what Slack is asked
 * @param isNotRenewed whether Slack has refused the refresh token
 * @param stored returns the bot token that is stored by now, given that of the app
 */
async function checksWhereSlackSays(
  code: string,
  methods: readonly ('auth.test' | 'auth.teams.list')[],
  isNotRenewed: () => Promise<boolean>,
  stored = (token: string) => token,
) {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const agent = createSlackAgent();
  onTestFinished(() => agent.destroy());
  const api = { apiUrl: new URL(slack.apiUrl), logger: boltLogger(SILENT), send: sendOver(agent) };
  for (const on of methods) slack.faults.schedule({ on, fault: { type: 'error', code }, times: 2 });
  return createChecks({ token: async () => stored(slack.installation().token), isNotRenewed }, api);
}

test.each([
  ['token_expired', 'expired', async () => true],
  ['invalid_auth', 'refused', async () => true],
  ['fatal_error', 'unknown', async () => true],
  ['token_expired', 'unknown', () => Promise.reject(new StorageUnavailableError())],
])('a token that Slack does not renew, and of which it says %s, is %s', async (code, said, isNotRenewed) => {
  const { checkInstalled } = await checksWhereSlackSays(code, ['auth.test'], isNotRenewed);
  expect(await checkInstalled({ workspace: 'T1' })).toBe(said);
});

test.each([
  ['account_inactive', 'gone'],
  ['token_revoked', 'gone'],
  ['invalid_auth', 'refused'],
  ['token_expired', 'unknown'],
  ['fatal_error', 'unknown'],
])(
  'a token of which Slack says %s is %s, and says as much of the workspaces of an organization',
  async (code, said) => {
    const methods = ['auth.test', 'auth.teams.list'] as const;
    const { checkInstalled, listAccess } = await checksWhereSlackSays(code, methods, async () => false);
    expect(await checkInstalled({ workspace: 'T1' })).toBe(said);
    expect(await checkInstalled({ workspace: 'T1', organization: 'E1' })).toBe(said);
    // An empty list would mean that the organization has lost access to all its workspaces.
    expect(await listAccess('E1')).toBeUndefined();
  },
);

test.each([
  { organization: undefined, method: 'auth.test' as const },
  { organization: 'E1', method: 'auth.teams.list' as const },
])(
  'a token that was replaced while Slack was asked with it by $method says nothing of an installation',
  async ({ organization, method }) => {
    for (const code of ['token_revoked', 'account_inactive', 'invalid_auth']) {
      const replaced: string[] = [];
      const stored = (token: string) => {
        replaced.push(token);
        return replaced.length === 1 ? token : `${token}-replaced`;
      };
      const { checkInstalled } = await checksWhereSlackSays(code, [method], async () => true, stored);
      expect(await checkInstalled({ workspace: 'T1', ...(organization && { organization }) })).toBe(
        'unknown',
      );
    }
  },
);
