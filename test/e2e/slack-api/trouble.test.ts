import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { repliesOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { recordOf, startApprovals } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
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
      const harness = await startHarness();
      harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code } });
      await harness.cancelOrder('A-1001');
      const notice = await harness.ana.waitForDirectMessage(({ text: said }) => text.test(said));
      expect(notice.text).toMatch(/nothing was sent to the order service/);
      expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
      // The slot is free again.
      expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
      await harness.reply('A-1001', /is cancelled/);
    },
  );

  test('a card that was posted and not confirmed: there is one card and one call in the end', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'unanswered' } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const cards = harness.slack
      .messages('#support')
      .filter(({ text }) => text.startsWith('Cancel order A-1001'));
    expect(cards).toHaveLength(1);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('it cannot be asked who somebody is: no request is created, and the person has a reference that is in the log', async () => {
    const harness = await startHarness();
    const away = harness.slack.faults.schedule({
      on: 'users.info',
      fault: { type: 'status', status: 500 },
      times: 9,
    });
    const { outcome, modal } = await harness.cancelOrder('A-1001');
    expect(outcome).toBe('pushed');
    const reference = /give an admin this reference: ([A-Z0-9]{8})/.exec(JSON.stringify(modal?.view))?.[1];
    expect(harness.logged.text()).toContain(`"reference":"${reference}"`);
    // The form keeps its input, beneath the notification.
    away.cancel();
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });
});

describe('the card goes away before the call', () => {
  test('nothing is sent, and the requester reads why', async () => {
    const harness = await startHarness();
    await harness.service.close();
    const update = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cancelOrder('A-1001');
    await update.reached;
    harness.olga.deleteMessage(await harness.card('A-1001'));
    update.release();
    const notice = await harness.ana.waitForDirectMessage();
    expect(notice.text).toMatch(
      /was deleted before the request could be sent, so nothing was sent to the order service/,
    );
  });
});

test('the bot leaves the channel of the card before anybody approves: nothing is sent, the requester is told at once, and the card is not said to be removed', async () => {
  const harness = await startApprovals();
  const bot = harness.slack.installation().bot_user_id;
  const members = [harness.ana.id, harness.dev.id, bot];
  const { id } = harness.slack.admin.addChannel({
    team_id: SEED.team,
    name: 'desk',
    kind: 'private',
    members,
  });
  await harness.cancelOrder('A-1001', { channel: '#desk' });
  await harness.votedOn('A-1001');
  harness.slack.admin.kick(id, bot);
  const { text } = await harness.ana.waitForDirectMessage();
  expect(text).toBe(
    `I could not update the card of the request about order A-1001 in <#${id}>: I could no longer see that channel, so nothing was sent to the order service. Request it again if you still want it, in a channel where I can post.`,
  );
  expect(harness.calls()).toBe(0);
});

describe('Slack fails after the call', () => {
  /** The reply is the second message of a request; the first one is its card. */
  const onReply = { on: 'chat.postMessage', skip: 1 };

  test('a reply that was posted and not confirmed stands once', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ ...onReply, fault: { type: 'unanswered' } });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await harness.replies('A-2001')).toEqual([
      expect.stringMatching(/reviewing/),
      expect.stringMatching(/confirmed it after a review/),
    ]);
  });

  test('an update of the card whose answer is lost is made again', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'chat.update', fault: { type: 'unanswered' } });
    await harness.cancelOrder('A-1001');
    await harness.shows('A-1001', /is cancelled/);
    const ofOutcome = () =>
      harness.journal
        .entries({ name: 'chat.update' })
        .filter(({ request }) => JSON.stringify(request).includes('is cancelled'));
    await expect.poll(() => ofOutcome().length).toBe(2);
  });

  const outcomeDirectly = async (harness: Awaited<ReturnType<typeof startHarness>>) => {
    harness.service.approve('A-2001');
    const notice = await harness.ana.waitForDirectMessage(({ text }) =>
      /is cancelled: the order service confirmed it after a review/.test(text),
    );
    expect(notice.text).toMatch(/I am writing to you here because the card of this request was deleted\./);
    expect(harness.ana.directMessages()).toHaveLength(1);
  };

  test('an update that Slack does not allow is made once Slack allows it; the reply is in the thread until then', async () => {
    const harness = await startHarness();
    const refused = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'error', code: 'edit_window_closed' },
      times: 99,
    });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.ana.directMessages()).toEqual([]);
    await harness.journal.waitFor({ name: 'chat.update' });
    refused.cancel();
    await harness.shows('A-1001', /is cancelled/);
    expect(harness.logged.text()).not.toContain('message in a shared channel');
  });

  test('a reply whose answer was lost, and whose card is then deleted, is not posted twice', async () => {
    const harness = await startHarness({ overrides: { timings: { ...TIMINGS, doubtMs: 1_000 } } });
    harness.slack.faults.schedule({ ...onReply, fault: { type: 'unanswered' } });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.olga.deleteMessage(await harness.card('A-2001'));
    await outcomeDirectly(harness);
    const said = harness.slack.messages('#support').filter(({ text }) => /reviewing/.test(text));
    expect(said).toHaveLength(1);
  });

  test('the card is deleted in the very moment: no reply is left astray in the channel', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    const standing = harness.shows('A-2001', /reviewing/);
    await harness.reply('A-2001', /reviewing/);
    const update = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'after' },
    });
    harness.service.approve('A-2001');
    await update.reached;
    for (const { ts } of await harness.slack.thread('#support', (await standing).ts).slice(1)) {
      harness.olga.deleteMessage({ channel: '#support', ts });
    }
    harness.olga.deleteMessage(await standing);
    update.release();
    await harness.ana.waitForDirectMessage(({ text }) =>
      /is cancelled: the order service confirmed it after a review/.test(text),
    );
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('and not even a direct message gets through: the log knows, and the reply stands in the channel', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.olga.deleteMessage(await harness.card('A-2001'));
    harness.slack.faults.schedule({
      on: 'conversations.open',
      fault: { type: 'error', code: 'user_disabled' },
    });
    harness.service.approve('A-2001');
    await harness.journal.waitFor({ name: 'conversations.open' });
    await expect.poll(() => harness.logged.text()).toContain('"code":"user_disabled"');
    const { storage } = await harness.terminal();
    await expect
      .poll(async () => repliesOf(await recordOf(storage, 'A-2001')).map(({ delivery }) => delivery.status))
      .toEqual(['posted', 'posted']);
    const said = harness.slack.messages('#support').filter(({ thread_ts }) => thread_ts === undefined);
    expect(said.map(({ text }) => text)).toEqual([expect.stringMatching(/confirmed it after a review/)]);
  });
});

describe('Slack takes no card', () => {
  const heldCard = (harness: Harness) =>
    harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'hold', when: 'before' } });

  test('in a channel that is archived in that moment: nothing is sent, and the requester reads what to do', async () => {
    const harness = await startHarness();
    const card = heldCard(harness);
    await harness.cancelOrder('A-1001');
    await card.reached;
    harness.slack.admin.archive(support);
    card.release();
    const notice = await harness.ana.waitForDirectMessage();
    expect(notice.text).toMatch(/nothing was sent to the order service\. That channel is archived\. Choose/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    // The slot is free again.
    harness.slack.admin.unarchive(support);
    harness.slack.admin.invite(support, SEED.users.ana);
    expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('in a public channel that the bot is not in: it joins', async () => {
    const harness = await startHarness();
    harness.slack.admin.kick(support, harness.slack.installation().bot_user_id);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.journal.entries({ name: 'conversations.join' })).toHaveLength(1);
  });

  test('with a token that was revoked: nothing is sent', async () => {
    const harness = await startHarness();
    const card = heldCard(harness);
    await harness.cancelOrder('A-1001');
    await card.reached;
    harness.slack.admin.revokeToken(SEED.team);
    card.release();
    await expect.poll(() => harness.logged.text()).toMatch(/"code":"(token_revoked|invalid_auth)"/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });
});

describe('the outcome goes to the requester', () => {
  const channel = '#private-desk';
  /** Order A-1001 is cancelled at once, and A-2001 after a review. */
  type Order = 'A-1001' | 'A-2001';

  /** The call was made, its card stands in a private channel, and the outcome is not known yet. */
  async function called(order: Order) {
    const harness = await startHarness();
    const bot = harness.slack.installation().bot_user_id;
    const { id } = harness.slack.admin.addChannel({
      team_id: SEED.team,
      name: channel.slice(1),
      kind: 'private',
      members: [harness.ana.id, harness.olga.id, bot],
    });
    const fault = { type: 'hold', when: 'after' } as const;
    const held =
      order === 'A-1001' ? harness.service.faults.schedule({ on: 'cancel_order', fault }) : undefined;
    await harness.cancelOrder(order, { channel });
    const card = await harness.slack.waitForMessage({ channel, text: `Cancel order ${order}` });
    const reviewed = { channel, thread_ts: card.ts, text: /is reviewing it/ };
    await (held ? held.reached : harness.slack.waitForMessage(reviewed));
    const comesOut = () => (held ? held.release() : harness.service.approve(order));
    return { harness, id, bot, card, comesOut };
  }

  type Known = Awaited<ReturnType<typeof called>>;
  const deletes = ({ harness, card }: Known) => harness.olga.deleteMessage(card);
  const archives = ({ harness, id }: Known) => harness.slack.admin.archive(id);
  const kicks = ({ harness, id, bot }: Known) => harness.slack.admin.kick(id, bot);

  const deleted = 'the card of this request was deleted.';
  const noPosting = 'I could not post in the thread of this request in <#';
  test.each<[string, Order, string, (known: Known) => unknown]>([
    ['the card was deleted after the call', 'A-1001', deleted, deletes],
    ['the card was deleted during the review', 'A-2001', deleted, deletes],
    ['its channel was archived after the call', 'A-1001', noPosting, archives],
    ['the bot was removed from it after the call', 'A-1001', noPosting, kicks],
  ])('where %s', async (_name, order, why, happens) => {
    const known = await called(order);
    await happens(known);
    known.comesOut();
    const { ana, service } = known.harness;
    const notice = await ana.waitForDirectMessage();
    expect(notice.text).toContain('is cancelled');
    expect(notice.text).toContain(`I am writing to you here because ${why}`);
    expect(ana.directMessages()).toHaveLength(1);
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });
});

test('a card whose channel was looked at for so long that somebody else may have posted it is not posted under that claim', async () => {
  const harness = await startHarness({ overrides: { timings: { ...TIMINGS, claimMs: 800, doubtMs: 100 } } });
  const slow = { type: 'delay', ms: 500 } as const;
  const looking = harness.slack.faults.schedule({ on: 'conversations.info', fault: slow, times: 99 });
  await harness.cancelOrder('A-1001');
  await eventually(() => expect(harness.logged.text()).toContain('"result":"later","code":"too_late"'));
  expect(harness.journal.entries({ kind: 'web_api', name: 'chat.postMessage' })).toEqual([]);
  looking.cancel();
  await harness.reply('A-1001', /is cancelled/);
});

test('a requester whose card Slack refuses for a while reads that it is delayed, and nothing is sent before it stands', async () => {
  const harness = await startHarness({ overrides: { timings: { ...TIMINGS, delayedMs: 100 } } });
  harness.slack.faults.schedule({
    on: 'chat.postMessage',
    where: { channel: support },
    fault: { type: 'rate_limit', retryAfterSeconds: 1 },
    times: 2,
  });
  await harness.cancelOrder('A-1001');
  const { text } = await harness.ana.waitForDirectMessage();
  expect(text).toContain('Your request “Cancel order A-1001” is delayed: Slack has not taken it');
  expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  await harness.reply('A-1001', /is cancelled/);
});

test('a requester reads once that a request is delayed whose card is in doubt', async () => {
  const timings = { ...TIMINGS, delayedMs: 100, doubtMs: 1_000 };
  const harness = await startHarness({ overrides: { timings } });
  harness.slack.faults.schedule({
    on: 'chat.postMessage',
    where: { channel: support },
    fault: { type: 'unanswered' },
  });
  await harness.cancelOrder('A-1001');
  const { text } = await harness.ana.waitForDirectMessage();
  expect(text).toMatch(
    /“Cancel order A-1001” is delayed: Slack has not confirmed yet whether it is posted in/,
  );
  expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  await harness.reply('A-1001', /is cancelled/);
  expect(harness.ana.directMessages()).toHaveLength(1);
});

test('a card whose channel was archived for a while shows the outcome, and its thread has the next reply', async () => {
  const harness = await startHarness();
  await harness.cancelOrder('A-2001');
  await harness.reply('A-2001', /is reviewing it/);
  harness.slack.admin.archive(support);
  harness.service.approve('A-2001');
  await harness.ana.waitForDirectMessage(({ text }) => text.includes('is cancelled'));
  harness.slack.admin.unarchive(support);
  harness.service.deny('A-2001');
  await harness.reply('A-2001', /A-2001 is not cancelled/);
  const card = async () => JSON.stringify(await harness.card('A-2001'));
  await expect.poll(card).toMatch(/Not cancelled/);
});
