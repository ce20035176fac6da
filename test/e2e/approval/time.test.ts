import { describe, expect, test } from 'vitest';
import {
  askedForApproval,
  buttonsOf,
  IN_APPROVALS,
  read,
  setPolicy,
  shiftedClock,
} from '../../support/e2e/approvals.ts';

const YES = 'white_check_mark';
const HOUR = 3_600_000;

const WHERE: [string, object][] = [
  ['where it was asked', {}],
  ['in the approvals channel', IN_APPROVALS],
];

describe('a request that nobody decides about', () => {
  /** It has two hours. */
  async function waiting(policy: object) {
    const clock = shiftedClock();
    const desk = await askedForApproval({ expiresAfterMs: 2 * HOUR, ...policy }, clock.options);
    return { ...desk, pass: clock.pass };
  }

  test.each(WHERE)(
    'expires: nothing is sent, and whoever asked reads what to do (%s)',
    async (_name, shown) => {
      const desk = await waiting({ ...shown, quorum: 2 });
      desk.cara.react(YES, desk.message);
      await desk.reads(desk.message, '1 of 2');
      desk.pass(2 * HOUR);
      const reply = await desk.reply('A-1001', /not approved in time/);
      expect(reply.text).toBe(
        `<@${desk.ana.id}>: The request was not approved in time (1 of 2: Cara Conti), and nothing was sent. Request it again with /cancel-order if you still want it.`,
      );
      expect(buttonsOf(await desk.reads(desk.message, 'Expired'))).toEqual([]);
      desk.dev.react(YES, desk.message);
      expect((await desk.dev.waitForEphemeral()).text).toMatch(/came too late.*not approved in time/);
      expect(desk.calls()).toBe(0);
      // It is free to be asked for again.
      expect((await desk.ask('A-1001', { who: desk.ben })).outcome).toBe('closed');
    },
  );

  test.each(WHERE)(
    'has the approvers reminded once, at half of the time, in its thread (%s)',
    async (_name, shown) => {
      const desk = await waiting({ ...shown, reminds: true });
      desk.pass(HOUR);
      const reminder = await desk.slack.waitForMessage({
        channel: desk.message.channel,
        thread_ts: desk.message.ts,
        text: /still needs approval \(0 of 1\)\. Expires/,
      });
      expect(reminder.text).toMatch(/^<!subteam\^/);
      expect((await desk.record('A-1001')).state).toBe('awaiting_approval');
      desk.pass(HOUR);
      await desk.reads(desk.message, 'Expired');
      expect(read(desk, desk.message).match(/still needs approval/g)).toHaveLength(1);
    },
  );

  test('has nobody reminded where the policy does not want it', async () => {
    const desk = await waiting({});
    desk.pass(1.5 * HOUR);
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    expect(read(desk, desk.message)).not.toContain('still needs approval');
  });

  test('has nobody reminded once it is decided', async () => {
    const desk = await waiting({ reminds: true });
    await desk.cara.click('Decline', desk.message);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await desk.cara.submit();
    await desk.reply('A-1001', /declined/);
    await desk.ask('A-1002');
    await desk.votedOn('A-1002');
    desk.pass(HOUR);
    await desk.reply('A-1002', /still needs approval/);
    expect(read(desk, desk.message)).not.toContain('still needs approval');
  });

  test.each(WHERE)(
    'expires, and has them reminded, though the bot is stopped meanwhile (%s)',
    async (_name, shown) => {
      const desk = await waiting({ ...shown, reminds: true });
      /** An hour goes by while there is no bot. */
      const passStopped = () => desk.restart(undefined, () => desk.pass(HOUR));
      await passStopped();
      await desk.slack.waitForMessage({ thread_ts: desk.message.ts, text: /still needs approval/ });
      expect(read(desk, desk.message)).not.toContain('Expired');
      await passStopped();
      await desk.reads(desk.message, 'Expired');
      expect(read(desk, desk.message).match(/still needs approval/g)).toHaveLength(1);
      await desk.reply('A-1001', /not approved in time/);
    },
  );

  test('is decided by votes from before and after a restart', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    await desk.restart();
    desk.dev.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(1);
  });
});

describe('"Retry" of what was approved', () => {
  /** Approved by Cara, and refused by the service. */
  async function refused(policy = {}) {
    const clock = shiftedClock();
    const desk = await askedForApproval({ expiresAfterMs: HOUR, ...policy }, clock.options);
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /refused the request/);
    const failed = await desk.reads(await desk.card('A-1001'), 'refused the request');
    return { ...desk, pass: clock.pass, failed };
  }

  test('needs no approval again while the approval is fresh', async () => {
    const desk = await refused();
    desk.pass(HOUR - 60_000);
    await desk.ana.click('Retry', desk.failed);
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(2);
  });

  test.each(WHERE)(
    'needs approval again after the expire time, and the votes of before do not count (%s)',
    async (_name, shown) => {
      const desk = await refused({ ...shown, quorum: 1 });
      desk.pass(HOUR + 60_000);
      await desk.ana.click('Retry', desk.failed);
      await desk.reads(desk.message, 'Awaiting approval');
      await desk.reads(desk.message, '(0 of 1).');
      await desk.shows('A-1001', /The request is not sent again until they approve/);
      expect(desk.calls()).toBe(1);
      expect(buttonsOf(await desk.reads(desk.message, 'React with'))).toContain('Approve');
      await desk.dev.click('Approve', desk.message);
      await desk.reply('A-1001', /is cancelled/);
      expect(desk.calls()).toBe(2);
      // That it needs approval again is told where it was voted on, unless somebody was faster.
      const replies = (await desk.replies('A-1001')).filter(
        (text) => !/wants to send this request again/.test(text),
      );
      expect(replies).toEqual([
        expect.stringContaining('Approved by Cara Conti'),
        expect.stringContaining('refused the request'),
        expect.stringContaining('Approved by Dev Das'),
        expect.stringContaining('is cancelled'),
      ]);
    },
  );

  test('that needs approval again says so when it is denied', async () => {
    const desk = await refused();
    desk.pass(HOUR + 60_000);
    await desk.ana.click('Retry', desk.failed);
    await desk.reads(desk.message, '(0 of 1).');
    await desk.dev.click('Decline', desk.message);
    await desk.dev.waitForModal(({ callback_id }) => callback_id === 'decline');
    await desk.dev.submit();
    await desk.reply('A-1001', /declined the request, and it was not sent again/);
    expect(desk.calls()).toBe(1);
  });

  test('goes by the policy that is in force by then', async () => {
    const desk = await refused();
    await setPolicy(desk, { approvers: { type: 'people', people: [desk.ben.id] } });
    desk.pass(HOUR + 60_000);
    await desk.ana.click('Retry', desk.failed);
    await desk.shows('A-1001', new RegExp(`Waiting for <@${desk.ben.id}>`));
    await desk.cara.click('Approve', desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toContain('Your vote does not count');
    await desk.ben.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });
});

describe('"Retry" of what needed no approval', () => {
  test('needs it, once a policy is set', async () => {
    const desk = await askedForApproval();
    await desk.ana.click('Withdraw', desk.message);
    const { settings } = await desk.terminal();
    const { policies } = await settings.read((await desk.record('A-1001')).workspace);
    await settings.change((await desk.record('A-1001')).workspace, { policies: {} });
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await desk.ask('A-1002');
    await desk.reply('A-1002', /refused the request/);
    await settings.change((await desk.record('A-1001')).workspace, { policies });
    await desk.ana.click('Retry', await desk.shows('A-1002', /refused the request/));
    await desk.shows('A-1002', /Waiting for/);
    await desk.cara.click('Approve', await desk.votedOn('A-1002'));
    await desk.reply('A-1002', /is cancelled/);
    expect(desk.service.calls({ orderId: 'A-1002' })).toHaveLength(2);
  });
});
