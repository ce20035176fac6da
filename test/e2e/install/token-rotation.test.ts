import { describe, expect, test } from 'vitest';
import { startSecondBot } from '../../support/e2e/bot.ts';
import { type HarnessOptions, startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { eventually } from '../../support/time/eventually.ts';

const HALF_A_DAY = 43_200;

/** Installed with a token that lasts so long. @param next how long those after it last */
async function startWithToken(seconds: number, next = HALF_A_DAY, more: HarnessOptions = {}) {
  const harness = await startHarness({
    ...more,
    installing: 'oauth',
    slack: { tokenRotation: true },
    // The sweep finds the notices, which nothing wakes.
    overrides: { runner: { sweepMs: 20 } },
  });
  const { slack, journal, ana } = harness;
  slack.admin.setApp({ tokenLifetimeSeconds: seconds });
  await openBrowser(harness).install();
  slack.admin.setApp({ tokenLifetimeSeconds: next });
  const first = slack.installation().token;
  const refreshes = () =>
    journal.entries(
      ({ name, request }) => name === 'oauth.v2.access' && JSON.stringify(request).includes('refresh_token'),
    );
  return {
    ...harness,
    first,
    refreshes,
    /** Opens a form, for which the bot needs its token. */
    async use() {
      await ana.command('/countermand history', { channel: '#support' });
      await ana.waitForModal(({ title }) => title === 'Requests');
      await ana.closeModal();
    },
  };
}

test('a token that lasts long is not replaced', async () => {
  const harness = await startWithToken(HALF_A_DAY);
  await harness.use();
  expect(harness.slack.installation().token).toBe(harness.first);
  expect(harness.refreshes()).toHaveLength(0);
});

test('a token that ends within two hours is replaced once, while people go on working with it', async () => {
  const harness = await startWithToken(3_600);
  const held = harness.slack.faults.schedule({
    on: 'oauth.v2.access',
    fault: { type: 'hold', when: 'before' },
  });
  await harness.use();
  await held.reached;
  await harness.use();
  held.release();
  await eventually(() => expect(harness.logged.text()).toContain('Slack token renewed'));
  expect(harness.slack.installation().token).not.toBe(harness.first);
  harness.slack.world.accessTokens.delete(harness.first);
  await harness.use();
  await harness.restart();
  await harness.use();
  expect(harness.refreshes()).toHaveLength(1);
});

test('a bot that is told to stop while its token is replaced waits for the new one, and keeps it', async () => {
  const harness = await startWithToken(3_600);
  const held = harness.slack.faults.schedule({
    on: 'oauth.v2.access',
    fault: { type: 'hold', when: 'after' },
  });
  await harness.use();
  await held.reached;
  const restarted = harness.restart();
  await eventually(async () => {
    const answers = await fetch(`${harness.url}/healthz`).then(
      () => true,
      () => false,
    );
    expect(answers).toBe(false);
  });
  held.release();
  await restarted;
  harness.slack.world.accessTokens.delete(harness.first);
  await harness.use();
  expect(harness.refreshes()).toHaveLength(1);
});

describe('over Redis', () => {
  needsRedis();

  test('two bots that need a new token at once get it once, and both work with it', async () => {
    const harness = await startWithToken(60, 60, { storage: 'redis' });
    // The welcome message comes back as an event, for which the bot gets a new token; then it lets Slack alone for a minute.
    await harness.journal.waitFor(
      ({ kind, name, response }) => kind === 'event' && name === 'message' && response !== undefined,
    );
    await harness.restart();
    const { goToSecond } = await startSecondBot(harness);
    const before = harness.refreshes().length;
    harness.slack.admin.setApp({ tokenLifetimeSeconds: HALF_A_DAY });
    const held = harness.slack.faults.schedule({
      on: 'oauth.v2.access',
      fault: { type: 'hold', when: 'before' },
    });
    const uses = [harness.ben.command('/countermand status A-1001', { channel: '#support' })];
    await held.reached;
    goToSecond();
    uses.push(harness.ana.command('/countermand status A-1001', { channel: '#support' }));
    held.release();
    await Promise.all(uses);
    await harness.ana.waitForEphemeral();
    await harness.ben.waitForEphemeral();
    expect(harness.refreshes()).toHaveLength(before + 1);
  });
});

test('the admins read once that Slack does not renew the token, until when it works, and where to install Countermand', async () => {
  const harness = await startWithToken(3_600);
  const { olga, slack } = harness;
  const fault = { type: 'error', code: 'invalid_refresh_token' } as const;
  slack.faults.schedule({ on: 'oauth.v2.access', fault, times: 99 });
  for (let uses = 0; uses < 2; uses++) await harness.use();
  const read = await olga.waitForDirectMessage(({ text }) => text.includes('no longer renews'));
  expect(read.text).toMatch(/stops working here <!date\^\d+\^.*\/slack\/install/);
  await harness.restart();
  await harness.use();
  expect(olga.directMessages().filter(({ text }) => text.includes('no longer renews'))).toHaveLength(1);
});

test('while Slack gives no new token the former one is worked with, the log says so, and Slack is left alone for a while', async () => {
  const harness = await startWithToken(60);
  const fault = { type: 'error', code: 'ratelimited' } as const;
  harness.slack.faults.schedule({ on: 'oauth.v2.access', fault, times: 99 });
  await harness.use();
  expect(harness.logged.text()).toContain('expiring Slack token not renewed');
  await harness.use();
  expect(harness.refreshes()).toHaveLength(1);
  harness.slack.faults.clear();
  await harness.restart();
  await harness.use();
  expect(harness.slack.installation().token).not.toBe(harness.first);
});
