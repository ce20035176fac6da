import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Channel, Message } from '../../../sandbox/slack/world/types.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  openSettings,
  read,
  recordOf,
  setPolicy,
  startApprovals,
} from '../../support/e2e/approvals.ts';
import { type Harness, type HarnessOptions, startHarness } from '../../support/e2e/harness.ts';

/** Words that stand nowhere else. */
const WHY_ASKED = 'Zanzibar ordered it for a surprise';
const WHY_DENIED = 'Because of the quarrel in May';
const YES = 'white_check_mark';
const NO = 'x';

const { support, approvals } = SEED.channels;
const { otherTeam, team } = SEED;

const gusOf = ({ slack }: Harness) => slack.person('gus');

/** #support is shared with Globex, and Gus is in it. */
function share({ slack }: Pick<Harness, 'slack'>, channel: string = support) {
  slack.admin.share(channel, otherTeam);
  slack.admin.invite(channel, SEED.users.gus);
}

async function allow(harness: Harness) {
  const { settings } = await harness.terminal();
  await settings.change(team, { sharedChannels: true });
}

/** Starts a bot in a shared channel in which requests may be posted; approval is needed if a policy is given. */
async function startShared(policy?: Partial<Policy>, options: HarnessOptions = {}) {
  const harness = policy ? await startApprovals(policy, options) : await startHarness(options);
  await allow(harness);
  share(harness);
  return {
    ...harness,
    gus: gusOf(harness),
    cara: harness.slack.person('cara'),
    dev: harness.slack.person('dev'),
  };
}

const cancelOrder = (harness: Harness, order: string) => harness.cancelOrder(order, { reason: WHY_ASKED });

/** All that the people of another company can read of a channel now: its messages as Slack keeps them, and what Gus alone sees. */
function theirs(harness: Harness, channel: string = support): string {
  const gus = gusOf(harness);
  const messages = [...(harness.slack.world.channels.get(channel)?.messages.values() ?? [])];
  return JSON.stringify([messages, gus.ephemerals(), gus.modal() ?? null]);
}

/** All that was ever sent to a channel. */
function everSent({ journal }: Harness, channel: string = support): string {
  const calls = journal.entries({ kind: 'web_api' }).filter(({ name }) => name.startsWith('chat.'));
  return JSON.stringify(calls.filter(({ request }) => JSON.stringify(request).includes(channel)));
}

function holdsNoReason(...texts: string[]) {
  for (const text of texts) {
    expect(text).not.toContain(WHY_ASKED);
    expect(text).not.toContain(WHY_DENIED);
  }
}

/** The card, once it is written down where it stands. */
async function cardOf(harness: Harness, order: string): Promise<Message> {
  const { storage } = await harness.terminal();
  await expect
    .poll(async () => (await recordOf(storage, order)).card.location, { interval: 2 })
    .toBeDefined();
  return harness.card(order);
}

const shows = (harness: Harness, { channel, ts }: Message, matches: (shown: string) => boolean) =>
  harness.slack.waitForMessage(
    (message) => message.channel === channel && message.ts === ts && matches(JSON.stringify(message)),
  );

/** Gives a private channel a new id, as Slack does when somebody begins to share it: the old id names nothing any more. */
function giveOtherId({ slack: { world } }: Harness, channel: Channel, id: string) {
  world.channels.delete(channel.id);
  channel.id = id;
  for (const message of channel.messages.values()) message.channel = id;
  world.channels.set(id, channel);
}

const status = async (harness: Harness, order: string, who = harness.ana) => {
  await who.command(`/countermand status ${order}`, { channel: '#support' });
  const { blocks } = await who.waitForEphemeral(({ text }) => text.includes(order));
  return JSON.stringify(blocks);
};

describe('whether requests may be posted in shared channels', () => {
  test('is for admins to allow, and not allowed before', async () => {
    const harness = await startHarness();
    const before = await openSettings(harness);
    expect(before.values['shared_channels']).toEqual([]);
    await harness.olga.submit({ shared_channels: ['allowed'] });
    const after = await openSettings(harness);
    expect(after.values['shared_channels']).toEqual(['allowed']);
    await harness.olga.submit({ shared_channels: [] });
    const { settings } = await harness.terminal();
    expect((await settings.read(team)).sharedChannels).toBeUndefined();
  });

  test('is known of a channel at once when it is shared, though it was looked at just before', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order . x', { channel: '#support' });
    await harness.ana.waitForModal();
    expect((await harness.ana.submit()).errors).toEqual({ target: expect.any(String) });
    share(harness);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    const { errors } = await harness.ana.submit({ target: 'A-1001' });
    expect(errors).toEqual({ channel: expect.stringContaining('shared with another company') });
  });

  test('says nothing of the channels for notifications and approvals: those stay the company’s own', async () => {
    const harness = await startHarness();
    await allow(harness);
    await openSettings(harness);
    await harness.olga.fill({ notifications: support });
    share(harness);
    const { errors } = await harness.olga.submit();
    expect(errors).toEqual({ notifications: expect.stringContaining('shared with another company') });
  });
});

describe('whoever asks', () => {
  const line = 'This channel is shared with another company';
  const says = (text: string) => (modal: { view: unknown }) => JSON.stringify(modal.view).includes(text);

  test.each([
    [true, 'but no reasons'],
    [false, 'so your request cannot be posted there'],
  ])('reads as the form opens that the channel is shared (allowed: %s)', async (allowed, text) => {
    const harness = await startHarness();
    if (allowed) await allow(harness);
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#partners' });
    const { values } = await harness.ana.waitForModal(says(text));
    expect(values['channel']).toBe(SEED.channels.partners);
    const { outcome, errors } = await harness.ana.submit();
    expect(outcome).toBe(allowed ? 'closed' : 'errors');
    expect(Object.keys(errors)).toEqual(allowed ? [] : ['channel']);
  });

  test('reads it when they choose such a channel, and all that they have typed stays', async () => {
    const harness = await startHarness();
    await allow(harness);
    await harness.ana.command('/cancel-order', { channel: '#support' });
    await harness.ana.waitForModal();
    const typed = { target: 'A-1001', reason: WHY_ASKED, reason_choice: 'Wrong address' };
    await harness.ana.fill({ ...typed, channel: SEED.channels.partners });
    const notice = await harness.ana.waitForModal(says(line));
    expect(notice.values).toMatchObject({ ...typed, channel: SEED.channels.partners });
    await harness.ana.fill({ channel: support });
    const again = await harness.ana.waitForModal((modal) => !says(line)(modal));
    expect(again.values).toMatchObject({ ...typed, channel: support });
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('reads nothing of it, and can ask all the same, while Slack does not tell of the channel', async () => {
    const harness = await startHarness();
    harness.slack.faults.order({
      on: 'conversations.info',
      fault: { type: 'status', status: 500 },
      times: 2,
    });
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.fill({ channel: support });
    await harness.journal.waitFor(
      ({ name, response }) => name === 'conversations.info' && response?.status === 500,
    );
    expect(harness.ana.modal()?.values).toMatchObject({ target: 'A-1001', reason: 'x' });
  });
});

describe('in a shared channel', () => {
  test('a request does what it does elsewhere, and no message ever says why it was asked', async () => {
    const harness = await startShared();
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.deny('A-2001');
    await harness.reply('A-2001', /denied/);
    const card = await harness.card('A-1001');
    expect(read(harness, card)).toContain('reasons are not shown here');
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(WHY_ASKED);
    expect(await status(harness, 'A-1001', harness.ben)).toContain(WHY_ASKED);
  });

  test('a refusal of the service that quotes the reason is told without its words', async () => {
    const harness = await startShared();
    const body = {
      code: 'VALIDATION_ERROR',
      message: `Not a reason: ${WHY_ASKED}`,
      details: [{ field: 'reason', error: WHY_ASKED }],
    };
    harness.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    await cancelOrder(harness, 'A-1001');
    const reply = await harness.reply('A-1001', /refused the request/);
    expect(reply.text).toContain('Its answer (VALIDATION_ERROR) is not shown here');
    await harness.shows('A-1001', /Its answer .* is not shown here/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain('Not a reason');
  });

  test('nobody else reads why it was denied, by the button', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    await harness.cara.click('Decline', await cardOf(harness, 'A-1001'));
    const form = await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    expect(JSON.stringify(form.view)).toContain('The card does not show it');
    await harness.cara.submit({ reason: WHY_DENIED });
    const reply = await harness.reply('A-1001', /declined the request/);
    expect(reply.text).toContain('The reason is not shown here');
    await harness.shows('A-1001', /declined the request/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(WHY_DENIED);
  });

  test('nobody else reads why it was denied, after a reaction', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    harness.cara.react(NO, card);
    const prompt = await harness.cara.waitForDirectMessage(({ text }) =>
      text.includes('You can add a reason'),
    );
    await harness.cara.click('Add a reason', prompt);
    await harness.cara.waitForModal(({ callback_id }) => callback_id === 'add_reason');
    await harness.cara.submit({ reason: WHY_DENIED });
    await harness.reply('A-1001', /added a reason for declining/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(WHY_DENIED);
  });

  test('the approvers read the reason in their own channel', async () => {
    const harness = await startShared(IN_APPROVALS);
    await cancelOrder(harness, 'A-1001');
    const approvalMessage = await harness.slack.waitForMessage({ channel: '#approvals', text: 'A-1001' });
    expect(JSON.stringify(approvalMessage)).toContain(WHY_ASKED);
    holdsNoReason(theirs(harness), everSent(harness));
  });
});

describe('people of the other company', () => {
  const ONLY_MEMBERS = /Only members of this workspace/;

  test.each([YES, NO])('change nothing by a reaction (%s), and are told so privately', async (emoji) => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    harness.gus.react(emoji, await cardOf(harness, 'A-1001'));
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    const { storage } = await harness.terminal();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    holdsNoReason(theirs(harness));
  });

  test('change nothing by a button of a request that awaits approval', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    const { storage } = await harness.terminal();
    for (const button of ['Approve', 'Withdraw']) {
      const before = harness.gus.ephemerals().length;
      await harness.gus.click(button, card);
      await harness.gus.waitForEphemeral(() => harness.gus.ephemerals().length > before);
      expect(harness.gus.ephemerals().at(-1)?.text).toMatch(ONLY_MEMBERS);
    }
    await harness.gus.click('Decline', card);
    const { view } = await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    holdsNoReason(theirs(harness), everSent(harness));
  });

  test('change nothing by a button of a request that was refused, or is in review', async () => {
    const harness = await startShared();
    harness.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /refused/);
    await harness.gus.click('Retry', await harness.shows('A-1001', /refused/));
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    await harness.gus.click('Record the outcome', await harness.shows('A-2001', /reviewing/));
    const { view } = await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    holdsNoReason(theirs(harness));
  });

  test('are not told what was decided, or why, when they are late, too', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    const updating = harness.slack.faults.order({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Decline', card);
    await harness.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await harness.cara.submit({ reason: WHY_DENIED });
    await updating.reached;
    await harness.gus.click('Approve', card);
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    harness.gus.react(YES, card);
    await harness.slack.waitUntil(() => harness.gus.ephemerals().length === 2 || undefined, {
      awaited: 'refusal',
    });
    await harness.gus.click('Decline', card);
    await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    updating.release();
    await harness.reply('A-1001', /declined the request/);
    holdsNoReason(theirs(harness), everSent(harness));
  });

  test.each(['decline', 'add_reason', 'record_outcome'])(
    'are refused in the form “%s” of their own making: Slack names their company as its team',
    async (callback_id) => {
      const harness = await startShared({});
      await cancelOrder(harness, 'A-1001');
      await cardOf(harness, 'A-1001');
      const { storage } = await harness.terminal();
      const record = await recordOf(storage, 'A-1001');
      const reason = { reason: { type: 'plain_text_input', value: 'x' } };
      const selected_option = { value: 'release' };
      const view = {
        id: 'V1',
        type: 'modal',
        callback_id,
        private_metadata: `${record.id}:1`,
        app_installed_team_id: team,
        state: { values: { reason, outcome: { outcome: { type: 'radio_buttons', selected_option } } } },
      };
      const body = {
        type: 'view_submission',
        team: { id: otherTeam },
        user: { id: harness.gus.id, team_id: otherTeam },
        view,
      };
      const answer = await harness.slack.sendCustom({ kind: 'interactivity', body });
      expect(answer).toMatchObject({
        status: 200,
        body: expect.stringMatching(/Only|cannot find this request/),
      });
      const after = await recordOf(storage, 'A-1001');
      expect([after.state, after.steps.length]).toEqual(['awaiting_approval', 1]);
    },
  );

  test('choose nothing in a form of their own making, and nobody’s workspace but ours is asked', async () => {
    const harness = await startShared();
    const channel = { channel: { type: 'conversations_select', selected_conversation: support } };
    const text = { type: 'plain_text_input', value: 'x' };
    const body = {
      type: 'block_actions',
      team: { id: otherTeam },
      user: { id: harness.gus.id, team_id: otherTeam },
      actions: [{ type: 'conversations_select', action_id: 'channel', block_id: 'channel' }],
      view: {
        id: 'V1',
        hash: '1.x',
        type: 'modal',
        callback_id: 'request_cancel_order',
        app_installed_team_id: team,
        blocks: [],
        state: { values: { target: { target: text }, reason: { reason: text }, channel } },
      },
    };
    expect(await harness.slack.sendCustom({ kind: 'interactivity', body })).toMatchObject({ status: 200 });
    await harness.journal.waitFor(
      ({ name, request }) => name === 'views.update' && JSON.stringify(request).includes('"V1"'),
    );
    expect(harness.gus.modal()).toBeUndefined();
  });
});

describe('a channel that becomes shared later', () => {
  const isGuarded = (shown: string) =>
    !shown.includes(WHY_ASKED) && !shown.includes(WHY_DENIED) && shown.includes('reasons are not shown here');

  test('takes the reason off a card that awaits approval; the request goes on, and its requester is told once', async () => {
    const harness = await startApprovals();
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    expect(JSON.stringify(card)).toContain(WHY_ASKED);
    share(harness);
    await shows(harness, card, isGuarded);
    const note = await harness.reply('A-1001', /is now shared with another company/);
    expect(note.text).toContain(`<@${harness.ana.id}>`);
    expect(note.text).toContain('only if an admin allows shared channels');
    const [event] = harness.slack.events
      .list()
      .filter(({ envelope }) => /channel_shared/.test(JSON.stringify(envelope)));
    harness.slack.events.redeliver(event?.event_id ?? '');
    harness.cara.react(YES, card);
    await harness.reply('A-1001', /is cancelled/);
    expect(
      (await harness.replies('A-1001')).filter((text) => text.includes('is now shared with')),
    ).toHaveLength(1);
    holdsNoReason(theirs(harness));
    expect((await cancelOrder(harness, 'A-2001')).errors).toEqual({
      channel: expect.stringContaining('shared with another company'),
    });
  });

  test('takes the reason off a card that is in review, and off those that have ended', async () => {
    const harness = await startHarness();
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    share(harness);
    for (const order of ['A-1001', 'A-2001']) await shows(harness, await harness.card(order), isGuarded);
    await harness.reply('A-2001', /is now shared with another company/);
    expect(await harness.replies('A-1001')).toHaveLength(1);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /is cancelled/);
    holdsNoReason(theirs(harness));
  });

  test('shows the reasons again once it is the company’s own again', async () => {
    const harness = await startHarness();
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    const card = await harness.card('A-2001');
    share(harness);
    await shows(harness, card, isGuarded);
    harness.slack.admin.unshare(support, otherTeam);
    await shows(harness, card, (shown) => shown.includes(WHY_ASKED));
    harness.slack.admin.share(support, otherTeam);
    await shows(harness, card, isGuarded);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /is cancelled/);
    expect(
      (await harness.replies('A-2001')).filter((text) => text.includes('is now shared with')),
    ).toHaveLength(1);
  });

  test('takes the reason off what the approvers are shown, where it is their channel', async () => {
    const harness = await startApprovals(IN_APPROVALS);
    await cancelOrder(harness, 'A-1001');
    const approvalMessage = await harness.votedOn('A-1001');
    expect(JSON.stringify(approvalMessage)).toContain(WHY_ASKED);
    share(harness, approvals);
    await shows(harness, approvalMessage, (shown) => !shown.includes(WHY_ASKED));
    holdsNoReason(theirs(harness, approvals));
    expect(JSON.stringify(await harness.card('A-1001'))).toContain(WHY_ASKED);
  });

  test('is known before anything is posted there, though its event is late', async () => {
    const harness = await startHarness();
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const before = everSent(harness).length;
    const held = harness.slack.events.hold('channel_shared');
    share(harness);
    // Whether it may be used was asked within the last minute: the request is taken.
    expect((await cancelOrder(harness, 'A-2001')).outcome).toBe('closed');
    await harness.reply('A-2001', /is now shared with another company/);
    const card = await harness.card('A-2001');
    await shows(harness, card, isGuarded);
    expect(everSent(harness).slice(before)).not.toContain(WHY_ASKED);
    held.release();
    await shows(harness, await harness.card('A-1001'), isGuarded);
    holdsNoReason(theirs(harness));
  });

  test('is not acknowledged before it is written down: Slack tells again', async () => {
    const harness = await startHarness({ slack: { ackTimeoutMs: 500, redeliveryDelaysMs: [0, 10] } });
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.slack.faults.order({ on: 'conversations.info', fault: { type: 'status', status: 500 } });
    share(harness);
    await shows(harness, await harness.card('A-2001'), isGuarded);
    const [event] = harness.slack.events.list().filter(({ attempts }) => attempts.length > 1);
    await event?.settled;
    expect(event?.attempts).toEqual([503, 200]);
  });

  test('is what Slack says now, in whatever order its events come', async () => {
    const harness = await startHarness();
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    const held = harness.slack.events.hold('channel_shared', 'channel_unshared');
    share(harness);
    harness.slack.admin.unshare(support, otherTeam);
    harness.slack.admin.share(support, otherTeam);
    for (const place of [2, 0, 1]) await held.deliver(place).settled;
    await shows(harness, await harness.card('A-2001'), isGuarded);
    holdsNoReason(theirs(harness));
  });

  test('is found again under the id that a private one gets when it is shared', async () => {
    const harness = await startApprovals();
    const { slack } = harness;
    const { cara } = SEED.users;
    const bot = slack.installation().bot_user_id;
    const members = [harness.ana.id, cara, bot];
    const channel = slack.admin.addChannel({ team_id: team, name: 'backroom', kind: 'private', members });
    const old_channel_id = channel.id;
    await harness.cancelOrder('A-1001', { reason: WHY_ASKED, channel: '#backroom' });
    const card = await harness.votedOn('A-1001');
    const { settings } = await harness.terminal();
    await settings.change(team, { notificationsChannel: old_channel_id });
    giveOtherId(harness, channel, 'C0BACKROOM');
    share(harness, channel.id);
    const moved = { type: 'channel_id_changed', old_channel_id, new_channel_id: channel.id };
    slack.events.send(slack.installation(), moved, channel);
    const here = { channel: channel.id, ts: card.ts };
    await shows(harness, { ...card, ...here }, isGuarded);
    expect(await settings.read(team)).toMatchObject({ notificationsChannel: channel.id });
    await slack.waitForMessage({ thread_ts: card.ts, text: /is now shared with another company/ });
    gusOf(harness).react(YES, here);
    expect((await gusOf(harness).waitForEphemeral()).text).toContain('Only members of this workspace');
    slack.person('cara').react(YES, here);
    await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
    holdsNoReason(theirs(harness, channel.id));
  });

  test('is of no concern where nothing was ever asked', async () => {
    const harness = await startHarness();
    const { id } = harness.slack.admin.addChannel({
      team_id: team,
      name: 'quiet',
      members: [harness.slack.installation().bot_user_id],
    });
    harness.slack.admin.share(id, otherTeam);
    const [event] = harness.slack.events.list();
    await event?.settled;
    expect(event?.attempts).toEqual([200]);
    expect(harness.journal.entries({ name: 'conversations.info' })).toEqual([]);
  });
});

describe('a channel of another company that is shared with this one no longer', () => {
  /** Globex has shared a channel of its own with Acme. */
  async function startAsGuest() {
    const harness = await startHarness();
    await allow(harness);
    const { slack } = harness;
    const members = [harness.ana.id, SEED.users.gus, slack.installation().bot_user_id];
    const former = slack.admin.addChannel({ team_id: otherTeam, name: 'joint-desk', members });
    slack.admin.share(former.id, team);
    return { ...harness, former };
  }

  /** Ana has asked there. */
  async function requestAsGuest() {
    const harness = await startAsGuest();
    await harness.cancelOrder('A-2001', { reason: WHY_ASKED, channel: '#joint-desk' });
    await harness.slack.waitForMessage({ channel: harness.former.id, text: /is reviewing it/ });
    return harness;
  }

  test('has another id, of which no event tells: the outcome goes to the one who asked', async () => {
    const harness = await requestAsGuest();
    harness.slack.admin.unshare(harness.former.id, team);
    harness.service.approve('A-2001');
    const notice = await harness.ana.waitForDirectMessage(({ text }) => /is cancelled/.test(text));
    expect(notice.text).toContain('I cannot post in');
    holdsNoReason(theirs(harness, harness.former.id));
  });

  test('is not found by its former id at once, and can be used by the other one', async () => {
    const harness = await startAsGuest();
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#joint-desk' });
    await harness.ana.waitForModal();
    const copy = harness.slack.admin.unshare(harness.former.id, team);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    const { outcome, errors } = await harness.ana.submit();
    expect(outcome).toBe('errors');
    expect(errors).toEqual({ channel: expect.stringContaining('I cannot see this channel') });
    await harness.ana.closeModal();
    await harness.ana.command('/cancel-order A-1001 x', { channel: copy.id });
    await harness.ana.waitForModal();
    await harness.ana.submit();
    await harness.slack.waitForMessage({ channel: copy.id, text: /Order A-1001 is cancelled/ });
  });

  test('is followed where Slack names the other id all the same', async () => {
    const harness = await requestAsGuest();
    const copy = harness.slack.admin.unshare(harness.former.id, team);
    const moved = { old_channel_id: harness.former.id, new_channel_id: copy.id };
    harness.slack.events.send(harness.slack.installation(), { type: 'channel_id_changed', ...moved }, copy);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    harness.service.approve('A-2001');
    await harness.slack.waitForMessage({ channel: copy.id, text: /is cancelled/ });
  });
});

test('a request that is sent again from a shared channel needs no second permission', async () => {
  const harness = await startHarness();
  harness.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await cancelOrder(harness, 'A-1001');
  await harness.reply('A-1001', /refused/);
  share(harness);
  const card = await shows(harness, await harness.card('A-1001'), (shown) => !shown.includes(WHY_ASKED));
  expect(buttonsOf(card)).toContain('Retry');
  await setPolicy(harness);
  await harness.ana.click('Retry', card);
  await harness.shows('A-1001', /Waiting for/);
  await harness.slack.person('cara').click('Approve', card);
  await harness.reply('A-1001', /is cancelled/);
  holdsNoReason(theirs(harness));
});
