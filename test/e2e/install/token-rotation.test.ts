import { expect, test } from 'vitest';
import { startDesk } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { startSecondBot } from '../../support/e2e/second-bot.ts';
import { STORAGE } from '../../support/e2e/storage.ts';
import { eventually } from '../../support/time/eventually.ts';

const HALF_A_DAY = 43_200;

/** Installed with a token that lasts so long; those after it last half a day. */
async function startWithToken(seconds: number) {
  const desk = await startDesk({ installing: 'oauth', slack: { tokenRotation: true } });
  const { slack, journal, ana } = desk;
  slack.admin.setApp({ tokenLifetimeSeconds: seconds });
  await openBrowser(desk).install();
  slack.admin.setApp({ tokenLifetimeSeconds: HALF_A_DAY });
  const first = slack.installation().token;
  const refreshes = () =>
    journal.entries(
      ({ name, request }) => name === 'oauth.v2.access' && JSON.stringify(request).includes('refresh_token'),
    );
  return {
    ...desk,
    first,
    refreshes,
    /** Somebody opens something: the bot needs its token. */
    async use() {
      await ana.command('/countermand history', { channel: '#support' });
      await ana.waitForModal(({ view }) => !JSON.stringify(view).includes('…'));
      await ana.closeModal();
    },
  };
}

test('a token that lasts long is not replaced', async () => {
  const desk = await startWithToken(HALF_A_DAY);
  await desk.use();
  expect(desk.slack.installation().token).toBe(desk.first);
  expect(desk.refreshes()).toHaveLength(0);
});

test('a token that ends within two hours is replaced once, while people go on working with it', async () => {
  const desk = await startWithToken(3_600);
  const held = desk.slack.faults.order({ on: 'oauth.v2.access', fault: { type: 'hold', when: 'before' } });
  await desk.use();
  await held.reached;
  await desk.use();
  held.release();
  await eventually(() => expect(desk.logged.text()).toContain('Slack token renewed'));
  expect(desk.slack.installation().token).not.toBe(desk.first);
  desk.slack.world.accessTokens.delete(desk.first);
  await desk.use();
  await desk.restart();
  await desk.use();
  expect(desk.refreshes()).toHaveLength(1);
});

test('a bot that is told to stop while its token is replaced waits for the new one, and keeps it', async () => {
  const desk = await startWithToken(3_600);
  const held = desk.slack.faults.order({ on: 'oauth.v2.access', fault: { type: 'hold', when: 'after' } });
  await desk.use();
  await held.reached;
  const restarted = desk.restart();
  await eventually(async () => {
    const answers = await fetch(`${desk.url}/healthz`).then(
      () => true,
      () => false,
    );
    expect(!answers || desk.logged.text().includes('Countermand has stopped')).toBe(true);
  });
  held.release();
  await restarted;
  desk.slack.world.accessTokens.delete(desk.first);
  await desk.use();
  expect(desk.refreshes()).toHaveLength(1);
});

test.skipIf(STORAGE === 'sqlite')(
  'two bots that need a new token at once get it once, and both work with it',
  async () => {
    const desk = await startWithToken(60);
    const { goToSecond } = await startSecondBot(desk);
    const held = desk.slack.faults.order({ on: 'oauth.v2.access', fault: { type: 'hold', when: 'before' } });
    const uses = [desk.ben.command('/countermand help', { channel: '#support' })];
    await held.reached;
    goToSecond();
    uses.push(desk.ana.command('/countermand help', { channel: '#support' }));
    held.release();
    await Promise.all(uses);
    await desk.ana.waitForEphemeral();
    await desk.ben.waitForEphemeral();
    expect(desk.refreshes()).toHaveLength(1);
  },
);

test('while Slack gives no new token the former one is worked with, the log says so, and Slack is left alone for a while', async () => {
  const desk = await startWithToken(60);
  const fault = { type: 'error', code: 'ratelimited' } as const;
  desk.slack.faults.order({ on: 'oauth.v2.access', fault, times: 99 });
  await desk.use();
  expect(desk.logged.text()).toContain('expiring Slack token not renewed');
  await desk.use();
  expect(desk.refreshes()).toHaveLength(1);
  desk.slack.faults.clear();
  await desk.restart();
  await desk.use();
  expect(desk.slack.installation().token).not.toBe(desk.first);
});
