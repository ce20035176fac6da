import { describe, expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import {
  askedForApproval,
  askLine,
  buttonsOf,
  IN_APPROVALS,
  KINDS,
  read,
  setPolicy,
  startApprovals,
} from '../support/approvals.ts';
import { startDesk } from '../support/desk.ts';

const YES = 'white_check_mark';
const NO = 'x';

/** A request of any kind that awaits approval in #approvals. */
async function asked({ kind, line, deed }: (typeof KINDS)[number]) {
  const desk = await startDesk();
  await setPolicy(desk, IN_APPROVALS, kind);
  await askLine(desk, line);
  const approvalMessage = await desk.slack.waitForMessage({ channel: '#approvals', text: deed });
  const parent = await desk.slack.waitForMessage({ channel: '#support', text: deed });
  return {
    ...desk,
    cara: desk.slack.person('cara'),
    approvalMessage,
    parent,
    said: () =>
      desk.slack
        .thread('#support', parent.ts)
        .slice(1)
        .map(({ text }) => text),
    calls: () => desk.service.calls({ operation: kind }).length,
  };
}

describe.each(KINDS)('$title', (kind) => {
  test('that is approved is sent once; its thread tells by whom, and the outcome', async () => {
    const desk = await asked(kind);
    expect(desk.calls()).toBe(0);
    await desk.cara.click('Approve', desk.approvalMessage);
    await expect
      .poll(() => desk.said())
      .toEqual([
        'Approved by Cara Conti. The request is on its way to the order service.',
        expect.stringMatching(new RegExp(`^<@${desk.ana.id}>: ${kind.done}`)),
      ]);
    expect(desk.calls()).toBe(1);
    for (const message of [desk.parent, desk.approvalMessage]) {
      await desk.slack.waitUntil(() => (read(desk, message).includes(kind.done) ? true : undefined));
      expect(read(desk, message)).toContain('Approved by @Cara Conti · ');
      expect(buttonsOf(message)).toEqual([]);
    }
  });

  test('that is denied is not sent; its thread tells by whom, and why', async () => {
    const desk = await asked(kind);
    await desk.cara.click('Decline', desk.approvalMessage);
    const { view } = await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    expect(JSON.stringify(view)).toContain('nothing is sent to the order service');
    await desk.cara.submit({ reason: 'It <ships> today' });
    await expect
      .poll(() => desk.said())
      .toEqual([
        `<@${desk.ana.id}>: Cara Conti declined the request, and nothing was sent. Reason: “It &lt;ships&gt; today”`,
      ]);
    for (const message of [desk.parent, desk.approvalMessage]) {
      await desk.slack.waitUntil(() =>
        read(desk, message).includes('“It <ships> today”') ? true : undefined,
      );
      expect(read(desk, message)).toContain('Declined by @Cara Conti · ');
      expect(buttonsOf(message)).toEqual([]);
    }
    expect(desk.calls()).toBe(0);
    // It is free to be asked for again.
    expect((await askLine(desk, kind.line, desk.ben)).outcome).toBe('closed');
  });
});

describe('a denial by a reaction', () => {
  async function denied(policy = {}) {
    const desk = await askedForApproval(policy);
    desk.cara.react(NO, desk.message);
    const prompt = await desk.cara.waitForDirectMessage(({ text }) => text.includes('You can add a reason'));
    return { ...desk, prompt };
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
      const desk = await denied(policy);
      expect(desk.prompt.text).toContain('You declined “Cancel order A-1001”.');
      expect(read(desk, desk.message)).not.toContain('Add a reason');
      expect(desk.dev.directMessages()).toEqual([]);
      expect((await addReason(desk)).outcome).toBe('closed');
      const told = await desk.reply('A-1001', /added a reason for declining/);
      expect(told.text).toBe(
        `<@${desk.ana.id}>: Cara Conti added a reason for declining your request: “It ships *today*”`,
      );
      await desk.shows('A-1001', /Reason: “It ships \*today\*”/);
      await desk.reads(desk.message, 'Reason: “It ships *today*”');
    },
  );

  test('is explained once, by whoever made it: then there is no button any more, even if Slack fails at first', async () => {
    const desk = await denied();
    const { channel, ts } = desk.prompt;
    const fault = { type: 'status', status: 503 } as const;
    desk.slack.faults.order({ on: 'chat.update', where: { channel, ts }, fault });
    expect((await addReason(desk)).outcome).toBe('closed');
    await desk.reply('A-1001', /added a reason for declining/);
    const added = await desk.cara.waitForDirectMessage(({ text }) => text.includes('added a reason'));
    expect(added.ts).toBe(desk.prompt.ts);
    expect(added.text).toContain('“It ships *today*”');
    expect(buttonsOf(added)).toEqual([]);
  });

  test('needs some reason, once the form is open', async () => {
    const desk = await denied();
    await desk.cara.click('Add a reason', desk.prompt);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'add_reason');
    expect((await desk.cara.submit({ reason: '  ' })).errors).toEqual({ reason: 'Write a reason.' });
  });
});

describe('a vote that comes after the decision', () => {
  test('changes nothing: by reaction, and the voter reads what was decided and by whom', async () => {
    const desk = await askedForApproval();
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    desk.dev.react(NO, desk.message);
    expect((await desk.dev.waitForEphemeral()).text).toBe(
      `Your vote came too late, and changed nothing. <@${desk.cara.id}> approved the request before. Order A-1001 is cancelled: the order service cancelled it at once.`,
    );
    expect((await desk.record('A-1001')).state).toBe('canceled');
  });

  test('changes nothing: by a button that is on its way out', async () => {
    const desk = await askedForApproval();
    const updating = desk.slack.faults.order({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    desk.cara.react(NO, desk.message);
    await updating.reached;
    await desk.dev.click('Approve', desk.message);
    expect((await desk.dev.waitForEphemeral()).text).toBe(
      `Your vote came too late, and changed nothing. <@${desk.cara.id}> declined the request, and nothing was sent.`,
    );
    await desk.dev.click('Decline', desk.message);
    await desk.dev.waitForModal(({ view }) => JSON.stringify(view).includes('Your vote came too late'));
    updating.release();
    await desk.reads(desk.message, 'declined the request');
    expect(desk.calls()).toBe(0);
  });

  test('changes nothing: by a form that was open all the time', async () => {
    const desk = await askedForApproval();
    await desk.cara.click('Decline', desk.message);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await desk.dev.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    const { modal } = await desk.cara.submit({ reason: 'Too late' });
    expect(JSON.stringify(modal?.view)).toContain(`<@${desk.dev.id}> approved the request before.`);
    await desk.shows('A-1001', /is cancelled/);
  });

  test('is told to whoever has decided, too, if it is a second one: what became of it', async () => {
    const desk = await askedForApproval();
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    desk.cara.react(YES, desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toMatch(/^Your vote came too late.*is cancelled/);
    expect(desk.calls()).toBe(1);
  });

  test('is not told to whoever has decided, when Slack tells of their vote again', async () => {
    const desk = await askedForApproval();
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    const [event] = desk.slack.events.list();
    await desk.slack.events.redeliver(event?.event_id ?? '').settled;
    expect(desk.cara.ephemerals()).toEqual([]);
    expect(desk.calls()).toBe(1);
  });

  test('is not told to whoever submits their denial twice, because the answer was late', async () => {
    const desk = await askedForApproval({}, { slack: { ackTimeoutMs: 500 } });
    await desk.cara.click('Decline', desk.message);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    desk.slack.admin.setUserGroup(SEED.groups.approvers, { users: [desk.cara.id] });
    await Promise.all(desk.slack.events.list().map(({ settled }) => settled));
    await desk.restart();
    desk.slack.faults.order({ on: 'usergroups.users.list', fault: { type: 'delay', ms: 800 } });
    expect((await desk.cara.submit({ reason: 'Once' })).trouble).toMatch(/trouble/);
    await desk.reply('A-1001', /Reason: “Once”/);
    expect((await desk.cara.submit({ reason: 'Once' })).outcome).toBe('closed');
    expect(await desk.replies('A-1001')).toHaveLength(1);
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
    const desk = await askedForApproval();
    await Promise.all([vote(desk.cara, desk.message), vote(desk.dev, desk.message)]);
    await desk.reply('A-1001', /is cancelled/);
    await Promise.all(desk.slack.events.list().map(({ settled }) => settled));
    expect(desk.calls()).toBe(1);
    expect(await desk.replies('A-1001')).toEqual([
      expect.stringMatching(/Approved by (Cara Conti|Dev Das)\. The request is on its way/),
      expect.stringMatching(/is cancelled/),
    ]);
  });

  test('one for it and one against make one decision, and everybody reads the same', async () => {
    const desk = await askedForApproval();
    desk.cara.react(NO, desk.message);
    await desk.dev.click('Approve', desk.message);
    const [first = ''] = await expect
      .poll(() => desk.replies('A-1001'))
      .not.toEqual([])
      .then(() => desk.replies('A-1001'));
    const { decision } = (await desk.record('A-1001')).approval ?? {};
    const approved = decision?.choice === 'yes';
    expect(first).toContain(approved ? 'Approved by Dev Das' : 'Cara Conti declined');
    if (approved) await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(approved ? 1 : 0);
  });
});

describe('what the approver sees', () => {
  test('is the target, the reason, who asked, when and where, with a link to the thread', async () => {
    const desk = await askedForApproval(IN_APPROVALS);
    const text = read(desk, desk.message);
    expect(text).toContain('CANCEL ORDER A-1001');
    expect(text).toContain('> Ordered twice');
    expect(text).toMatch(/Requested by @Ana Alvarez in #support, \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(JSON.stringify(desk.message.blocks)).toMatch(/<!date\^\d+\^\{ago\}\|/);
    const card = await desk.card('A-1001');
    expect(JSON.stringify(desk.message.blocks)).toContain(
      `/archives/${SEED.channels.support}/p${card.ts.replace('.', '')}|Open its thread>`,
    );
    expect(buttonsOf(desk.message)).toEqual(['Approve', 'Decline']);
    expect(buttonsOf(card)).toEqual(['Withdraw']);
    expect(read(desk, card)).toContain('Waiting for the approvers in #approvals');
    expect(read(desk, card)).not.toContain('React with');
  });

  test('is the same where it was asked, on the card itself', async () => {
    const desk = await askedForApproval();
    expect(desk.slack.messages('#approvals')).toEqual([]);
    expect(buttonsOf(desk.message)).toEqual(['Approve', 'Decline', 'Withdraw']);
    expect(read(desk, desk.message)).toMatch(/> Ordered twice\n.*Requested by @Ana Alvarez · \d{4}/);
    expect(desk.message.text).toContain(`<!subteam^${SEED.groups.approvers}>`);
  });

  test.each([
    ['on the card', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])('are the earlier requests for the same order, the newest first (%s)', async (_name, policy) => {
    const desk = await startApprovals(policy);
    for (const who of [desk.ben, desk.ana]) {
      await desk.ask('A-1001', { who });
      await desk.cara.click('Decline', await desk.votedOn('A-1001'));
      await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
      await desk.cara.submit();
      await expect.poll(async () => (await desk.record('A-1001')).state).toBe('declined');
    }
    await desk.ask('A-1001');
    const text = read(desk, await desk.votedOn('A-1001'));
    expect(text).toMatch(
      /Earlier requests for this order:\n.*Cancel order · :no_entry: Declined · @Ana Alvarez, .*\n.*@Ben Brandt/,
    );
  });
});

describe('a request that awaits approval', () => {
  test('holds the order: a second agent gets a link to it', async () => {
    const desk = await askedForApproval(IN_APPROVALS);
    const { outcome, modal } = await desk.ask('A-1001', { who: desk.ben });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(
      /already an open request for order A-1001.*Waiting for.*Open its thread/,
    );
  });

  test('is overtaken by an event that says that the order is cancelled', async () => {
    const desk = await askedForApproval(IN_APPROVALS);
    const data = { orderId: 'A-1001', status: 'canceled', updatedAt: new Date().toISOString() };
    await desk.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    const reply = await desk.reply('A-1001', /is already cancelled/);
    expect(reply.text).toBe(
      `<@${desk.ana.id}>: Order A-1001 is already cancelled: the order service announced the cancellation. Approval is no longer needed, and nothing was sent.`,
    );
    const done = await desk.reads(desk.message, 'Approval is no longer needed');
    expect(buttonsOf(done)).toEqual([]);
    desk.cara.react(YES, desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toContain('came too late');
    expect(desk.calls()).toBe(0);
  });

  test('is not overtaken by an event that says that it is not cancelled', async () => {
    const desk = await askedForApproval();
    const data = { orderId: 'A-1001', status: 'denied', updatedAt: new Date().toISOString() };
    await desk.service.deliver({ topic: 'order.cancellationrequest.updated', data })[0]?.settled;
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /the order service cancelled it at once/);
  });

  test.each([
    ['where it was asked', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'ends when what is voted on is deleted (%s): nothing is sent, and whoever asked is told',
    async (_name, policy) => {
      const desk = await askedForApproval({ ...policy, quorum: 2 });
      desk.olga.deleteMessage(desk.message);
      await desk.slack.person('oscar').command('/countermand status A-1001', { channel: '#support' });
      desk.slack.faults.clear();
      const ref = `${(await desk.record('A-1001')).id}:1`;
      await approveWithoutMessage(desk, ref);
      await expect.poll(async () => (await desk.record('A-1001')).state).toBe('not_sent');
      if (policy === IN_APPROVALS)
        await desk.reply('A-1001', /approvers can no longer see your request.*nothing was sent/);
      else
        await desk.ana.waitForDirectMessage(({ text }) => /was removed before.*nothing was sent/.test(text));
      expect(desk.calls()).toBe(0);
    },
  );

  test('ends when the channel in which it is shown is archived, and whoever asked is told', async () => {
    const desk = await askedForApproval({ ...IN_APPROVALS, quorum: 2 });
    const held = desk.slack.events.hold('reaction_added');
    desk.cara.react(YES, desk.message);
    desk.slack.admin.archive(SEED.channels.approvals);
    await held.deliver(0).settled;
    await desk.reply('A-1001', /approvers can no longer see your request about order A-1001/);
    expect(desk.calls()).toBe(0);
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
    const desk = await askedForApproval(IN_APPROVALS);
    await desk.ana.click('Withdraw', await desk.card('A-1001'));
    const reply = await desk.reply('A-1001', /withdrew/);
    expect(reply.text).toBe(`<@${desk.ana.id}> withdrew the request, and nothing was sent.`);
    expect(buttonsOf(await desk.reads(desk.message, 'withdrew the request'))).toEqual([]);
    desk.cara.react(YES, desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toMatch(/came too late.*withdrew the request/);
    expect(desk.calls()).toBe(0);
  });

  test.each(['ben', 'cara'])('is for whoever asked and admins, and not for %s', async (name) => {
    const desk = await askedForApproval();
    const who = desk.slack.person(name);
    await who.click('Withdraw', desk.message);
    expect((await who.waitForEphemeral()).text).toMatch(/^Only .*admins.*Nothing was changed/);
    expect((await desk.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('by an admin ends any open request, and names them; who asked reads it', async () => {
    const desk = await askedForApproval({ mayWithdraw: false });
    await desk.olga.click('Withdraw', desk.message);
    const text = `<@${desk.olga.id}>, an admin, withdrew the request, and nothing was sent.`;
    expect((await desk.reply('A-1001', /withdrew/)).text).toBe(`<@${desk.ana.id}>: ${text}`);
    expect(buttonsOf(await desk.reads(desk.message, 'Olga Orlova, an admin, withdrew the request'))).toEqual(
      [],
    );
    expect(desk.calls()).toBe(0);
  });

  test('by an admin does not make them an approver', async () => {
    const desk = await askedForApproval();
    desk.olga.react(YES, desk.message);
    expect((await desk.olga.waitForEphemeral()).text).toMatch(/^Your vote does not count/);
    expect((await desk.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('is for admins alone where the policy forbids it to whoever asked', async () => {
    const desk = await askedForApproval({ mayWithdraw: false });
    await desk.ana.click('Withdraw', desk.message);
    expect((await desk.ana.waitForEphemeral()).text).toMatch(/^Only an admin can withdraw/);
    expect((await desk.record('A-1001')).state).toBe('awaiting_approval');
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('comes too late once it is decided', async () => {
    const desk = await askedForApproval();
    const updating = desk.slack.faults.order({
      on: 'chat.update',
      // The first one says that the approvers are being checked.
      skip: 1,
      fault: { type: 'hold', when: 'before' },
    });
    await desk.cara.click('Approve', desk.message);
    await updating.reached;
    await desk.ana.click('Withdraw', desk.message);
    expect((await desk.ana.waitForEphemeral()).text).toContain(
      'This request has already changed, so nothing was done',
    );
    updating.release();
    await desk.reply('A-1001', /is cancelled/);
  });
});
