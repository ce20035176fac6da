import { describe, expect, test } from 'vitest';
import { TRANSPORT } from '../../../sandbox/environment.ts';
import { LINK_TIMINGS } from '../../../src/slack/transport/socket-link.ts';
import { startDesk } from '../../support/e2e/harness.ts';

const QUICK = { ...LINK_TIMINGS, backoffMs: 10, longestBackoffMs: 20 };

/** A bot that is at work, and whose connection was the n-th thing that happened. */
async function start(socket = QUICK) {
  const desk = await startDesk({ overrides: { socket } });
  const { n } = await desk.journal.waitFor({ kind: 'socket', name: 'connect' });
  const connectedAgain = () =>
    desk.journal.waitFor(
      (entry) => entry.kind === 'socket' && entry.name === 'connect' && !!entry.processed,
      {
        after: n,
      },
    );
  const readiness = async () => (await fetch(`${desk.url}/readyz`)).status;
  return { desk, connectedAgain, readiness };
}

describe.runIf(TRANSPORT === 'socket')('over Socket Mode', () => {
  test('nothing is lost when the connection drops between a question and its answer', async () => {
    const { desk, connectedAgain } = await start();
    await desk.ana.command('/cancel-order A-2001 Ordered twice', { channel: '#support' });
    await desk.ana.waitForModal();
    // The form is taken, and what says so is lost: the person presses the button again.
    desk.slack.faults.order({ on: 'socket.envelope', fault: { type: 'unanswered' } });
    expect((await desk.ana.submit()).outcome).toBe('trouble');
    await connectedAgain();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-2001', /reviewing/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('a connection that Slack recycles is left for a new one, and nobody notices', async () => {
    const { desk, connectedAgain } = await start();
    const held = desk.slack.faults.order({ on: 'users.info', fault: { type: 'hold', when: 'before' } });
    const asked = desk.ask('A-1001');
    await held.reached;
    desk.slack.sockets.askToLeave('refresh_requested');
    await connectedAgain();
    held.release();
    expect((await asked).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('the bot is not ready while it has no connection, works on all the same, and is ready again', async () => {
    const { desk, connectedAgain, readiness } = await start({ ...QUICK, downMs: 0 });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    expect(await readiness()).toBe(200);
    const away = desk.slack.faults.order({ on: 'socket.connect', fault: { type: 'drop' }, times: 1_000 });
    desk.slack.sockets.drop();
    await expect.poll(readiness).toBe(503);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    away.cancel();
    await connectedAgain();
    await expect.poll(readiness).toBe(200);
    expect((await desk.ask('A-1001')).outcome).toBe('closed');
  });
});
