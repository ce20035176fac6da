import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { askFor, cardOf, KINDS, replyTo } from '../../support/e2e/kinds.ts';
import { eventually } from '../../support/time/eventually.ts';

const { support } = SEED.channels;

describe('Slack fails before the call', () => {
  test.each([
    ['channel_not_found', /I cannot see that channel\. Invite me there/],
    [
      'restricted_action',
      /Slack did not let me post there: a setting of this workspace limits who may post there/,
    ],
  ])(
    'the card is refused with %s: nothing is sent, and the requester is told in private what to do',
    async (code, text) => {
      const desk = await startDesk();
      desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'error', code } });
      await desk.ask('A-1001');
      const told = await desk.ana.waitForDirectMessage(({ text: said }) => text.test(said));
      expect(told.text).toMatch(/nothing was sent to the order service/);
      expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
      // The slot is free again.
      expect((await desk.ask('A-1001')).outcome).toBe('closed');
      await desk.reply('A-1001', /is cancelled/);
    },
  );

  test.each([
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['500, nothing posted', { type: 'status' as const, status: 500 }],
    ['500, posted all the same', { type: 'status_after' as const, status: 500 }],
    ['a dropped connection', { type: 'drop' as const }],
    ['a message that was posted and not confirmed', { type: 'unanswered' as const }],
    ['fatal_error', { type: 'error' as const, code: 'fatal_error' }],
    ['a 200 that is not JSON', { type: 'garbage' as const }],
  ])('%s: there is one card and one call in the end', async (_name, fault) => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'chat.postMessage', fault });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    const cards = desk.slack
      .messages('#support')
      .filter(({ text }) => text.startsWith('Cancel order A-1001'));
    expect(cards).toHaveLength(1);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('it can not be asked who somebody is: nothing is asked, and the person has a reference that is in the log', async () => {
    const desk = await startDesk();
    const away = desk.slack.faults.order({
      on: 'users.info',
      fault: { type: 'status', status: 500 },
      times: 9,
    });
    const { outcome, modal } = await desk.ask('A-1001');
    expect(outcome).toBe('pushed');
    const reference = /give an admin this reference: ([A-Z0-9]{8})/.exec(JSON.stringify(modal?.view))?.[1];
    expect(desk.logged.text()).toContain(`"reference":"${reference}"`);
    // What was typed is still there, beneath the notification.
    away.cancel();
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
  });
});

describe('the card goes away before the call', () => {
  test('nothing is sent, and the requester reads why', async () => {
    const desk = await startDesk();
    await desk.service.close();
    const update = desk.slack.faults.order({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    await desk.ask('A-1001');
    await update.reached;
    desk.olga.deleteMessage(await desk.card('A-1001'));
    update.release();
    const told = await desk.ana.waitForDirectMessage();
    expect(told.text).toMatch(
      /was removed before the request could be sent, so nothing was sent to the order service/,
    );
  });
});

describe('Slack fails after the call', () => {
  /** The reply is the second message of a request; the first one is its card. */
  const onReply = { on: 'chat.postMessage', skip: 1 };

  test.each([
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['500, nothing posted', { type: 'status' as const, status: 503 }],
    ['500, posted all the same', { type: 'status_after' as const, status: 500 }],
    ['a dropped connection', { type: 'drop' as const }],
    ['a reply that was posted and not confirmed', { type: 'unanswered' as const }],
    ['a 200 that is not JSON', { type: 'garbage' as const }],
  ])('%s: the reply stands once', async (_name, fault) => {
    const desk = await startDesk();
    desk.slack.faults.order({ ...onReply, fault });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    expect(await desk.replies('A-2001')).toEqual([
      expect.stringMatching(/reviewing/),
      expect.stringMatching(/approved/),
    ]);
  });

  test.each([
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['500', { type: 'status' as const, status: 500 }],
    ['a lost answer', { type: 'unanswered' as const }],
  ])('an update of the card that meets %s is made again', async (_name, fault) => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'chat.update', fault });
    await desk.ask('A-1001');
    await desk.shows('A-1001', /is cancelled/);
  });

  const outcomeDirectly = async (desk: Awaited<ReturnType<typeof startDesk>>) => {
    desk.service.approve('A-2001');
    const told = await desk.ana.waitForDirectMessage(({ text }) =>
      /is cancelled: the review approved/.test(text),
    );
    expect(told.text).toMatch(/I am writing to you here because I cannot post in <#/);
    expect(desk.ana.directMessages()).toHaveLength(1);
  };

  test('an update that Slack does not allow leaves the card as it is; the reply is in its thread', async () => {
    const desk = await startDesk();
    desk.slack.faults.order({
      on: 'chat.update',
      fault: { type: 'error', code: 'edit_window_closed' },
      times: 9,
    });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.ana.directMessages()).toEqual([]);
  });

  test('a reply whose answer was lost, and whose card is then deleted, is not posted twice', async () => {
    const desk = await startDesk({ overrides: { timings: { ...TIMINGS, doubtMs: 1_000 } } });
    desk.slack.faults.order({ ...onReply, fault: { type: 'unanswered' } });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.olga.deleteMessage(await desk.card('A-2001'));
    await outcomeDirectly(desk);
    const said = desk.slack.messages('#support').filter(({ text }) => /reviewing/.test(text));
    expect(said).toHaveLength(1);
  });

  test('the card is deleted in the very moment: no reply is left astray in the channel', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    const standing = desk.shows('A-2001', /reviewing/);
    await desk.reply('A-2001', /reviewing/);
    const update = desk.slack.faults.order({ on: 'chat.update', fault: { type: 'hold', when: 'after' } });
    desk.service.approve('A-2001');
    await update.reached;
    for (const { ts } of await desk.slack.thread('#support', (await standing).ts).slice(1)) {
      desk.olga.deleteMessage({ channel: '#support', ts });
    }
    desk.olga.deleteMessage(await standing);
    update.release();
    await desk.ana.waitForDirectMessage(({ text }) => /is cancelled: the review approved/.test(text));
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('and not even a direct message gets through: the log knows, and the step is settled', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.olga.deleteMessage(await desk.card('A-2001'));
    desk.slack.faults.order({ on: 'conversations.open', fault: { type: 'error', code: 'user_disabled' } });
    desk.service.approve('A-2001');
    await desk.journal.waitFor({ name: 'conversations.open' });
    await expect.poll(() => desk.logged.text()).toContain('refused (user_disabled)');
  });
});

describe.each(KINDS)('Slack takes no card for $command', (kind) => {
  const heldCard = (desk: Desk) =>
    desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'before' } });

  test('in a channel that is archived in that moment: nothing is sent, and the requester reads what to do', async () => {
    const desk = await startDesk();
    const card = heldCard(desk);
    await askFor(desk, kind);
    await card.reached;
    desk.slack.admin.archive(support);
    card.release();
    const told = await desk.ana.waitForDirectMessage();
    expect(told.text).toMatch(/nothing was sent to the order service\. That channel is archived\. Choose/);
    expect(desk.service.calls({ operation: kind.operation })).toEqual([]);
    // The slot is free again.
    desk.slack.admin.unarchive(support);
    expect((await askFor(desk, kind)).outcome).toBe('closed');
    await replyTo(desk, kind, new RegExp(kind.done));
  });

  test('in a public channel that the bot is not in: it joins', async () => {
    const desk = await startDesk();
    desk.slack.admin.kick(support, desk.slack.installation().bot_user_id);
    await askFor(desk, kind);
    await replyTo(desk, kind, new RegExp(kind.done));
    expect(desk.journal.entries({ name: 'conversations.join' })).toHaveLength(1);
  });

  test('with a token that was revoked: nothing is sent', async () => {
    const desk = await startDesk();
    const card = heldCard(desk);
    await askFor(desk, kind);
    await card.reached;
    desk.slack.admin.revokeToken(SEED.team);
    card.release();
    await expect.poll(() => desk.logged.text()).toMatch(/"code":"(token_revoked|invalid_auth)"/);
    expect(desk.service.calls({ operation: kind.operation })).toEqual([]);
  });
});

const AFTER_THE_CALL = [
  ...KINDS.map((kind) => ({ name: kind.command, kind, reviewed: false })),
  { name: 'a reviewed /cancel-order', kind: { ...KINDS[0], target: 'A-2001' }, reviewed: true },
];

describe.each(AFTER_THE_CALL)('the outcome of $name goes to the requester', ({ kind, reviewed }) => {
  const channel = '#private-desk';

  /** The call was made, its card stands in a private channel, and the outcome is not known yet. */
  async function called() {
    const desk = await startDesk();
    const bot = desk.slack.installation().bot_user_id;
    const { id } = desk.slack.admin.addChannel({
      team_id: SEED.team,
      name: channel.slice(1),
      kind: 'private',
      members: [desk.ana.id, desk.olga.id, bot],
    });
    const fault = { type: 'hold', when: 'after' } as const;
    const held = reviewed ? undefined : desk.service.faults.order({ on: kind.operation, fault });
    await askFor(desk, kind, { channel });
    await (held ? held.reached : replyTo(desk, kind, /is reviewing it/, { channel }));
    const comesOut = () => (held ? held.release() : desk.service.approve(kind.target));
    return { desk, id, bot, comesOut };
  }

  test.each<[string, (known: Awaited<ReturnType<typeof called>>) => unknown]>([
    [
      'the card was deleted',
      async ({ desk }) => desk.olga.deleteMessage(await cardOf(desk, kind, { channel })),
    ],
    ['its channel was archived', ({ desk, id }) => desk.slack.admin.archive(id)],
    ['the bot was removed from it', ({ desk, id, bot }) => desk.slack.admin.kick(id, bot)],
  ])('where %s after the call', async (_name, happens) => {
    const known = await called();
    await happens(known);
    known.comesOut();
    const { ana, service } = known.desk;
    const told = await ana.waitForDirectMessage();
    expect(told.text).toMatch(new RegExp(kind.done));
    expect(told.text).toMatch(/I am writing to you here because I cannot post in <#/);
    expect(ana.directMessages()).toHaveLength(1);
    expect(service.calls({ operation: kind.operation })).toHaveLength(1);
  });
});

test('a card whose channel was looked at for so long that somebody else may have posted it is not posted under that claim', async () => {
  const desk = await startDesk({ overrides: { timings: { ...TIMINGS, claimMs: 800, doubtMs: 100 } } });
  const slow = { type: 'delay', ms: 500 } as const;
  const looking = desk.slack.faults.order({ on: 'conversations.info', fault: slow, times: 99 });
  await desk.ask('A-1001');
  await eventually(() => expect(desk.logged.text()).toContain('later (too_late)'));
  expect(desk.journal.entries({ kind: 'web_api', name: 'chat.postMessage' })).toEqual([]);
  looking.cancel();
  await desk.reply('A-1001', /is cancelled/);
});
