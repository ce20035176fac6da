import { webApi } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { TokenDeadError, TokenRefusedError } from '../../../src/slack/client/access.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { createSingleInstallation } from '../../../src/slack/install/single-installation.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import {
  createTokenWorkspaces,
  type TokenWorkspaces,
} from '../../../src/workspaces/installation/token-workspace.ts';

const CLAIM = { owner: 'one' };
const WORKSPACE = { workspace: SEED.team };

async function startWithToken() {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const storage = openSqliteStorage(':memory:');
  onTestFinished(storage.close);
  const agent = createSlackAgent();
  onTestFinished(() => agent.destroy());
  const tokenWorkspaces = createTokenWorkspaces(storage.keyv('token_workspaces'));
  const api = { apiUrl: new URL(slack.apiUrl), logger: boltLogger(SILENT), send: sendOver(agent) };
  const installation = slack.installation();
  /** A process that starts with a token. */
  const start = (token = installation.token, failing: Partial<TokenWorkspaces> = {}) => {
    const stored = { ...tokenWorkspaces, ...failing };
    return createSingleInstallation(token, {
      api,
      tokenWorkspaces: stored,
      checkScopes: () => [],
      log: SILENT,
    });
  };
  return { slack, installation, tokenWorkspaces, start };
}

test('a dead token has the workspace that Slack named for it, and another one has none', async () => {
  const { installation, start } = await startWithToken();
  await start().prepare();
  installation.status = 'revoked';
  const installations = start();
  await expect(installations.prepare()).rejects.toThrow(TokenDeadError);
  expect(await Array.fromAsync(installations.ids())).toEqual([SEED.team]);
  const served = await installations.installed(WORKSPACE);
  expect(served).toMatchObject({ workspaces: [SEED.team] });
  // The generation is stored with the data of the workspace, and not sealed.
  expect(served?.generation).not.toContain(installation.token);
  expect(await installations.token(SEED.team)).toBe(installation.token);
  await expect(start('xoxb-of-nobody').prepare()).rejects.toThrow(TokenRefusedError);
});

test('who starts with a dead token is promised no day: it may have been reported long before, or the app uninstalled', async () => {
  const { installation, start } = await startWithToken();
  await start().prepare();
  installation.status = 'uninstalled';
  await expect(start().prepare()).rejects.toThrow(
    `all data of ${SEED.team} are removed, at the latest a day after the token was first found dead`,
  );
});

test('a dead token that Slack never accepted here is refused, and so is one that may be dead', async () => {
  const { installation, slack, start } = await startWithToken();
  installation.status = 'uninstalled';
  await expect(start().prepare()).rejects.toThrow(TokenRefusedError);
  installation.status = 'active';
  await start().prepare();
  slack.faults.schedule({ on: 'auth.test', fault: { type: 'error', code: 'invalid_auth' } });
  await expect(start().prepare()).rejects.toThrow(TokenRefusedError);
});

test('a workspace is stored until the end of the last sweep, also if other processes take the steps', async () => {
  const { installation, start } = await startWithToken();
  const one = start();
  await one.prepare();
  const other = start();
  await other.prepare();
  installation.status = 'uninstalled';
  await one.removeInstallation(WORKSPACE, CLAIM);
  expect(await one.installed(WORKSPACE)).toBeUndefined();
  expect(await Array.fromAsync(one.ids())).toEqual([]);
  await expect(start().prepare()).rejects.toThrow(TokenDeadError);
  expect(await other.servedBy(SEED.team)).toBeUndefined();
  expect(await other.installed(WORKSPACE)).toBeUndefined();
  await other.removeInstallation(WORKSPACE, CLAIM);
  await expect(start().prepare()).rejects.toThrow(TokenRefusedError);
});

test('a workspace is served by a token that Slack refuses, maybe only from this address', async () => {
  const { slack, start } = await startWithToken();
  const installations = start();
  await installations.prepare();
  slack.faults.schedule({ on: 'auth.test', fault: { type: 'error', code: 'invalid_auth' } });
  await expect(installations.servedBy(SEED.team)).rejects.toThrow('invalid_auth');
  expect(await installations.servedBy(SEED.team)).toBe(SEED.team);
  expect(await installations.servedBy('E0OTHER')).toBeUndefined();
});

test('what is stored of a workspace is forgotten with it, and not with another one', async () => {
  const { start, installation, tokenWorkspaces } = await startWithToken();
  await start().prepare();
  installation.status = 'uninstalled';
  await tokenWorkspaces.forget('T0OTHER');
  await expect(start().prepare()).rejects.toThrow(TokenDeadError);
  await tokenWorkspaces.forget(SEED.team);
  await expect(start().prepare()).rejects.toThrow(TokenRefusedError);
});

test('what a purge forgets beside a running bot is stored again by the search for missed uninstalls', async () => {
  const { start, installation, slack, tokenWorkspaces } = await startWithToken();
  const running = start();
  await running.prepare();
  await tokenWorkspaces.forget(SEED.team);
  slack.faults.schedule({ on: 'auth.test', fault: { type: 'error', code: 'internal_error' } });
  for (let days = 0; days < 2; days++) expect(await Array.fromAsync(running.ids())).toEqual([SEED.team]);
  installation.status = 'uninstalled';
  expect(await Array.fromAsync(running.ids())).toEqual([SEED.team]);
  await expect(start().prepare()).rejects.toThrow(TokenDeadError);
});

test('a former token that still works is not stored in place of that of another process', async () => {
  const { tokenWorkspaces, start } = await startWithToken();
  const former = start();
  await former.prepare();
  await tokenWorkspaces.learn({ generation: 'new', workspace: SEED.team, botUserId: 'UBOT' });
  expect(await Array.fromAsync(former.ids())).toEqual([SEED.team]);
  expect(await tokenWorkspaces.find('new')).toBeDefined();
});

test('a dead token removes nothing once another process has a new one', async () => {
  const { slack, installation, tokenWorkspaces, start } = await startWithToken();
  const former = start();
  await former.prepare();
  installation.status = 'uninstalled';
  const { token } = slack.admin.install(SEED.team);
  await start(token).prepare();
  expect(await former.installed(WORKSPACE)).toBeUndefined();
  expect(await former.servedBy(SEED.team)).toBe(SEED.team);
  for (let times = 0; times < 2; times++) await former.removeInstallation(WORKSPACE, CLAIM);
  slack.admin.revokeToken(SEED.team);
  await expect(start(token).prepare()).rejects.toThrow(TokenDeadError);
  expect(await tokenWorkspaces.isReplaced({ generation: 'former', workspace: 'T0OTHER' })).toBe(false);
});

test('a storage that is away or full keeps no bot from its start, and a dead token is not taken for one of nobody', async () => {
  const { installation, start } = await startWithToken();
  const fail = () => Promise.reject(new Error('The storage is away.'));
  expect(await start(installation.token, { learn: fail }).prepare()).toMatchObject(WORKSPACE);
  installation.status = 'revoked';
  await expect(start(installation.token, { find: fail }).prepare()).rejects.toThrow(
    webApi.WebAPIPlatformError,
  );
});

test('who removes what is stored stops as soon as another token is set for the workspace', async () => {
  const { tokenWorkspaces, installation, start } = await startWithToken();
  const installations = start();
  await installations.prepare();
  const claim = await installations.claimRemoval(SEED.team, 60_000);
  expect(await claim?.isHeld()).toBe(true);
  await tokenWorkspaces.learn({
    ...WORKSPACE,
    botUserId: installation.bot_user_id,
    generation: 'of the next token',
  });
  expect(await claim?.isHeld()).toBe(false);
});
