/** Redis goes away, and with it the installations: what people do can't even be authorized. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { mustBeAFault, startWithItsRedis } from '../../support/e2e/redis-outage.ts';
import { needsRedis } from '../../support/redis/redis.ts';

describe('of an app that is installed by OAuth, with its Redis', () => {
  needsRedis(true);

  async function start(way: 'killed' | 'paused', transport: 'http' | 'socket') {
    const harness = await startWithItsRedis(way, { installing: 'oauth', transport });
    await openBrowser(harness).install();
    await harness.connect();
    harness.slack.admin.invite(SEED.channels.support, harness.slack.installation().bot_user_id);
    return harness;
  }

  test.each([
    ['killed', 'http'],
    ['killed', 'socket'],
    ['paused', 'http'],
  ] as const)('%s (%s), a command is answered with a sentence', async (way, transport) => {
    const harness = await start(way, transport);
    await harness.away();
    const { ephemerals, trouble } = await harness.ana.command('/countermand help', { channel: '#support' });
    expect(trouble).toBeUndefined();
    mustBeAFault(harness, ephemerals);
    await harness.back();
  });

  describe.each(['http', 'socket'] as const)('killed (%s)', (transport) => {
    test('a form is answered with a sentence above it, and can be sent again', async () => {
      const harness = await start('killed', transport);
      await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
      await harness.ana.waitForModal();
      await harness.away();
      const { outcome, modal } = await harness.ana.submit();
      expect(outcome).toBe('pushed');
      mustBeAFault(harness, modal?.view);
      await harness.back();
      await harness.ana.closeModal();
      expect((await harness.ana.submit()).outcome).toBe('closed');
      await harness.reply('A-1001', /is cancelled/);
    });

    test('a button and the menu of a message are answered with a sentence beneath the message', async () => {
      const harness = await start('killed', transport);
      await harness.cancelOrder('A-2001');
      await harness.reply('A-2001', /reviewing/);
      const { channel, ts } = await harness.card('A-2001');
      await harness.away();
      await harness.ana.click('Record the outcome', { channel, ts });
      mustBeAFault(harness, await harness.ana.waitForEphemeral());
      await harness.ben.messageShortcut('message_cancel_order', { channel, ts });
      mustBeAFault(harness, await harness.ben.waitForEphemeral());
      await harness.back();
    });
  });
});
