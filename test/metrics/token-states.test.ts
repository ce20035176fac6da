import { expect, test } from 'vitest';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createTokenStates } from '../../src/metrics/observe-log.ts';

function setUp() {
  let now = 1_000;
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const states = createTokenStates(metrics, () => now++);
  const shown = async (state: string) => {
    const { values } = await metrics.slackTokens.get();
    return values.find(({ labels }) => labels['state'] === state)?.value;
  };
  return {
    states,
    refused: () => shown('refused'),
    notRenewed: () => shown('not_renewed'),
    lacksScopes: () => shown('lacks_scopes'),
  };
}

const REFUSED = 'slack_token_refused';

test('a refused token counts until this process hears of it, or the app is installed there again or no more', async () => {
  const { states, refused } = setUp();
  for (const id of ['T1', 'T2', 'T3']) states.note(REFUSED, { workspace: id });
  states.note(REFUSED, { organization: 'E1' });
  states.note('slack_token_accepted', { workspace: 'T1' });
  expect(await refused()).toBe(3);
  const installed = new Map([
    ['T2', { installedAt: 1_000 }],
    ['T3', { installedAt: 5_000 }],
  ]);
  await states.recheck(async (id) => installed.get(id));
  expect(await refused()).toBe(1);
});

test('a token that was refused because it had expired counts until any replica has renewed it', async () => {
  const { states, refused } = setUp();
  states.note(REFUSED, { workspace: 'T1', code: 'token_expired' });
  states.note(REFUSED, { workspace: 'T2', code: 'token_revoked' });
  await states.recheck(async () => ({ installedAt: 1, expiresAt: 999 }));
  expect(await refused()).toBe(2);
  await states.recheck(async () => ({ installedAt: 1, expiresAt: 9_999 }));
  expect(await refused()).toBe(1);
});

test('a token of no installation, and one that is refused again meanwhile, stay', async () => {
  const { states, refused } = setUp();
  states.note(REFUSED, { name: 'SLACK_APP_TOKEN' });
  states.note(REFUSED, { workspace: 'T1' });
  await states.recheck(async (id) => {
    states.note(REFUSED, { workspace: id });
    return undefined;
  });
  expect(await refused()).toBe(2);
});

test('a token that Slack did not renew counts until any replica has renewed it', async () => {
  const { states, notRenewed } = setUp();
  for (const id of ['T1', 'T2']) states.note('slack_token_not_renewed', { workspace: id });
  const refused = new Map([
    ['T1', { installedAt: 1, refusedAt: 999 }],
    ['T2', { installedAt: 1, refusedAt: 999 }],
  ]);
  await states.recheck(async (id) => refused.get(id));
  expect(await notRenewed()).toBe(2);
  await states.recheck(async (id) => (id === 'T2' ? { installedAt: 1 } : refused.get(id)));
  expect(await notRenewed()).toBe(1);
});

test('a token that was refused and is renewed counts no more', async () => {
  const { states, refused } = setUp();
  states.note(REFUSED, { workspace: 'T1' });
  states.note('slack_token_renewed', { workspace: 'T1' });
  expect(await refused()).toBe(0);
});

test('tokens that lack scopes count until they are granted, or the app is uninstalled or installed again', async () => {
  const { states, lacksScopes } = setUp();
  states.note('slack_scopes_missing', { lacking: ['T1', 'T2', 'T3', 'E1'] });
  expect(await lacksScopes()).toBe(4);
  states.note('slack_scopes_granted', { workspace: 'T1' });
  expect(await lacksScopes()).toBe(3);
  states.note('uninstalled', { workspace: 'T2' });
  states.note('installed', { organization: 'E1' });
  expect(await lacksScopes()).toBe(1);
});
