import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { approvalMessageOf } from '../../../src/requests/model/record-messages.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  setPolicy,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

const HOUR = 3_600_000;

/** A request that Cara has approved and that was called, with this outcome of the call. Then its approval has grown old. */
async function oldApproval(
  policy: Parameters<typeof startAwaitingApproval>[0],
  outcome: 'refused' | 'unanswered',
) {
  const clock = shiftedClock();
  const harness = await startAwaitingApproval({ ...policy, expiresAfterMs: HOUR }, clock.options);
  const fault =
    outcome === 'refused' ? ({ type: 'status', status: 409 } as const) : ({ type: 'unanswered' } as const);
  harness.service.faults.schedule({ on: 'cancel_order', fault });
  await harness.cara.click('Approve', harness.message);
  const ended = await harness.shows(
    'A-1001',
    outcome === 'refused' ? /refused the request/ : /may or may not|record the outcome on the card/,
  );
  clock.pass(HOUR + 60_000);
  return { ...harness, ended };
}

async function notReceived(harness: Awaited<ReturnType<typeof oldApproval>>) {
  await harness.ana.click('Record the outcome', harness.ended);
  await harness.ana.waitForModal({ callback: 'record_outcome' });
  await harness.ana.submit({ outcome: 'not_received' });
  return harness.shows('A-1001', /Waiting for/);
}

describe('what is sent again while its approval is fresh', () => {
  async function freshApproval(...given: Parameters<typeof startAwaitingApproval>) {
    const harness = await startAwaitingApproval(...given);
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    harness.cara.react(YES, harness.message);
    const ended = await harness.shows('A-1001', /refused the request/);
    return { ...harness, ended };
  }

  test('is sent once its votes are confirmed again, and nobody is asked', async () => {
    const harness = await freshApproval();
    await harness.ana.click('Retry', harness.ended);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(2);
    await harness.reads(harness.message, 'Approved by @Cara Conti before · confirmed ');
    const replies = await harness.replies('A-1001');
    expect(replies.join()).not.toContain('needs your approval');
    expect(replies.filter((text) => text.startsWith('Approved by'))).toEqual([
      'Approved by Cara Conti. The request needs no further approval.',
      'Approved by Cara Conti before, and the approval still counts. The request needs no further approval.',
    ]);
  });

  test('is sent though the approver is the one who wants it: their vote was cast before', async () => {
    const harness = await freshApproval();
    await harness.cara.click('Retry', harness.ended);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('needs approval anew where the vote was taken back since, which the approvers read', async () => {
    const harness = await freshApproval();
    harness.cara.unreact(YES, harness.message);
    await harness.ana.click('Retry', harness.ended);
    await harness.reply('A-1001', /wants to send this request again, and it needs your approval \(0 of 1\)/);
    expect(harness.calls()).toBe(1);
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('needs approval anew where the policy in force asks for more', async () => {
    const harness = await freshApproval();
    await setPolicy(harness, { quorum: 2 });
    await harness.ana.click('Retry', harness.ended);
    await harness.reply('A-1001', /needs your approval \(0 of 2\)/);
    expect(harness.calls()).toBe(1);
  });

  test('tells an admin, and asks nobody, where the vote was taken back by the only approver, who wants it', async () => {
    const harness = await freshApproval({ approvers: { type: 'people', people: [SEED.users.cara] } });
    harness.cara.unreact(YES, harness.message);
    await harness.cara.click('Retry', harness.ended);
    const left = /not enough approvers besides the requester and <@\w+>, who wants the request sent again/;
    await harness.shows('A-1001', left);
    const alarm = await harness.olga.waitForDirectMessage(({ text }) => left.test(text));
    expect(alarm.text).toContain(
      'is not sent again until there are enough. If an admin chooses other approvers, a new request is needed.',
    );
    expect((await harness.replies('A-1001')).join()).not.toContain('needs your approval');
    expect(harness.calls()).toBe(1);
  });

  test.each([
    ['is delayed', { on: 'reactions.get', fault: { type: 'rate_limit', retryAfterSeconds: 20 } }],
    ['is under way', { on: 'reactions.get', fault: { type: 'hold', when: 'before' } }],
  ] as const)('does so, too, where they take it back while the confirmation %s', async (_when, fault) => {
    const harness = await freshApproval({ approvers: { type: 'people', people: [SEED.users.cara] } });
    const confirming = harness.slack.faults.schedule(fault);
    const confirmation = async () => (await harness.record('A-1001')).approval?.confirmation;
    await harness.cara.click('Retry', harness.ended);
    if (fault.fault.type === 'hold') await confirming.reached;
    else await expect.poll(async () => (await confirmation())?.tries).toBe(1);
    harness.cara.unreact(YES, harness.message);
    const left = /not enough approvers besides the requester and <@\w+>, who wants the request sent again/;
    await harness.shows('A-1001', left);
    confirming.release();
    await harness.olga.waitForDirectMessage(({ text }) => left.test(text));
    await expect.poll(async () => (await harness.record('A-1001')).claim).toBeUndefined();
    expect((await harness.replies('A-1001')).join()).not.toContain('needs your approval');
    expect(harness.calls()).toBe(1);
  });

  test('is declined by a form though our clock is four minutes behind that of Slack', async () => {
    const harness = await freshApproval({}, { slack: { now: () => Date.now() + 4 * 60_000 } });
    await setPolicy(harness, { quorum: 2 });
    await harness.ana.click('Retry', harness.ended);
    await harness.reply('A-1001', /needs your approval \(0 of 2\)/);
    await harness.dev.click('Decline', await harness.shows('A-1001', /Waiting for/));
    await harness.dev.waitForModal({ callback: 'decline' });
    expect((await harness.dev.submit({ reason: 'Shipped' })).outcome).toBe('closed');
    await harness.reply('A-1001', /declined the request, and the request was not sent again/);
  });
});

describe('what is sent again, and needs approval again', () => {
  test('is told to the approvers once more, in the thread of what they have seen', async () => {
    const harness = await oldApproval({}, 'refused');
    await harness.ana.click('Retry', harness.ended);
    await harness.shows('A-1001', /Waiting for/);
    await harness.reply('A-1001', /wants to send this request again, and it needs your approval \(0 of 1\)/);
  });

  test('tells whoever reacted before, even after the decision, that it does not count', async () => {
    const harness = await oldApproval({}, 'refused');
    harness.dev.react(YES, harness.message);
    await harness.dev.waitForEphemeral();
    await harness.ana.click('Retry', harness.ended);
    await harness.reads(
      harness.message,
      'Reactions from before do not count: if yours is still here, remove it and react again.',
    );
    await harness.reply('A-1001', /reactions from before or to this one do not count/);
    harness.dev.unreact(YES, harness.message);
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('is refused before anybody is asked where too few are left besides whoever wants it', async () => {
    const harness = await oldApproval(
      { approvers: { type: 'people', people: [SEED.users.cara] } },
      'refused',
    );
    await harness.cara.click('Retry', harness.ended);
    expect((await harness.cara.waitForEphemeral()).text).toContain(
      'There are not enough approvers besides the requester and you, so the request was not sent again.',
    );
    expect((await harness.record('A-1001')).state).toBe('failed');
  });

  test('tells the approvers who recorded that the first call was not received, which the service may correct', async () => {
    const harness = await oldApproval({}, 'unanswered');
    await notReceived(harness);
    await harness.reply(
      'A-1001',
      /recorded that this request was not received, and wants to send it again, and it needs your approval \(0 of 1\)/,
    );
    const data = { orderId: 'A-1001', status: 'approved', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    await harness.reply('A-1001', /is cancelled.*This corrects what @Ana Alvarez recorded/);
  });

  test('hears what the service says of the first call, and is not sent twice', async () => {
    const harness = await oldApproval({}, 'unanswered');
    const card = await notReceived(harness);
    const data = { orderId: 'A-1001', status: 'denied', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    await harness.reply('A-1001', /is not cancelled: the order service decided against it after a review/);
    harness.dev.react(YES, card);
    expect((await harness.dev.waitForEphemeral()).text).toContain('no longer waits for this approval');
    expect(harness.calls()).toBe(1);
    const ended = await harness.shows('A-1001', /decided against it after a review/);
    expect(buttonsOf(ended)).toEqual(['Reply to the customer']);
  });

  test('is shown in the approvals channel that is set by then', async () => {
    const harness = await oldApproval(IN_APPROVALS, 'refused');
    const { team, users } = SEED;
    const members = [users.cara, users.dev, harness.slack.installation().bot_user_id];
    const other = harness.slack.admin.addChannel({
      team_id: team,
      name: 'approvals-2',
      kind: 'private',
      members,
    });
    await setPolicy(harness, { ...IN_APPROVALS, channel: other.id });
    await harness.ana.click('Retry', harness.ended);
    const approvalMessage = await harness.slack.waitForMessage({
      channel: other.id,
      text: /Cancel order A-1001/,
    });
    expect(buttonsOf(approvalMessage)).toContain('Approve');
    expect(harness.slack.renderThread(other.id, approvalMessage.ts)).not.toContain('from before');
    await harness.dev.click('Approve', approvalMessage);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(2);
  });

  test('is shown to the approvers again where what they saw is known to be deleted', async () => {
    const clock = shiftedClock();
    const harness = await startAwaitingApproval({ ...IN_APPROVALS, expiresAfterMs: HOUR }, clock.options);
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    const held = harness.slack.faults.schedule({
      on: 'chat.update',
      where: { channel: harness.message.channel },
      // The first one says that the approvers are being checked.
      skip: 1,
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Approve', harness.message);
    await held.reached;
    harness.olga.deleteMessage(harness.message);
    held.release();
    await expect
      .poll(async () => approvalMessageOf(await harness.record('A-1001'))?.delivery.status)
      .toBe('given_up');
    clock.pass(HOUR + 60_000);
    await harness.ana.click('Retry', await harness.shows('A-1001', /refused the request/));
    const approvalMessage = await harness.slack.waitForMessage({
      channel: '#approvals',
      text: /Waiting for/,
    });
    await harness.dev.click('Approve', approvalMessage);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('is not approved by whoever had it sent again', async () => {
    const harness = await oldApproval({}, 'refused');
    await harness.dev.click('Retry', harness.ended);
    const card = await harness.shows('A-1001', /Waiting for/);
    await harness.dev.click('Approve', card);
    expect((await harness.dev.waitForEphemeral()).text).toContain(
      'because you asked for this request to be sent again',
    );
    expect(await harness.voteHistory('A-1001')).toContain(`refused ${harness.dev.id} own_retry`);
    expect(harness.calls()).toBe(1);
  });
});
