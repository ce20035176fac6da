import { expect, test } from 'vitest';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createTokenStates } from '../../src/metrics/observe-log.ts';

function setUp() {
  let now = 1_000;
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const states = createTokenStates(metrics, () => now++);
  const refused = async () => {
    const { values } = await metrics.slackTokens.get();
    return values.find(({ labels }) => labels['state'] === 'refused')?.value;
  };
  return { states, refused };
}

const REFUSED = 'slack_token_refused';

test('a refused token counts until this process hears of it, or the app is installed there again or no more', async () => {
  const { states, refused } = setUp();
  for (const id of ['T1', 'T2', 'T3']) states.note(REFUSED, { workspace: id });
  states.note(REFUSED, { organization: 'E1' });
  states.note('slack_token_accepted', { workspace: 'T1' });
  expect(await refused()).toBe(3);
  const installed = new Map([
    ['T2', 1_000],
    ['T3', 5_000],
  ]);
  await states.recheck(async (id) => installed.get(id));
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
