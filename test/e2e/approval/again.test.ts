import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  askedForApproval,
  buttonsOf,
  IN_APPROVALS,
  setPolicy,
  shiftedClock,
} from '../../support/e2e/approvals.ts';

const HOUR = 3_600_000;

/** Approved by Cara, and called: what came of it is `outcome`. Then time passes in which the approval grows old. */
async function oldApproval(
  policy: Parameters<typeof askedForApproval>[0],
  outcome: 'refused' | 'unanswered',
) {
  const clock = shiftedClock();
  const desk = await askedForApproval({ ...policy, expiresAfterMs: HOUR }, clock.options);
  const fault =
    outcome === 'refused' ? ({ type: 'status', status: 409 } as const) : ({ type: 'unanswered' } as const);
  desk.service.faults.order({ on: 'cancel_order', fault });
  await desk.cara.click('Approve', desk.message);
  const ended = await desk.shows('A-1001', outcome === 'refused' ? /refused the request/ : /may or may not/);
  clock.pass(HOUR + 60_000);
  return { ...desk, ended };
}

async function notReceived(desk: Awaited<ReturnType<typeof oldApproval>>) {
  await desk.ana.click('Record the outcome', desk.ended);
  await desk.ana.waitForModal(({ callback_id }) => callback_id === 'record_outcome');
  await desk.ana.submit({ outcome: 'not_received' });
  return desk.shows('A-1001', /Waiting for/);
}

describe('what is sent again, and needs approval again', () => {
  test('is told to the approvers once more, in the thread of what they have seen', async () => {
    const desk = await oldApproval({}, 'refused');
    await desk.ana.click('Retry', desk.ended);
    await desk.shows('A-1001', /Waiting for/);
    await desk.reply('A-1001', /wants to send this request again, and it needs your approval \(0 of 1\)/);
  });

  test('hears what the service says of the first call, and is not sent twice', async () => {
    const desk = await oldApproval({}, 'unanswered');
    const card = await notReceived(desk);
    const data = { orderId: 'A-1001', status: 'denied', updatedAt: new Date().toISOString() };
    await desk.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    await desk.reply('A-1001', /is not cancelled: the review denied the request/);
    await desk.dev.click('Approve', card).catch(() => {});
    expect(desk.calls()).toBe(1);
    expect(buttonsOf(await desk.shows('A-1001', /the review denied/))).toEqual([]);
  });

  test('is shown in the approvals channel that is set by then', async () => {
    const desk = await oldApproval(IN_APPROVALS, 'refused');
    const { team, users } = SEED;
    const members = [users.cara, users.dev, desk.slack.installation().bot_user_id];
    const other = desk.slack.admin.addChannel({
      team_id: team,
      name: 'approvals-2',
      kind: 'private',
      members,
    });
    await setPolicy(desk, { ...IN_APPROVALS, channel: other.id });
    await desk.ana.click('Retry', desk.ended);
    const approvalMessage = await desk.slack.waitForMessage({
      channel: other.id,
      text: /Cancel order A-1001/,
    });
    expect(buttonsOf(approvalMessage)).toContain('Approve');
    await desk.dev.click('Approve', approvalMessage);
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(2);
  });

  test('is shown to the approvers again where what they saw is known to be deleted', async () => {
    const clock = shiftedClock();
    const desk = await askedForApproval({ ...IN_APPROVALS, expiresAfterMs: HOUR }, clock.options);
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    const held = desk.slack.faults.order({
      on: 'chat.update',
      where: { channel: desk.message.channel },
      // The first one says that the approvers are being checked.
      skip: 1,
      fault: { type: 'hold', when: 'before' },
    });
    await desk.cara.click('Approve', desk.message);
    await held.reached;
    desk.olga.deleteMessage(desk.message);
    held.release();
    await expect
      .poll(async () => (await desk.record('A-1001')).approval?.approvalMessage?.delivery.status)
      .toBe('given_up');
    clock.pass(HOUR + 60_000);
    await desk.ana.click('Retry', await desk.shows('A-1001', /refused the request/));
    const approvalMessage = await desk.slack.waitForMessage({ channel: '#approvals', text: /Waiting for/ });
    await desk.dev.click('Approve', approvalMessage);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('is not approved by whoever had it sent again', async () => {
    const desk = await oldApproval({}, 'refused');
    await desk.dev.click('Retry', desk.ended);
    const card = await desk.shows('A-1001', /Waiting for/);
    await desk.dev.click('Approve', card);
    expect((await desk.dev.waitForEphemeral()).text).toContain('because you made this request');
    expect(desk.calls()).toBe(1);
  });
});
