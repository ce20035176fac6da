/** A change made at one of two bots over one storage applies at the other from the next action on. */
import { expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startSecondBot } from '../../support/e2e/bot.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openSettings } from '../../support/e2e/policy-modal.ts';
import { countNotices, killTokens, noticesPosted, waitForNotice } from '../../support/e2e/refused-token.ts';
import { isTold } from '../../support/e2e/told.ts';
import { needsRedis } from '../../support/redis/redis.ts';

needsRedis();

async function start(connected: boolean) {
  const harness = await startHarness({ connected, storage: 'redis' });
  const { goToFirst, goToSecond } = await startSecondBot(harness);
  const { ana, olga } = harness;

  async function atSecond(change: () => Promise<unknown>): Promise<void> {
    goToSecond();
    await change();
    goToFirst();
  }

  const shows = (who: typeof ana, text: string) => who.waitForModal({ text });

  return {
    ...harness,
    atSecond,
    shows,
    async disconnect() {
      await olga.command('/countermand disconnect', { channel: '#support' });
      await shows(olga, 'Nobody can make requests');
      await olga.submit();
      await shows(olga, 'This workspace is disconnected');
      await olga.closeModal();
    },
    async subBrands(name: string) {
      await ana.command('/sub-brands', { channel: '#support' });
      await shows(ana, name);
      await ana.closeModal();
    },
  };
}

test('a connection is made at one, and is there at the other; so is its end', async () => {
  const { ana, cancelOrder, atSecond, connect, disconnect, reply } = await start(false);
  const isRefused = async () => {
    await isTold(ana, '/cancel-order A-1002 x', 'This workspace is not connected');
  };
  await isRefused();
  await atSecond(connect);
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await atSecond(disconnect);
  await isRefused();
});

test('settings are changed at one, and are followed at the other', async () => {
  const { ana, olga, atSecond, cancelOrder, reply, shows } = await start(true);
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await atSecond(async () => {
    await olga.command('/countermand settings', { channel: '#support' });
    await olga.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
    await olga.submit({ order_id_pattern: 'B-####', reasons: 'Too dear' });
  });
  await ana.command('/cancel-order A-1002', { channel: '#support' });
  await shows(ana, 'Too dear');
  const { errors } = await ana.submit({ reason_choice: 'Too dear' });
  expect(errors).toEqual({ target: expect.stringContaining('should look like B-####') });
});

test('what a person requests at one counts at the other', async () => {
  const { ana, atSecond, cancelOrder, reply, terminal } = await start(true);
  const { settings } = await terminal();
  await settings.change(SEED.team, { requestsPerHour: 2 });
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await atSecond(async () => {
    await cancelOrder('A-1002');
    await reply('A-1002', /is cancelled/);
  });
  await isTold(ana, '/cancel-order A-1003 x', 'You have made 2 requests within an hour');
});

test('sending that is paused at one is paused at the other, and goes on at both', async () => {
  const { ana, atSecond, cancelOrder, reply, shows, olga } = await start(true);
  const press = async (button: string, answer: string) => {
    await openSettings({ olga });
    await olga.click(button);
    await shows(olga, answer);
    await olga.closeModal({ all: true });
  };
  await atSecond(() => press('Pause sending', 'Sending is paused.'));
  await isTold(ana, '/cancel-order A-1001 x', 'paused sending');
  await press('Resume sending', 'Sending is resumed.');
  await atSecond(() => cancelOrder('A-1001'));
  await reply('A-1001', /is cancelled/);
});

test('sub-brands that one has listed are listed anew once another has connected the workspace again', async () => {
  const { atSecond, connect, disconnect, service, subBrands } = await start(true);
  await subBrands('Acme Home');
  service.organization().subBrands = [{ id: 'sb-9', name: 'Acme Garden' }];
  await subBrands('Acme Home');
  await atSecond(async () => {
    await disconnect();
    await connect();
  });
  await subBrands('Acme Garden');
});

test('a token that dies at both at once is told to each admin once', async () => {
  const harness = await startHarness({ storage: 'redis' });
  const hold = (order: string) =>
    harness.service.faults.schedule({
      on: 'cancel_order',
      where: (request) => JSON.stringify(request).includes(order),
      fault: { type: 'hold', when: 'before' },
    });
  const [first, second] = [hold('A-1001'), hold('A-1002')];
  const { goToSecond } = await startSecondBot(harness);
  await harness.cancelOrder('A-1001');
  await first.reached;
  goToSecond();
  await harness.cancelOrder('A-1002', { who: harness.ben });
  await second.reached;
  killTokens(harness);
  first.release();
  second.release();
  await harness.reply('A-1001', /refused this workspace's token/);
  await harness.reply('A-1002', /refused this workspace's token/);
  await waitForNotice(harness, 'olga');
  await waitForNotice(harness, 'oscar');
  await noticesPosted(harness, 2);
  expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
});
