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
import { type Desk, type DeskOptions, startDesk } from '../../support/e2e/harness.ts';

/** Words that stand nowhere else. */
const WHY_ASKED = 'Zanzibar ordered it for a surprise';
const WHY_DENIED = 'Because of the quarrel in May';
const YES = 'white_check_mark';
const NO = 'x';

const { support, approvals } = SEED.channels;
const { otherTeam, team } = SEED;

const gusOf = ({ slack }: Desk) => slack.person('gus');

/** #support is shared with Globex, and Gus is in it. */
function share({ slack }: Pick<Desk, 'slack'>, channel: string = support) {
  slack.admin.share(channel, otherTeam);
  slack.admin.invite(channel, SEED.users.gus);
}

async function allow(desk: Desk) {
  const { settings } = await desk.terminal();
  await settings.change(team, { sharedChannels: true });
}

/** A desk in a shared channel in which requests may be posted; approval is needed where a policy is given. */
async function sharedDesk(policy?: Partial<Policy>, options: DeskOptions = {}) {
  const desk = policy ? await startApprovals(policy, options) : await startDesk(options);
  await allow(desk);
  share(desk);
  return { ...desk, gus: gusOf(desk), cara: desk.slack.person('cara'), dev: desk.slack.person('dev') };
}

const ask = (desk: Desk, order: string) => desk.ask(order, { reason: WHY_ASKED });

/** All that the people of another company can read of a channel now: its messages as Slack keeps them, and what Gus alone sees. */
function theirs(desk: Desk, channel: string = support): string {
  const gus = gusOf(desk);
  const messages = [...(desk.slack.world.channels.get(channel)?.messages.values() ?? [])];
  return JSON.stringify([messages, gus.ephemerals(), gus.modal() ?? null]);
}

/** All that was ever sent to a channel. */
function everSent({ journal }: Desk, channel: string = support): string {
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
async function cardOf(desk: Desk, order: string): Promise<Message> {
  const { storage } = await desk.terminal();
  await expect
    .poll(async () => (await recordOf(storage, order)).card.location, { interval: 2 })
    .toBeDefined();
  return desk.card(order);
}

const shows = (desk: Desk, { channel, ts }: Message, matches: (shown: string) => boolean) =>
  desk.slack.waitForMessage(
    (message) => message.channel === channel && message.ts === ts && matches(JSON.stringify(message)),
  );

/** What Slack does with a private channel when somebody begins to share it: the old id names nothing any more. */
function giveOtherId({ slack: { world } }: Desk, channel: Channel, id: string) {
  world.channels.delete(channel.id);
  channel.id = id;
  for (const message of channel.messages.values()) message.channel = id;
  world.channels.set(id, channel);
}

const status = async (desk: Desk, order: string, who = desk.ana) => {
  await who.command(`/countermand status ${order}`, { channel: '#support' });
  const { blocks } = await who.waitForEphemeral(({ text }) => text.includes(order));
  return JSON.stringify(blocks);
};

describe('whether requests may be posted in shared channels', () => {
  test('is for admins to allow, and not allowed before', async () => {
    const desk = await startDesk();
    const before = await openSettings(desk);
    expect(before.values['shared_channels']).toEqual([]);
    await desk.olga.submit({ shared_channels: ['allowed'] });
    const after = await openSettings(desk);
    expect(after.values['shared_channels']).toEqual(['allowed']);
    await desk.olga.submit({ shared_channels: [] });
    const { settings } = await desk.terminal();
    expect((await settings.read(team)).sharedChannels).toBeUndefined();
  });

  test('is known of a channel at once when it is shared, though it was looked at just before', async () => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order . x', { channel: '#support' });
    await desk.ana.waitForModal();
    expect((await desk.ana.submit()).errors).toEqual({ target: expect.any(String) });
    share(desk);
    await Promise.all(desk.slack.events.list().map(({ settled }) => settled));
    const { errors } = await desk.ana.submit({ target: 'A-1001' });
    expect(errors).toEqual({ channel: expect.stringContaining('shared with another company') });
  });

  test('says nothing of the channels for notifications and approvals: those stay the company’s own', async () => {
    const desk = await startDesk();
    await allow(desk);
    await openSettings(desk);
    await desk.olga.fill({ notifications: support });
    share(desk);
    const { errors } = await desk.olga.submit();
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
    const desk = await startDesk();
    if (allowed) await allow(desk);
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#partners' });
    const { values } = await desk.ana.waitForModal(says(text));
    expect(values['channel']).toBe(SEED.channels.partners);
    const { outcome, errors } = await desk.ana.submit();
    expect(outcome).toBe(allowed ? 'closed' : 'errors');
    expect(Object.keys(errors)).toEqual(allowed ? [] : ['channel']);
  });

  test('reads it when they choose such a channel, and all that they have typed stays', async () => {
    const desk = await startDesk();
    await allow(desk);
    await desk.ana.command('/cancel-order', { channel: '#support' });
    await desk.ana.waitForModal();
    const typed = { target: 'A-1001', reason: WHY_ASKED, reason_choice: 'Wrong address' };
    await desk.ana.fill({ ...typed, channel: SEED.channels.partners });
    const told = await desk.ana.waitForModal(says(line));
    expect(told.values).toMatchObject({ ...typed, channel: SEED.channels.partners });
    await desk.ana.fill({ channel: support });
    const again = await desk.ana.waitForModal((modal) => !says(line)(modal));
    expect(again.values).toMatchObject({ ...typed, channel: support });
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('reads nothing of it, and can ask all the same, while Slack does not tell of the channel', async () => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'conversations.info', fault: { type: 'status', status: 500 }, times: 2 });
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.ana.fill({ channel: support });
    await desk.journal.waitFor(
      ({ name, response }) => name === 'conversations.info' && response?.status === 500,
    );
    expect(desk.ana.modal()?.values).toMatchObject({ target: 'A-1001', reason: 'x' });
  });
});

describe('in a shared channel', () => {
  test('a request does what it does elsewhere, and no message ever says why it was asked', async () => {
    const desk = await sharedDesk();
    await ask(desk, 'A-1001');
    await desk.reply('A-1001', /is cancelled/);
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.service.deny('A-2001');
    await desk.reply('A-2001', /denied/);
    const card = await desk.card('A-1001');
    expect(read(desk, card)).toContain('reasons are not shown here');
    holdsNoReason(theirs(desk), everSent(desk));
    expect(await status(desk, 'A-1001')).toContain(WHY_ASKED);
    expect(await status(desk, 'A-1001', desk.ben)).toContain(WHY_ASKED);
  });

  test('a refusal of the service that quotes the reason is told without its words', async () => {
    const desk = await sharedDesk();
    const body = {
      code: 'VALIDATION_ERROR',
      message: `Not a reason: ${WHY_ASKED}`,
      details: [{ field: 'reason', error: WHY_ASKED }],
    };
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    await ask(desk, 'A-1001');
    const reply = await desk.reply('A-1001', /refused the request/);
    expect(reply.text).toContain('Its answer (VALIDATION_ERROR) is not shown here');
    await desk.shows('A-1001', /Its answer .* is not shown here/);
    holdsNoReason(theirs(desk), everSent(desk));
    expect(await status(desk, 'A-1001')).toContain('Not a reason');
  });

  test('nobody else reads why it was denied, by the button', async () => {
    const desk = await sharedDesk({});
    await ask(desk, 'A-1001');
    await desk.cara.click('Decline', await cardOf(desk, 'A-1001'));
    const form = await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    expect(JSON.stringify(form.view)).toContain('The card does not show it');
    await desk.cara.submit({ reason: WHY_DENIED });
    const reply = await desk.reply('A-1001', /declined the request/);
    expect(reply.text).toContain('The reason is not shown here');
    await desk.shows('A-1001', /declined the request/);
    holdsNoReason(theirs(desk), everSent(desk));
    expect(await status(desk, 'A-1001')).toContain(WHY_DENIED);
  });

  test('nobody else reads why it was denied, after a reaction', async () => {
    const desk = await sharedDesk({});
    await ask(desk, 'A-1001');
    const card = await cardOf(desk, 'A-1001');
    desk.cara.react(NO, card);
    const prompt = await desk.cara.waitForDirectMessage(({ text }) => text.includes('You can add a reason'));
    await desk.cara.click('Add a reason', prompt);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'add_reason');
    await desk.cara.submit({ reason: WHY_DENIED });
    await desk.reply('A-1001', /added a reason for declining/);
    holdsNoReason(theirs(desk), everSent(desk));
    expect(await status(desk, 'A-1001')).toContain(WHY_DENIED);
  });

  test('the approvers read the reason in their own channel', async () => {
    const desk = await sharedDesk(IN_APPROVALS);
    await ask(desk, 'A-1001');
    const approvalMessage = await desk.slack.waitForMessage({ channel: '#approvals', text: 'A-1001' });
    expect(JSON.stringify(approvalMessage)).toContain(WHY_ASKED);
    holdsNoReason(theirs(desk), everSent(desk));
  });
});

describe('people of the other company', () => {
  const ONLY_MEMBERS = /Only members of this workspace/;

  test.each([YES, NO])('change nothing by a reaction (%s), and are told so privately', async (emoji) => {
    const desk = await sharedDesk({});
    await ask(desk, 'A-1001');
    desk.gus.react(emoji, await cardOf(desk, 'A-1001'));
    expect((await desk.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    const { storage } = await desk.terminal();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
    holdsNoReason(theirs(desk));
  });

  test('change nothing by a button of a request that awaits approval', async () => {
    const desk = await sharedDesk({});
    await ask(desk, 'A-1001');
    const card = await cardOf(desk, 'A-1001');
    const { storage } = await desk.terminal();
    for (const button of ['Approve', 'Withdraw']) {
      const before = desk.gus.ephemerals().length;
      await desk.gus.click(button, card);
      await desk.gus.waitForEphemeral(() => desk.gus.ephemerals().length > before);
      expect(desk.gus.ephemerals().at(-1)?.text).toMatch(ONLY_MEMBERS);
    }
    await desk.gus.click('Decline', card);
    const { view } = await desk.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    holdsNoReason(theirs(desk), everSent(desk));
  });

  test('change nothing by a button of a request that was refused, or is in review', async () => {
    const desk = await sharedDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await ask(desk, 'A-1001');
    await desk.reply('A-1001', /refused/);
    await desk.gus.click('Retry', await desk.shows('A-1001', /refused/));
    expect((await desk.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    await desk.gus.click('Record the outcome', await desk.shows('A-2001', /reviewing/));
    const { view } = await desk.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    holdsNoReason(theirs(desk));
  });

  test('are not told what was decided, or why, when they are late, too', async () => {
    const desk = await sharedDesk({});
    await ask(desk, 'A-1001');
    const card = await cardOf(desk, 'A-1001');
    const updating = desk.slack.faults.order({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    await desk.cara.click('Decline', card);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await desk.cara.submit({ reason: WHY_DENIED });
    await updating.reached;
    await desk.gus.click('Approve', card);
    expect((await desk.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    desk.gus.react(YES, card);
    await desk.slack.waitUntil(() => desk.gus.ephemerals().length === 2 || undefined, { awaited: 'refusal' });
    await desk.gus.click('Decline', card);
    await desk.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    updating.release();
    await desk.reply('A-1001', /declined the request/);
    holdsNoReason(theirs(desk), everSent(desk));
  });

  test.each(['decline', 'add_reason', 'record_outcome'])(
    'are refused in the form “%s” of their own making: Slack names their company as its team',
    async (callback_id) => {
      const desk = await sharedDesk({});
      await ask(desk, 'A-1001');
      await cardOf(desk, 'A-1001');
      const { storage } = await desk.terminal();
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
        user: { id: desk.gus.id, team_id: otherTeam },
        view,
      };
      const answer = await desk.slack.sendCustom({ kind: 'interactivity', body });
      expect(answer).toMatchObject({
        status: 200,
        body: expect.stringMatching(/Only|cannot find this request/),
      });
      const after = await recordOf(storage, 'A-1001');
      expect([after.state, after.steps.length]).toEqual(['awaiting_approval', 1]);
    },
  );

  test('choose nothing in a form of their own making, and nobody’s workspace but ours is asked', async () => {
    const desk = await sharedDesk();
    const channel = { channel: { type: 'conversations_select', selected_conversation: support } };
    const text = { type: 'plain_text_input', value: 'x' };
    const body = {
      type: 'block_actions',
      team: { id: otherTeam },
      user: { id: desk.gus.id, team_id: otherTeam },
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
    expect(await desk.slack.sendCustom({ kind: 'interactivity', body })).toMatchObject({ status: 200 });
    await desk.journal.waitFor(
      ({ name, request }) => name === 'views.update' && JSON.stringify(request).includes('"V1"'),
    );
    expect(desk.gus.modal()).toBeUndefined();
  });
});

describe('a channel that becomes shared later', () => {
  const isGuarded = (shown: string) =>
    !shown.includes(WHY_ASKED) && !shown.includes(WHY_DENIED) && shown.includes('reasons are not shown here');

  test('takes the reason off a card that awaits approval; the request goes on, and its requester is told once', async () => {
    const desk = await startApprovals();
    await ask(desk, 'A-1001');
    const card = await cardOf(desk, 'A-1001');
    expect(JSON.stringify(card)).toContain(WHY_ASKED);
    share(desk);
    await shows(desk, card, isGuarded);
    const note = await desk.reply('A-1001', /is now shared with another company/);
    expect(note.text).toContain(`<@${desk.ana.id}>`);
    expect(note.text).toContain('only if an admin allows shared channels');
    const [event] = desk.slack.events
      .list()
      .filter(({ envelope }) => /channel_shared/.test(JSON.stringify(envelope)));
    desk.slack.events.redeliver(event?.event_id ?? '');
    desk.cara.react(YES, card);
    await desk.reply('A-1001', /is cancelled/);
    expect((await desk.replies('A-1001')).filter((text) => text.includes('is now shared with'))).toHaveLength(
      1,
    );
    holdsNoReason(theirs(desk));
    expect((await ask(desk, 'A-2001')).errors).toEqual({
      channel: expect.stringContaining('shared with another company'),
    });
  });

  test('takes the reason off a card that is in review, and off those that have ended', async () => {
    const desk = await startDesk();
    await ask(desk, 'A-1001');
    await desk.reply('A-1001', /is cancelled/);
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    share(desk);
    for (const order of ['A-1001', 'A-2001']) await shows(desk, await desk.card(order), isGuarded);
    await desk.reply('A-2001', /is now shared with another company/);
    expect(await desk.replies('A-1001')).toHaveLength(1);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /is cancelled/);
    holdsNoReason(theirs(desk));
  });

  test('shows the reasons again once it is the company’s own again', async () => {
    const desk = await startDesk();
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    const card = await desk.card('A-2001');
    share(desk);
    await shows(desk, card, isGuarded);
    desk.slack.admin.unshare(support, otherTeam);
    await shows(desk, card, (shown) => shown.includes(WHY_ASKED));
    desk.slack.admin.share(support, otherTeam);
    await shows(desk, card, isGuarded);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /is cancelled/);
    expect((await desk.replies('A-2001')).filter((text) => text.includes('is now shared with'))).toHaveLength(
      1,
    );
  });

  test('takes the reason off what the approvers are shown, where it is their channel', async () => {
    const desk = await startApprovals(IN_APPROVALS);
    await ask(desk, 'A-1001');
    const approvalMessage = await desk.votedOn('A-1001');
    expect(JSON.stringify(approvalMessage)).toContain(WHY_ASKED);
    share(desk, approvals);
    await shows(desk, approvalMessage, (shown) => !shown.includes(WHY_ASKED));
    holdsNoReason(theirs(desk, approvals));
    expect(JSON.stringify(await desk.card('A-1001'))).toContain(WHY_ASKED);
  });

  test('is known before anything is posted there, though its event is late', async () => {
    const desk = await startDesk();
    await ask(desk, 'A-1001');
    await desk.reply('A-1001', /is cancelled/);
    const before = everSent(desk).length;
    const held = desk.slack.events.hold('channel_shared');
    share(desk);
    // Whether it may be used was asked within the last minute: the request is taken.
    expect((await ask(desk, 'A-2001')).outcome).toBe('closed');
    await desk.reply('A-2001', /is now shared with another company/);
    const card = await desk.card('A-2001');
    await shows(desk, card, isGuarded);
    expect(everSent(desk).slice(before)).not.toContain(WHY_ASKED);
    held.release();
    await shows(desk, await desk.card('A-1001'), isGuarded);
    holdsNoReason(theirs(desk));
  });

  test('is not acknowledged before it is written down: Slack tells again', async () => {
    const desk = await startDesk({ slack: { ackTimeoutMs: 500, redeliveryDelaysMs: [0, 10] } });
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.slack.faults.order({ on: 'conversations.info', fault: { type: 'status', status: 500 } });
    share(desk);
    await shows(desk, await desk.card('A-2001'), isGuarded);
    const [event] = desk.slack.events.list().filter(({ attempts }) => attempts.length > 1);
    await event?.settled;
    expect(event?.attempts).toEqual([503, 200]);
  });

  test('is what Slack says now, in whatever order its events come', async () => {
    const desk = await startDesk();
    await ask(desk, 'A-2001');
    await desk.reply('A-2001', /reviewing/);
    const held = desk.slack.events.hold('channel_shared', 'channel_unshared');
    share(desk);
    desk.slack.admin.unshare(support, otherTeam);
    desk.slack.admin.share(support, otherTeam);
    for (const place of [2, 0, 1]) await held.deliver(place).settled;
    await shows(desk, await desk.card('A-2001'), isGuarded);
    holdsNoReason(theirs(desk));
  });

  test('is found again under the id that a private one gets when it is shared', async () => {
    const desk = await startApprovals();
    const { slack } = desk;
    const { cara } = SEED.users;
    const bot = slack.installation().bot_user_id;
    const members = [desk.ana.id, cara, bot];
    const channel = slack.admin.addChannel({ team_id: team, name: 'backroom', kind: 'private', members });
    const old_channel_id = channel.id;
    await desk.ask('A-1001', { reason: WHY_ASKED, channel: '#backroom' });
    const card = await desk.votedOn('A-1001');
    const { settings } = await desk.terminal();
    await settings.change(team, { notificationsChannel: old_channel_id });
    giveOtherId(desk, channel, 'C0BACKROOM');
    share(desk, channel.id);
    const moved = { type: 'channel_id_changed', old_channel_id, new_channel_id: channel.id };
    slack.events.send(slack.installation(), moved, channel);
    const here = { channel: channel.id, ts: card.ts };
    await shows(desk, { ...card, ...here }, isGuarded);
    expect(await settings.read(team)).toMatchObject({ notificationsChannel: channel.id });
    await slack.waitForMessage({ thread_ts: card.ts, text: /is now shared with another company/ });
    gusOf(desk).react(YES, here);
    expect((await gusOf(desk).waitForEphemeral()).text).toContain('Only members of this workspace');
    slack.person('cara').react(YES, here);
    await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
    holdsNoReason(theirs(desk, channel.id));
  });

  test('is of no concern where nothing was ever asked', async () => {
    const desk = await startDesk();
    const { id } = desk.slack.admin.addChannel({
      team_id: team,
      name: 'quiet',
      members: [desk.slack.installation().bot_user_id],
    });
    desk.slack.admin.share(id, otherTeam);
    const [event] = desk.slack.events.list();
    await event?.settled;
    expect(event?.attempts).toEqual([200]);
    expect(desk.journal.entries({ name: 'conversations.info' })).toEqual([]);
  });
});

describe('a channel of another company that is shared with this one no longer', () => {
  /** Globex has shared a channel of its own with Acme. */
  async function startAsGuest() {
    const desk = await startDesk();
    await allow(desk);
    const { slack } = desk;
    const members = [desk.ana.id, SEED.users.gus, slack.installation().bot_user_id];
    const former = slack.admin.addChannel({ team_id: otherTeam, name: 'joint-desk', members });
    slack.admin.share(former.id, team);
    return { ...desk, former };
  }

  /** Ana has asked there. */
  async function askedAsGuest() {
    const desk = await startAsGuest();
    await desk.ask('A-2001', { reason: WHY_ASKED, channel: '#joint-desk' });
    await desk.slack.waitForMessage({ channel: desk.former.id, text: /is reviewing it/ });
    return desk;
  }

  test('has another id, of which no event tells: the outcome goes to the one who asked', async () => {
    const desk = await askedAsGuest();
    desk.slack.admin.unshare(desk.former.id, team);
    desk.service.approve('A-2001');
    const told = await desk.ana.waitForDirectMessage(({ text }) => /is cancelled/.test(text));
    expect(told.text).toContain('I cannot post in');
    holdsNoReason(theirs(desk, desk.former.id));
  });

  test('is not found by its former id at once, and can be used by the other one', async () => {
    const desk = await startAsGuest();
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#joint-desk' });
    await desk.ana.waitForModal();
    const copy = desk.slack.admin.unshare(desk.former.id, team);
    await Promise.all(desk.slack.events.list().map(({ settled }) => settled));
    const { outcome, errors } = await desk.ana.submit();
    expect(outcome).toBe('errors');
    expect(errors).toEqual({ channel: expect.stringContaining('I cannot see this channel') });
    await desk.ana.closeModal();
    await desk.ana.command('/cancel-order A-1001 x', { channel: copy.id });
    await desk.ana.waitForModal();
    await desk.ana.submit();
    await desk.slack.waitForMessage({ channel: copy.id, text: /Order A-1001 is cancelled/ });
  });

  test('is followed where Slack names the other id all the same', async () => {
    const desk = await askedAsGuest();
    const copy = desk.slack.admin.unshare(desk.former.id, team);
    const moved = { old_channel_id: desk.former.id, new_channel_id: copy.id };
    desk.slack.events.send(desk.slack.installation(), { type: 'channel_id_changed', ...moved }, copy);
    await Promise.all(desk.slack.events.list().map(({ settled }) => settled));
    desk.service.approve('A-2001');
    await desk.slack.waitForMessage({ channel: copy.id, text: /is cancelled/ });
  });
});

test('a request that is sent again from a shared channel needs no second permission', async () => {
  const desk = await startDesk();
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await ask(desk, 'A-1001');
  await desk.reply('A-1001', /refused/);
  share(desk);
  const card = await shows(desk, await desk.card('A-1001'), (shown) => !shown.includes(WHY_ASKED));
  expect(buttonsOf(card)).toContain('Retry');
  await setPolicy(desk);
  await desk.ana.click('Retry', card);
  await desk.shows('A-1001', /Waiting for/);
  await desk.slack.person('cara').click('Approve', card);
  await desk.reply('A-1001', /is cancelled/);
  holdsNoReason(theirs(desk));
});
