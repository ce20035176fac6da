import { describe, expect, test } from 'vitest';
import {
  buttonsOf,
  IN_APPROVALS,
  read,
  setPolicy,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

const HOUR = 3_600_000;

describe('a request that nobody decides about', () => {
  /** It has two hours. */
  async function waiting(policy: object) {
    const clock = shiftedClock();
    const harness = await startAwaitingApproval({ expiresAfterMs: 2 * HOUR, ...policy }, clock.options);
    return { ...harness, pass: clock.pass };
  }

  test('expires: nothing is sent, and the requester reads what to do', async () => {
    const harness = await waiting({ ...IN_APPROVALS, quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.pass(2 * HOUR);
    const reply = await harness.reply('A-1001', /not approved in time/);
    expect(reply.text).toBe(
      `<@${harness.ana.id}>: The request was not approved in time (1 of 2: Cara Conti), and nothing was sent.`,
    );
    const ended = buttonsOf(await harness.reads(harness.message, 'Expired'));
    expect(ended.filter((text) => text !== 'Request again')).toEqual([]);
    harness.dev.react(YES, harness.message);
    expect((await harness.dev.waitForEphemeral()).text).toMatch(/not counted.*not approved in time/);
    expect(harness.calls()).toBe(0);
    // It can be requested again.
    expect((await harness.cancelOrder('A-1001', { who: harness.ben })).outcome).toBe('closed');
  });

  test.each([
    ['where it was asked', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])('has the approvers reminded once, at half of the time, in its thread (%s)', async (_name, shown) => {
    const harness = await waiting({ ...shown, reminds: true });
    harness.pass(HOUR);
    const reminder = await harness.slack.waitForMessage({
      channel: harness.message.channel,
      thread_ts: harness.message.ts,
      text: /still needs approval \(0 of 1\)\. Expires/,
    });
    expect(reminder.text).toMatch(/^<@U\w+> and <@U\w+>: This/);
    const votedOn = `/archives/${harness.message.channel}/p${harness.message.ts.replace('.', '')}`;
    expect(reminder.text).toMatch(
      new RegExp(
        `Vote on <https:[^|]+${votedOn}\\S*\\|the message that .+>: reactions to this one do not count`,
      ),
    );
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
    harness.pass(HOUR);
    await harness.reads(harness.message, 'Expired');
    expect(read(harness, harness.message).match(/still needs approval/g)).toHaveLength(1);
  });

  test('reminds by a mention whoever has not voted, and names who has', async () => {
    const harness = await waiting({ quorum: 2, reminds: true });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.pass(HOUR);
    const reminder = await harness.slack.waitForMessage({ text: /still needs approval/ });
    expect(reminder.text).toMatch(new RegExp(`^<@${harness.dev.id}>: .+\\(1 of 2: Cara Conti\\)`));
  });

  test('has nobody reminded where too few are left to approve it', async () => {
    const harness = await waiting({ quorum: 2, reminds: true });
    harness.slack.admin.deactivate(harness.dev.id);
    // What is known of a person is cached for a minute.
    await harness.restart();
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, 'There are not enough approvers besides');
    await setPolicy(harness, { expiresAfterMs: 2 * HOUR, reminds: true });
    await harness.cancelOrder('A-1002');
    await harness.votedOn('A-1002');
    harness.pass(HOUR);
    await harness.reply('A-1002', /still needs approval/);
    harness.pass(HOUR);
    await harness.reads(harness.message, 'Expired');
    expect(read(harness, harness.message)).not.toContain('still needs approval');
  });

  test('has an admin told in place of a reminder where the only approvers were deactivated', async () => {
    const harness = await waiting({ reminds: true });
    for (const { id } of [harness.cara, harness.dev]) harness.slack.admin.deactivate(id);
    // What is known of a person is cached for a minute.
    await harness.restart();
    harness.pass(HOUR);
    await harness.reads(harness.message, 'There are not enough approvers besides');
    expect((await harness.olga.waitForDirectMessage()).text).toContain('There are not enough approvers');
    harness.pass(HOUR);
    await harness.reads(harness.message, 'Expired');
    expect(read(harness, harness.message)).not.toContain('still needs approval');
  });

  test('has nobody reminded where the policy does not want it', async () => {
    const harness = await waiting({});
    harness.pass(1.5 * HOUR);
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect(read(harness, harness.message)).not.toContain('still needs approval');
  });

  test('has nobody reminded once it is decided', async () => {
    const harness = await waiting({ reminds: true });
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    await harness.cara.submit();
    await harness.reply('A-1001', /declined/);
    await harness.cancelOrder('A-1002');
    await harness.votedOn('A-1002');
    harness.pass(HOUR);
    await harness.reply('A-1002', /still needs approval/);
    expect(read(harness, harness.message)).not.toContain('still needs approval');
  });

  test('expires, and has them reminded, though the bot is stopped meanwhile', async () => {
    const harness = await waiting({ ...IN_APPROVALS, reminds: true });
    /** An hour goes by while there is no bot. */
    const passStopped = () => harness.restart(undefined, () => harness.pass(HOUR));
    await passStopped();
    await harness.slack.waitForMessage({ thread_ts: harness.message.ts, text: /still needs approval/ });
    expect(read(harness, harness.message)).not.toContain('Expired');
    await passStopped();
    await harness.reads(harness.message, 'Expired');
    expect(read(harness, harness.message).match(/still needs approval/g)).toHaveLength(1);
    await harness.reply('A-1001', /not approved in time/);
  });

  test('is decided by votes from before and after a restart', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    await harness.restart();
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(1);
  });
});

describe('"Retry" of what was approved', () => {
  /** Approved by Cara, and refused by the service. */
  async function refused(policy = {}) {
    const clock = shiftedClock();
    const harness = await startAwaitingApproval({ expiresAfterMs: HOUR, ...policy }, clock.options);
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /refused the request/);
    const failed = await harness.reads(await harness.card('A-1001'), 'Refused by the order service');
    return { ...harness, pass: clock.pass, failed };
  }

  test('needs no approval again while the approval is fresh', async () => {
    const harness = await refused();
    harness.pass(HOUR - 60_000);
    await harness.ana.click('Retry', harness.failed);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(2);
  });

  test('needs approval again after the expire time, and the votes of before do not count', async () => {
    const harness = await refused({ ...IN_APPROVALS, quorum: 1 });
    harness.pass(HOUR + 60_000);
    await harness.ana.click('Retry', harness.failed);
    await harness.reads(harness.message, /Awaiting approval/i);
    await harness.reads(harness.message, '(0 of 1).');
    await harness.shows('A-1001', /The request is not sent again until there is 1 approval/);
    expect(harness.calls()).toBe(1);
    expect(buttonsOf(await harness.reads(harness.message, 'React with'))).toContain('Approve');
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(2);
    // The thread of the vote says that approval is needed again, unless somebody was faster.
    const replies = (await harness.replies('A-1001')).filter(
      (text) => !/wants to send th(is|e) request again/.test(text),
    );
    expect(replies).toEqual([
      expect.stringContaining('Approved by Cara Conti'),
      expect.stringContaining('refused the request'),
      expect.stringContaining('Approved by Dev Das'),
      expect.stringContaining('is cancelled'),
    ]);
  });

  test('that needs approval again says so when it is declined', async () => {
    const harness = await refused();
    harness.pass(HOUR + 60_000);
    await harness.ana.click('Retry', harness.failed);
    await harness.reads(harness.message, '(0 of 1).');
    await harness.dev.click('Decline', harness.message);
    await harness.dev.waitForModal({ callback: 'decline' });
    await harness.dev.submit();
    await harness.reply('A-1001', /declined the request, and the request was not sent again/);
    expect(harness.calls()).toBe(1);
  });

  test('goes by the policy that is in force by then', async () => {
    const harness = await refused();
    await setPolicy(harness, { approvers: { type: 'people', people: [harness.ben.id] } });
    harness.pass(HOUR + 60_000);
    await harness.ana.click('Retry', harness.failed);
    await harness.shows('A-1001', new RegExp(`Waiting for <@${harness.ben.id}>`));
    await harness.cara.click('Approve', harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toContain('Your vote does not count');
    await harness.ben.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });
});

describe('"Retry" of what needed no approval', () => {
  test('needs it, once a policy is set', async () => {
    const harness = await startAwaitingApproval();
    await harness.ana.click('Withdraw', harness.message);
    const { settings } = await harness.terminal();
    const { policies } = await settings.read((await harness.record('A-1001')).workspace);
    await settings.change((await harness.record('A-1001')).workspace, { policies: {} });
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /refused the request/);
    await settings.change((await harness.record('A-1001')).workspace, { policies });
    await harness.ana.click('Retry', await harness.shows('A-1002', /refused the request/));
    await harness.shows('A-1002', /Waiting for/);
    await harness.cara.click('Approve', await harness.votedOn('A-1002'));
    await harness.reply('A-1002', /is cancelled/);
    expect(harness.service.calls({ orderId: 'A-1002' })).toHaveLength(2);
  });
});
