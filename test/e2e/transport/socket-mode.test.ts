import { describe, expect, test } from 'vitest';
import { TRANSPORT } from '../../../sandbox/environment.ts';
import { LINK_TIMINGS } from '../../../src/slack/transport/socket-link.ts';
import { startHarness } from '../../support/e2e/harness.ts';

const QUICK = { ...LINK_TIMINGS, backoffMs: 10, longestBackoffMs: 20 };

/** A bot that is at work, and whose connection was the n-th thing that happened. */
async function start(socket = QUICK) {
  const harness = await startHarness({ overrides: { socket } });
  const { n } = await harness.journal.waitFor({ kind: 'socket', name: 'connect' });
  const connectedAgain = () =>
    harness.journal.waitFor(
      (entry) => entry.kind === 'socket' && entry.name === 'connect' && !!entry.processed,
      {
        after: n,
      },
    );
  const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;
  return { harness, connectedAgain, readiness };
}

describe.runIf(TRANSPORT === 'socket')('over Socket Mode', () => {
  test('nothing is lost when the connection drops between a question and its answer', async () => {
    const { harness, connectedAgain } = await start();
    await harness.ana.command('/cancel-order A-2001 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();
    // The form is taken, and what says so is lost: the person presses the button again.
    harness.slack.faults.schedule({ on: 'socket.envelope', fault: { type: 'unanswered' } });
    expect((await harness.ana.submit()).outcome).toBe('trouble');
    await connectedAgain();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-2001', /reviewing/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('a connection that Slack recycles is left for a new one, and nobody notices', async () => {
    const { harness, connectedAgain } = await start();
    const held = harness.slack.faults.schedule({ on: 'users.info', fault: { type: 'hold', when: 'before' } });
    const submitted = harness.cancelOrder('A-1001');
    await held.reached;
    harness.slack.sockets.askToLeave('refresh_requested');
    await connectedAgain();
    held.release();
    expect((await submitted).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('the bot is not ready while it has no connection, works on all the same, and is ready again', async () => {
    const { harness, connectedAgain, readiness } = await start({ ...QUICK, downMs: 0 });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    expect(await readiness()).toBe(200);
    const away = harness.slack.faults.schedule({
      on: 'socket.connect',
      fault: { type: 'drop' },
      times: 1_000,
    });
    harness.slack.sockets.drop();
    await expect.poll(readiness).toBe(503);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    away.cancel();
    await connectedAgain();
    await expect.poll(readiness).toBe(200);
    expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
  });
});
