import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  KINDS,
  read,
  setPolicy,
  startApprovals,
  startAwaitingApproval,
  submitCommand,
} from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';

const YES = 'white_check_mark';
const NO = 'x';

/** A request of any kind that awaits approval in #approvals. */
async function startRequested({ kind, line, deed }: (typeof KINDS)[number]) {
  const harness = await startHarness();
  await setPolicy(harness, IN_APPROVALS, kind);
  await submitCommand(harness, line);
  const approvalMessage = await harness.slack.waitForMessage({ channel: '#approvals', text: deed });
  const parent = await harness.slack.waitForMessage({ channel: '#support', text: deed });
  return {
    ...harness,
    cara: harness.slack.person('cara'),
    approvalMessage,
    parent,
    said: () =>
      harness.slack
        .thread('#support', parent.ts)
        .slice(1)
        .map(({ text }) => text),
    calls: () => harness.service.calls({ operation: kind }).length,
  };
}

describe.each(KINDS)('$title', (kind) => {
  test('that is approved is sent once; its thread tells by whom, and the outcome', async () => {
    const harness = await startRequested(kind);
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.approvalMessage);
    await expect
      .poll(() => harness.said())
      .toEqual([
        'Approved by Cara Conti. The request is on its way to the order service.',
        expect.stringMatching(new RegExp(`^<@${harness.ana.id}>: ${kind.done}`)),
      ]);
    expect(harness.calls()).toBe(1);
    for (const message of [harness.parent, harness.approvalMessage]) {
      await harness.slack.waitUntil(() => (read(harness, message).includes(kind.done) ? true : undefined));
      expect(read(harness, message)).toContain('Approved by @Cara Conti · ');
      expect(buttonsOf(message)).toEqual([]);
    }
  });

  test('that is denied is not sent; its thread tells by whom, and why', async () => {
    const harness = await startRequested(kind);
    await harness.cara.click('Decline', harness.approvalMessage);
    const { view } = await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    expect(JSON.stringify(view)).toContain('nothing is sent to the order service');
    await harness.cara.submit({ reason: 'It <ships> today' });
    await expect
      .poll(() => harness.said())
      .toEqual([
        `<@${harness.ana.id}>: Cara Conti declined the request, and nothing was sent. Reason: “It &lt;ships&gt; today”`,
      ]);
    for (const message of [harness.parent, harness.approvalMessage]) {
      await harness.slack.waitUntil(() =>
        read(harness, message).includes('“It <ships> today”') ? true : undefined,
      );
      expect(read(harness, message)).toContain('Declined by @Cara Conti · ');
      expect(buttonsOf(message)).toEqual([]);
    }
    expect(harness.calls()).toBe(0);
    // It is free to be asked for again.
    expect((await submitCommand(harness, kind.line, harness.ben)).outcome).toBe('closed');
  });
});

describe('a denial by a reaction', () => {
  async function denied(policy = {}) {
    const harness = await startAwaitingApproval(policy);
    harness.cara.react(NO, harness.message);
    const prompt = await harness.cara.waitForDirectMessage(({ text }) =>
      text.includes('You can add a reason'),
    );
    return { ...harness, prompt };
  }

  async function addReason({ prompt, cara }: Awaited<ReturnType<typeof denied>>, who = cara) {
    await who.click('Add a reason', prompt);
    await who.waitForModal(({ callback_id }) => callback_id === 'add_reason');
    return who.submit({ reason: 'It ships *today*' });
  }

  test.each([
    ['where it was asked', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'can be given a reason, for which its owner alone is asked, %s; whoever asked for the request reads it in theirs',
    async (_name, policy) => {
      const harness = await denied(policy);
      expect(harness.prompt.text).toContain('You declined “Cancel order A-1001”.');
      expect(read(harness, harness.message)).not.toContain('Add a reason');
      expect(harness.dev.directMessages()).toEqual([]);
      expect((await addReason(harness)).outcome).toBe('closed');
      const notice = await harness.reply('A-1001', /added a reason for declining/);
      expect(notice.text).toBe(
        `<@${harness.ana.id}>: Cara Conti added a reason for declining your request: “It ships *today*”`,
      );
      await harness.shows('A-1001', /Reason: “It ships \*today\*”/);
      await harness.reads(harness.message, 'Reason: “It ships *today*”');
    },
  );

  test('is explained once, by whoever made it: then there is no button any more, even if Slack fails at first', async () => {
    const harness = await denied();
    const { channel, ts } = harness.prompt;
    const fault = { type: 'status', status: 503 } as const;
    harness.slack.faults.order({ on: 'chat.update', where: { channel, ts }, fault });
    expect((await addReason(harness)).outcome).toBe('closed');
    await harness.reply('A-1001', /added a reason for declining/);
    const added = await harness.cara.waitForDirectMessage(({ text }) => text.includes('added a reason'));
    expect(added.ts).toBe(harness.prompt.ts);
    expect(added.text).toContain('“It ships *today*”');
    expect(buttonsOf(added)).toEqual([]);
  });

  test('needs some reason, once the form is open', async () => {
    const harness = await denied();
    await harness.cara.click('Add a reason', harness.prompt);
    await harness.cara.waitForModal(({ callback_id }) => callback_id === 'add_reason');
    expect((await harness.cara.submit({ reason: '  ' })).errors).toEqual({ reason: 'Write a reason.' });
  });
});

describe('a vote that comes after the decision', () => {
  test('changes nothing: by reaction, and the voter reads what was decided and by whom', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    harness.dev.react(NO, harness.message);
    expect((await harness.dev.waitForEphemeral()).text).toBe(
      `Your vote came too late, and changed nothing. <@${harness.cara.id}> approved the request before. Order A-1001 is cancelled: the order service cancelled it at once.`,
    );
    expect((await harness.record('A-1001')).state).toBe('canceled');
  });

  test('changes nothing: by a button that is on its way out', async () => {
    const harness = await startAwaitingApproval();
    const updating = harness.slack.faults.order({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    harness.cara.react(NO, harness.message);
    await updating.reached;
    await harness.dev.click('Approve', harness.message);
    expect((await harness.dev.waitForEphemeral()).text).toBe(
      `Your vote came too late, and changed nothing. <@${harness.cara.id}> declined the request, and nothing was sent.`,
    );
    await harness.dev.click('Decline', harness.message);
    await harness.dev.waitForModal(({ view }) => JSON.stringify(view).includes('Your vote came too late'));
    updating.release();
    await harness.reads(harness.message, 'declined the request');
    expect(harness.calls()).toBe(0);
  });

  test('changes nothing: by a form that was open all the time', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const { modal } = await harness.cara.submit({ reason: 'Too late' });
    expect(JSON.stringify(modal?.view)).toContain(`<@${harness.dev.id}> approved the request before.`);
    await harness.shows('A-1001', /is cancelled/);
  });

  test('is told to whoever has decided, too, if it is a second one: what became of it', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(/^Your vote came too late.*is cancelled/);
    expect(harness.calls()).toBe(1);
  });

  test('is not told to whoever has decided, when Slack tells of their vote again', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const [event] = harness.slack.events.list();
    await harness.slack.events.redeliver(event?.event_id ?? '').settled;
    expect(harness.cara.ephemerals()).toEqual([]);
    expect(harness.calls()).toBe(1);
  });

  test('is not told to whoever submits their denial twice, because the answer was late', async () => {
    const harness = await startAwaitingApproval({}, { slack: { ackTimeoutMs: 500 } });
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    harness.slack.admin.setUserGroup(SEED.groups.approvers, { users: [harness.cara.id] });
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    await harness.restart();
    harness.slack.faults.order({ on: 'usergroups.users.list', fault: { type: 'delay', ms: 800 } });
    expect((await harness.cara.submit({ reason: 'Once' })).trouble).toMatch(/trouble/);
    await harness.reply('A-1001', /Reason: “Once”/);
    expect((await harness.cara.submit({ reason: 'Once' })).outcome).toBe('closed');
    expect(await harness.replies('A-1001')).toHaveLength(1);
  });
});

describe('two approvers at the same moment', () => {
  test.each([
    [
      'by button',
      (who: { click: (b: string, m: never) => Promise<unknown> }, m: unknown) =>
        who.click('Approve', m as never),
    ],
    [
      'by reaction',
      (who: { react: (r: string, m: never) => void }, m: unknown) => who.react(YES, m as never),
    ],
  ])('make one decision, one call and one announcement (%s)', async (_name, vote) => {
    const harness = await startAwaitingApproval();
    await Promise.all([vote(harness.cara, harness.message), vote(harness.dev, harness.message)]);
    await harness.reply('A-1001', /is cancelled/);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    expect(harness.calls()).toBe(1);
    expect(await harness.replies('A-1001')).toEqual([
      expect.stringMatching(/Approved by (Cara Conti|Dev Das)\. The request is on its way/),
      expect.stringMatching(/is cancelled/),
    ]);
  });

  test('one for it and one against make one decision, and everybody reads the same', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(NO, harness.message);
    await harness.dev.click('Approve', harness.message);
    const [first = ''] = await expect
      .poll(() => harness.replies('A-1001'))
      .not.toEqual([])
      .then(() => harness.replies('A-1001'));
    const { decision } = (await harness.record('A-1001')).approval ?? {};
    const approved = decision?.choice === 'yes';
    expect(first).toContain(approved ? 'Approved by Dev Das' : 'Cara Conti declined');
    if (approved) await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(approved ? 1 : 0);
  });
});

describe('what the approver sees', () => {
  test('is the target, the reason, who asked, when and where, with a link to the thread', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const text = read(harness, harness.message);
    expect(text).toContain('CANCEL ORDER A-1001');
    expect(text).toContain('> Ordered twice');
    expect(text).toMatch(/Requested by @Ana Alvarez in #support, \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(JSON.stringify(harness.message.blocks)).toMatch(/<!date\^\d+\^\{ago\}\|/);
    const card = await harness.card('A-1001');
    expect(JSON.stringify(harness.message.blocks)).toContain(
      `/archives/${SEED.channels.support}/p${card.ts.replace('.', '')}|Open its thread>`,
    );
    expect(buttonsOf(harness.message)).toEqual(['Approve', 'Decline']);
    expect(buttonsOf(card)).toEqual(['Withdraw']);
    expect(read(harness, card)).toContain('Waiting for the approvers in #approvals');
    expect(read(harness, card)).not.toContain('React with');
  });

  test('is the same where it was asked, on the card itself', async () => {
    const harness = await startAwaitingApproval();
    expect(harness.slack.messages('#approvals')).toEqual([]);
    expect(buttonsOf(harness.message)).toEqual(['Approve', 'Decline', 'Withdraw']);
    expect(read(harness, harness.message)).toMatch(/> Ordered twice\n.*Requested by @Ana Alvarez · \d{4}/);
    expect(harness.message.text).toContain(`<!subteam^${SEED.groups.approvers}>`);
  });

  test.each([
    ['on the card', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])('are the earlier requests for the same order, the newest first (%s)', async (_name, policy) => {
    const harness = await startApprovals(policy);
    for (const who of [harness.ben, harness.ana]) {
      await harness.cancelOrder('A-1001', { who });
      await harness.cara.click('Decline', await harness.votedOn('A-1001'));
      await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
      await harness.cara.submit();
      await expect.poll(async () => (await harness.record('A-1001')).state).toBe('declined');
    }
    await harness.cancelOrder('A-1001');
    const text = read(harness, await harness.votedOn('A-1001'));
    expect(text).toMatch(
      /Earlier requests for this order:\n.*Cancel order · :no_entry: Declined · @Ana Alvarez, .*\n.*@Ben Brandt/,
    );
  });
});

describe('a request that awaits approval', () => {
  test('holds the order: a second agent gets a link to it', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const { outcome, modal } = await harness.cancelOrder('A-1001', { who: harness.ben });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(
      /already an open request for order A-1001.*Waiting for.*Open its thread/,
    );
  });

  test('is overtaken by an event that says that the order is cancelled', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const data = { orderId: 'A-1001', status: 'canceled', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    const reply = await harness.reply('A-1001', /is already cancelled/);
    expect(reply.text).toBe(
      `<@${harness.ana.id}>: Order A-1001 is already cancelled: the order service announced the cancellation. Approval is no longer needed, and nothing was sent.`,
    );
    const done = await harness.reads(harness.message, 'Approval is no longer needed');
    expect(buttonsOf(done)).toEqual([]);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toContain('came too late');
    expect(harness.calls()).toBe(0);
  });

  test('is not overtaken by an event that says that it is not cancelled', async () => {
    const harness = await startAwaitingApproval();
    const data = { orderId: 'A-1001', status: 'denied', updatedAt: new Date().toISOString() };
    await harness.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /the order service cancelled it at once/);
  });

  test.each([
    ['where it was asked', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'ends when what is voted on is deleted (%s): nothing is sent, and whoever asked is told',
    async (_name, policy) => {
      const harness = await startAwaitingApproval({ ...policy, quorum: 2 });
      harness.olga.deleteMessage(harness.message);
      await harness.slack.person('oscar').command('/countermand status A-1001', { channel: '#support' });
      harness.slack.faults.clear();
      const ref = `${(await harness.record('A-1001')).id}:1`;
      await approveWithoutMessage(harness, ref);
      await expect.poll(async () => (await harness.record('A-1001')).state).toBe('not_sent');
      if (policy === IN_APPROVALS)
        await harness.reply('A-1001', /approvers can no longer see your request.*nothing was sent/);
      else
        await harness.ana.waitForDirectMessage(({ text }) =>
          /was removed before.*nothing was sent/.test(text),
        );
      expect(harness.calls()).toBe(0);
    },
  );

  test('ends when the channel in which it is shown is archived, and whoever asked is told', async () => {
    const harness = await startAwaitingApproval({ ...IN_APPROVALS, quorum: 2 });
    const held = harness.slack.events.hold('reaction_added');
    harness.cara.react(YES, harness.message);
    harness.slack.admin.archive(SEED.channels.approvals);
    await held.deliver(0).settled;
    await harness.reply('A-1001', /approvers can no longer see your request about order A-1001/);
    expect(harness.calls()).toBe(0);
  });
});

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

describe('"Withdraw"', () => {
  test('ends it before the decision; nothing is sent, and nobody can vote any more', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    await harness.ana.click('Withdraw', await harness.card('A-1001'));
    const reply = await harness.reply('A-1001', /withdrew/);
    expect(reply.text).toBe(`<@${harness.ana.id}> withdrew the request, and nothing was sent.`);
    expect(buttonsOf(await harness.reads(harness.message, 'withdrew the request'))).toEqual([]);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(/came too late.*withdrew the request/);
    expect(harness.calls()).toBe(0);
  });

  test.each(['ben', 'cara'])('is for whoever asked and admins, and not for %s', async (name) => {
    const harness = await startAwaitingApproval();
    const who = harness.slack.person(name);
    await who.click('Withdraw', harness.message);
    expect((await who.waitForEphemeral()).text).toMatch(/^Only .*admins.*Nothing was changed/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('by an admin ends any open request, and names them; who asked reads it', async () => {
    const harness = await startAwaitingApproval({ mayWithdraw: false });
    await harness.olga.click('Withdraw', harness.message);
    const text = `<@${harness.olga.id}>, an admin, withdrew the request, and nothing was sent.`;
    expect((await harness.reply('A-1001', /withdrew/)).text).toBe(`<@${harness.ana.id}>: ${text}`);
    expect(
      buttonsOf(await harness.reads(harness.message, 'Olga Orlova, an admin, withdrew the request')),
    ).toEqual([]);
    expect(harness.calls()).toBe(0);
  });

  test('by an admin does not make them an approver', async () => {
    const harness = await startAwaitingApproval();
    harness.olga.react(YES, harness.message);
    expect((await harness.olga.waitForEphemeral()).text).toMatch(/^Your vote does not count/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('is for admins alone where the policy forbids it to whoever asked', async () => {
    const harness = await startAwaitingApproval({ mayWithdraw: false });
    await harness.ana.click('Withdraw', harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(/^Only an admin can withdraw/);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('comes too late once it is decided', async () => {
    const harness = await startAwaitingApproval();
    const updating = harness.slack.faults.order({
      on: 'chat.update',
      // The first one says that the approvers are being checked.
      skip: 1,
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Approve', harness.message);
    await updating.reached;
    await harness.ana.click('Withdraw', harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toContain(
      'This request has already changed, so nothing was done',
    );
    updating.release();
    await harness.reply('A-1001', /is cancelled/);
  });
});
