import { describe, expect, test } from 'vitest';
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import { LINK_TIMINGS } from '../../../src/slack/transport/socket-receiver.ts';
import { NO, startAwaitingApproval } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openPolicy } from '../../support/e2e/policy-modal.ts';

const QUICK = { ...LINK_TIMINGS, backoffMs: 10, longestBackoffMs: 20 };

/** A bot that is at work, and whose connection was the n-th thing that happened. */
async function start(socket = QUICK) {
  const harness = await startHarness({ transport: 'socket', overrides: { socket } });
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

describe('over Socket Mode', () => {
  test('a menu that asks for its choices gets them', async () => {
    const { harness } = await start();
    await openPolicy(harness);
    await fillPolicy(harness.olga, { approvers: 'people', shown_in: 'where_requested' });
    const { options } = await harness.olga.search('emoji_yes', 'sign');
    expect(options.map(({ value }) => value)).toEqual(['sign', 'no_entry_sign', 'octagonal_sign']);
  });

  test('a reaction counts, and a button opens a form, which is answered with its errors', async () => {
    const { cara, message, reply } = await startAwaitingApproval({}, { transport: 'socket' });
    cara.react(NO, message);
    const prompt = await cara.waitForDirectMessage(({ text }) => text.includes('You can add a reason'));
    await cara.click('Add a reason', prompt);
    await cara.waitForModal({ callback: 'add_reason' });
    expect((await cara.submit({ reason: '  ' })).errors).toEqual({ reason: 'Write a reason.' });
    expect((await cara.submit({ reason: 'It ships today' })).outcome).toBe('closed');
    await reply('A-1001', /added a reason for declining/);
  });

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

  test('the bot is not ready while it has no connection, works on all the same, and is ready again; the metrics say so', async () => {
    const { harness, connectedAgain, readiness } = await start({ ...QUICK, downMs: 0 });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    expect(await readiness()).toBe(200);
    expect(await harness.metrics()).toMatch(/^countermand_slack_reachable 1$/m);
    const away = harness.slack.faults.schedule({
      on: 'socket.connect',
      fault: { type: 'drop' },
      times: 1_000,
    });
    harness.slack.sockets.drop();
    await expect.poll(readiness).toBe(503);
    expect(await harness.metrics()).toMatch(/^countermand_slack_reachable 0$/m);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    away.cancel();
    await connectedAgain();
    await expect.poll(readiness).toBe(200);
    expect(await harness.metrics()).toMatch(/^countermand_slack_reachable 1$/m);
    expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
  });
});
