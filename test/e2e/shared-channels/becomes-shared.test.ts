/** A channel with requests becomes shared, or is shared no longer. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Channel } from '../../../sandbox/slack/world/types.ts';
import { IN_APPROVALS, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  approvals,
  cancelOrder,
  cardOf,
  DECLINE_REASON,
  everSent,
  gusOf,
  holdsNoReason,
  otherTeam,
  REQUEST_REASON,
  share,
  shows,
  support,
  team,
  theirs,
} from '../../support/e2e/shared-channels.ts';

/** Gives a private channel a new id, as Slack does when somebody begins to share it: the old id names nothing any more. */
function giveOtherId({ slack: { world } }: Harness, channel: Channel, id: string) {
  world.channels.delete(channel.id);
  channel.id = id;
  for (const message of channel.messages.values()) message.channel = id;
  world.channels.set(id, channel);
}

const refuseUpdates = ({ slack }: Harness) =>
  slack.faults.schedule({
    on: 'chat.update',
    fault: { type: 'error', code: 'ekm_access_denied' },
    times: 99,
  });

const warnings = ({ logged }: Harness): object[] =>
  logged
    .text()
    .split('\n')
    .filter((line) => line.includes('"msg":"message in a shared channel not updated'))
    .map((line) => JSON.parse(line));

describe('a channel that becomes shared later', () => {
  const isGuarded = (shown: string) =>
    !shown.includes(REQUEST_REASON) &&
    !shown.includes(DECLINE_REASON) &&
    shown.includes('reasons are not shown here');

  test('takes the reason off a card that awaits approval; the request goes on, and its requester is told once', async () => {
    const harness = await startApprovals();
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    expect(JSON.stringify(card)).toContain(REQUEST_REASON);
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
    await shows(harness, card, (shown) => shown.includes(REQUEST_REASON));
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
    expect(JSON.stringify(approvalMessage)).toContain(REQUEST_REASON);
    share(harness, approvals);
    await shows(harness, approvalMessage, (shown) => !shown.includes(REQUEST_REASON));
    holdsNoReason(theirs(harness, approvals));
    expect(JSON.stringify(await harness.card('A-1001'))).toContain(REQUEST_REASON);
  });

  test('keeps the reason on a card that Slack does not let be changed, says so, and takes it off once Slack does', async () => {
    const harness = await startHarness();
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    const card = await shows(harness, await harness.card('A-2001'), (shown) => shown.includes('In review'));
    const refused = refuseUpdates(harness);
    share(harness);
    const note = await harness.reply('A-2001', /is now shared with another company/);
    expect(note.text).toContain('Slack does not let me change its card, which may still show reasons.');
    expect(note.text).not.toContain('no longer shows reasons');
    expect(JSON.stringify(await harness.card('A-2001'))).toContain(REQUEST_REASON);
    expect(warnings(harness)).toContainEqual(
      expect.objectContaining({ message: 'card', ts: card.ts, code: 'ekm_access_denied' }),
    );
    refused.cancel();
    await shows(harness, card, isGuarded);
    holdsNoReason(theirs(harness));
  });

  test('keeps it on what the approvers are shown, too: the log says so', async () => {
    const harness = await startApprovals(IN_APPROVALS);
    await cancelOrder(harness, 'A-1001');
    const approvalMessage = await harness.votedOn('A-1001');
    const refused = refuseUpdates(harness);
    share(harness, approvals);
    await expect
      .poll(() => warnings(harness))
      .toContainEqual(expect.objectContaining({ message: 'approval:1', ts: approvalMessage.ts }));
    refused.cancel();
    await shows(harness, approvalMessage, (shown) => !shown.includes(REQUEST_REASON));
    holdsNoReason(theirs(harness, approvals));
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
    expect(everSent(harness).slice(before)).not.toContain(REQUEST_REASON);
    held.release();
    await shows(harness, await harness.card('A-1001'), isGuarded);
    holdsNoReason(theirs(harness));
  });

  test('takes no new request, though nothing was posted there and it could be used a moment ago', async () => {
    const harness = await startHarness();
    const members = [harness.ana.id, harness.slack.installation().bot_user_id];
    harness.slack.admin.addChannel({ team_id: team, name: 'returns', members });
    await harness.cancelOrder('A-2001', { channel: '#returns' });
    // There is one for this order. The channel was looked at, too.
    expect((await harness.cancelOrder('A-2001')).outcome).toBe('pushed');
    await harness.ana.closeModal({ all: true });
    share(harness);
    const shared = harness.slack.events
      .list()
      .find(({ envelope }) => /channel_shared/.test(JSON.stringify(envelope)));
    await shared?.settled;
    expect(shared?.attempts).toEqual([200]);
    expect((await harness.cancelOrder('A-1001')).errors).toEqual({
      channel: expect.stringContaining('shared with another company'),
    });
  });

  test('has its event acknowledged only once the change is stored: until then Slack delivers it again', async () => {
    const harness = await startHarness({ slack: { redeliveryDelaysMs: [0, 10] } });
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.slack.faults.schedule({ on: 'conversations.info', fault: { type: 'status', status: 500 } });
    share(harness);
    await shows(harness, await harness.card('A-2001'), isGuarded);
    const attempts = () => harness.slack.events.list().map((event) => event.attempts);
    await expect.poll(attempts).toContainEqual([503, 200]);
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
    await harness.cancelOrder('A-1001', { reason: REQUEST_REASON, channel: '#backroom' });
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
    expect((await gusOf(harness).waitForEphemeral()).text).toContain('only members of that workspace');
    slack.person('cara').react(YES, here);
    await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
    holdsNoReason(theirs(harness, channel.id));
  });

  test('is of no concern where nothing was ever requested', async () => {
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
