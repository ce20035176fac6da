import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  type startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

const HOUR = 3_600_000;

/** A vote that was on its way when its message was deleted. */
async function approveWithoutMessage({ slack }: Awaited<ReturnType<typeof startApprovals>>, value: string) {
  const body = {
    type: 'block_actions',
    team: { id: SEED.team },
    user: { id: SEED.users.cara, team_id: SEED.team },
    actions: [
      { type: 'button', action_id: 'approve', block_id: 'b', value, action_ts: `${Date.now() / 1_000}` },
    ],
  };
  await slack.sendCustom({ kind: 'interactivity', body });
}

describe('a request that awaits approval', () => {
  test('holds the order: a second agent gets a link to it', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const { outcome, modal } = await harness.cancelOrder('A-1001', { who: harness.ben });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(
      /already an open request to cancel order A-1001.*Open its thread.*Waiting for/,
    );
  });

  test('is ended by an event that says that the order is cancelled', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const data = { orderId: 'A-1001', status: 'canceled', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    const reply = await harness.reply('A-1001', /is already cancelled/);
    expect(reply.text).toBe(
      `<@${harness.ana.id}>: Order A-1001 is already cancelled: the order service announced it. Approval is no longer needed, and nothing was sent.`,
    );
    const done = await harness.reads(harness.message, '· :white_check_mark: Cancelled');
    expect(buttonsOf(done)).toEqual([]);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toContain('Vote not counted');
    expect(harness.calls()).toBe(0);
  });

  test('is not ended by an event that says that it is not cancelled', async () => {
    const harness = await startAwaitingApproval();
    const data = { orderId: 'A-1001', status: 'denied', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /the order service confirmed it at once/);
  });

  describe.each([
    ['where it was requested', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'ends when what is voted on is deleted (%s): nothing is sent, and the requester is told',
    (_name, policy) => {
      async function deleted() {
        const clock = shiftedClock();
        const settings = { ...policy, quorum: 2, reminds: true, expiresAfterMs: 2 * HOUR };
        const harness = await startAwaitingApproval(settings, clock.options);
        harness.olga.deleteMessage(harness.message);
        return { ...harness, pass: clock.pass };
      }

      async function ends(harness: Awaited<ReturnType<typeof deleted>>) {
        await expect.poll(async () => (await harness.record('A-1001')).state).toBe('not_sent');
        if (policy === IN_APPROVALS)
          await harness.reply('A-1001', /approvers can no longer see the request.*nothing was sent/);
        else
          await harness.ana.waitForDirectMessage(({ text }) =>
            /was deleted before.*nothing was sent/.test(text),
          );
        expect(harness.calls()).toBe(0);
      }

      test('at the next vote', async () => {
        const harness = await deleted();
        await approveWithoutMessage(harness, `${(await harness.record('A-1001')).id}:0:1`);
        await ends(harness);
      });

      test('when the approvers would be reminded', async () => {
        const harness = await deleted();
        harness.pass(HOUR);
        await ends(harness);
      });
    },
  );

  test('goes on while the channel in which it is shown is archived, since that can be fixed', async () => {
    const harness = await startAwaitingApproval({ ...IN_APPROVALS, quorum: 2 });
    const problem = async () => (await harness.record('A-1001')).approval?.problem;
    const held = harness.slack.events.hold('reaction_added');
    harness.cara.react(YES, harness.message);
    harness.slack.admin.archive(SEED.channels.approvals);
    await held.deliver(0).settled;
    await expect.poll(problem).toBe('channel_archived');
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
    expect(harness.calls()).toBe(0);
    harness.slack.admin.unarchive(SEED.channels.approvals);
    await expect.poll(problem).toBeUndefined();
  });
});

describe('"Withdraw"', () => {
  test('ends it before the decision; nothing is sent, and nobody can vote any more', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    await harness.ana.click('Withdraw', await harness.card('A-1001'));
    const reply = await harness.reply('A-1001', /withdrew/);
    expect(reply.text).toBe(`<@${harness.ana.id}> withdrew the request, and nothing was sent.`);
    expect(buttonsOf(await harness.reads(harness.message, 'Withdrawn by @Ana Alvarez'))).toEqual([]);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(/not counted.*withdrew the request/);
    expect(harness.calls()).toBe(0);
  });

  test.each(['ben', 'cara'])('is for the requester and admins, and not for %s', async (name) => {
    const harness = await startAwaitingApproval();
    const who = harness.slack.person(name);
    await who.click('Withdraw', harness.message);
    expect((await who.waitForEphemeral()).text).toMatch(/: Only .*admins.*Nothing was changed/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('by an admin ends any open request, and names them; the requester reads it', async () => {
    const harness = await startAwaitingApproval({ mayWithdraw: false });
    await harness.olga.click('Withdraw', harness.message);
    const text = `<@${harness.olga.id}>, an admin, withdrew the request, and nothing was sent.`;
    expect((await harness.reply('A-1001', /withdrew/)).text).toBe(`<@${harness.ana.id}>: ${text}`);
    const withdrawn = await harness.reads(harness.message, 'Withdrawn by @Olga Orlova');
    expect(buttonsOf(withdrawn)).toEqual(['Request again']);
    expect(harness.calls()).toBe(0);
  });

  test('by an admin does not make them an approver', async () => {
    const harness = await startAwaitingApproval();
    harness.olga.react(YES, harness.message);
    expect((await harness.olga.waitForEphemeral()).text).toMatch(/: Your vote does not count/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('is for admins alone where the policy forbids it to the requester', async () => {
    const harness = await startAwaitingApproval({ mayWithdraw: false });
    await harness.ana.click('Withdraw', harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(/: Only admins can withdraw/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('comes too late once it is decided', async () => {
    const harness = await startAwaitingApproval();
    const updating = harness.slack.faults.schedule({
      on: 'chat.update',
      // The first one says that the approvers are being checked.
      skip: 1,
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Approve', harness.message);
    await updating.reached;
    await harness.ana.click('Withdraw', harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(
      /^\*Cancel order A-1001\*: \*Not withdrawn\*, because /,
    );
    updating.release();
    await harness.reply('A-1001', /is cancelled/);
  });
});
