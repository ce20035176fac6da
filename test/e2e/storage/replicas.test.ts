/** What is changed at one of two bots over one storage is in force at the other with the next thing that somebody does. */
import { expect, test } from 'vitest';
import { startDesk } from '../../support/e2e/harness.ts';
import { hears, killTokens, told } from '../../support/e2e/refused-token.ts';
import { startSecondBot } from '../../support/e2e/second-bot.ts';

async function start(connected: boolean) {
  const desk = await startDesk({ connected });
  const { goToFirst, goToSecond } = await startSecondBot(desk);
  const { ana, olga } = desk;

  async function atSecond(change: () => Promise<unknown>): Promise<void> {
    goToSecond();
    await change();
    goToFirst();
  }

  const shows = (who: typeof ana, text: string) =>
    who.waitForModal(({ view }) => JSON.stringify(view).includes(text));

  return {
    ...desk,
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
  const { ana, ask, atSecond, connect, disconnect, reply, shows } = await start(false);
  const asksInVain = async () => {
    await ana.command('/cancel-order A-1002 x', { channel: '#support' });
    await shows(ana, 'This workspace is not connected');
    await ana.closeModal();
  };
  await asksInVain();
  await atSecond(connect);
  await ask('A-1001');
  await reply('A-1001', /is cancelled/);
  await atSecond(disconnect);
  await asksInVain();
});

test('settings are changed at one, and are followed at the other', async () => {
  const { ana, olga, atSecond, ask, reply, shows } = await start(true);
  await ask('A-1001');
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
  const desk = await startDesk();
  const hold = (order: string) =>
    desk.service.faults.order({
      on: 'cancel_order',
      where: (request) => JSON.stringify(request).includes(order),
      fault: { type: 'hold', when: 'before' },
    });
  const [first, second] = [hold('A-1001'), hold('A-1002')];
  const { goToSecond } = await startSecondBot(desk);
  await desk.ask('A-1001');
  await first.reached;
  goToSecond();
  await desk.ask('A-1002', { who: desk.ben });
  await second.reached;
  killTokens(desk);
  first.release();
  second.release();
  await desk.reply('A-1001', /refused this workspace's token/);
  await desk.reply('A-1002', /refused this workspace's token/);
  await hears(desk, 'olga');
  await hears(desk, 'oscar');
  await expect
    .poll(async () => (await (await desk.terminal()).storage.workspaceNotifications.due(5)).length)
    .toBe(0);
  expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
});
