import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  NO,
  read,
  startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

/** Over Socket Mode an event that can't be recorded is not acknowledged at all: Slack waits, and sends it again. */
const IMPATIENT = { slack: { ackTimeoutMs: 700, redeliveryDelaysMs: Array.from({ length: 50 }, () => 50) } };

/** Approve and Decline in the approvals channel: outcomes.test.ts. */
describe('a vote on the message', () => {
  const PLACES = [
    ['where it was requested', {}],
    ['in the approvals channel', IN_APPROVALS],
  ] as const;

  test.each(PLACES)('%s, by reaction: the approving emoji sends the request', async (_where, shown) => {
    const harness = await startAwaitingApproval(shown);
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(1);
  });

  test('by reaction: the denying emoji ends the request', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(NO, harness.message);
    await harness.reply('A-1001', /Cara Conti declined the request, and nothing was sent/);
    expect(harness.calls()).toBe(0);
  });

  test('by button: "Approve" sends the request, once it is confirmed', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    await harness.dev.click('Approve', harness.message, { confirm: false });
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Cara Conti');
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(1);
  });

  test('by button: "Decline" ends the request, with a reason or without', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    expect((await harness.cara.submit()).outcome).toBe('closed');
    const reply = await harness.reply('A-1001', /declined the request/);
    expect(reply.text).not.toContain('reason');
    expect(harness.calls()).toBe(0);
  });

  test.each(PLACES)(
    '%s, is told on it while it lasts, and leaves no emoji and no button to press',
    async (_where, shown) => {
      const harness = await startAwaitingApproval({ ...shown, quorum: 2 });
      await harness.reads(harness.message, '0 of 2). Nothing is sent until there are 2 approvals. Expires');
      harness.cara.react(YES, harness.message);
      const open = await harness.reads(
        harness.message,
        '1 of 2: @Cara Conti). Nothing is sent until there are 2 approvals. Expires',
      );
      expect(buttonsOf(open)).toEqual(expect.arrayContaining(['Approve', 'Decline']));
      expect(harness.calls()).toBe(0);
      harness.dev.react(YES, harness.message);
      const done = await harness.reads(harness.message, 'Approved by @Cara Conti and @Dev Das');
      await harness.reply('A-1001', /is cancelled/);
      expect(buttonsOf(done).filter((label) => ['Approve', 'Decline'].includes(String(label)))).toEqual([]);
      expect(read(harness, done)).not.toContain('React with');
      expect(harness.calls()).toBe(1);
    },
  );
});

describe('what counts', () => {
  test('a skin tone makes no difference', async () => {
    const harness = await startAwaitingApproval({ emoji: { yes: '+1', no: '-1' } });
    harness.cara.react('+1::skin-tone-3', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('other emoji, and reactions to other messages, mean nothing', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react('eyes', harness.message);
    const said = harness.cara.say('Looking at it', { channel: '#support', thread_ts: harness.message.ts });
    harness.cara.react(YES, said);
    harness.dev.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    expect(await harness.voteHistory('A-1001')).toEqual([`voted ${harness.dev.id}`]);
    expect(harness.cara.ephemerals()).toEqual([]);
  });

  test('one vote a person, however many times and ways it is made', async () => {
    const harness = await startAwaitingApproval({ quorum: 2, emoji: { yes: '+1', no: '-1' } });
    harness.cara.react('+1', harness.message);
    harness.cara.react('+1::skin-tone-4', harness.message);
    const votes = async () => (await harness.record('A-1001')).approval?.history.length;
    await expect.poll(votes).toBe(2);
    await harness.cara.click('Approve', harness.message);
    await expect.poll(votes).toBe(3);
    await harness.reads(harness.message, '1 of 2: @Cara Conti)');
    await expect.poll(() => harness.cara.ephemerals().length).toBe(2);
    const [byReactions, both] = harness.cara.ephemerals().map(({ text }) => text);
    const counts = 'So far 1 of 2 approvals count.';
    expect(byReactions).toBe(
      `*Cancel order A-1001*: You have already approved this, and your approval counts once. To take it back, remove your reactions. ${counts}`,
    );
    expect(both).toBe(
      `*Cancel order A-1001*: You have already approved this, and your approval counts once. To take it back, remove your reactions, then press *Take back my vote* on the message that shows the request. ${counts}`,
    );
    expect(harness.calls()).toBe(0);
  });

  test('a vote by button beside a reaction until it is taken back, too, as its voter reads', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const { cara, message } = harness;
    await cara.click('Approve', message);
    await harness.reads(message, '1 of 2: @Cara Conti)');
    cara.react(YES, message);
    expect((await cara.waitForEphemeral()).text).toContain(
      'your approval counts once. To take it back, remove your reaction, then press *Take back my vote* on the message that shows the request.',
    );
    const offersTakeBack = (isOffered: boolean) =>
      harness.slack.waitForMessage(
        (shown) => shown.ts === message.ts && buttonsOf(shown).includes('Take back my vote') === isOffered,
      );
    await offersTakeBack(false);
    cara.unreact(YES, message);
    await cara.click('Take back my vote', await offersTakeBack(true));
    await harness.reads(message, '0 of 2');
  });

  test('a vote by button once, however often it is pressed, and its voter reads of no reaction', async () => {
    const { cara, message, ...harness } = await startAwaitingApproval({ quorum: 2 });
    await cara.click('Approve', message);
    await harness.reads(message, '1 of 2: @Cara Conti)');
    await cara.click('Approve', message);
    expect((await cara.waitForEphemeral()).text).toBe(
      '*Cancel order A-1001*: You have already approved this, and your approval counts once. To take it back, press *Take back my vote* on the message that shows the request. So far 1 of 2 approvals count.',
    );
    await cara.click('Take back my vote', message);
    await harness.reads(message, '0 of 2');
  });

  test('no vote of the requester, who reads why and how many count', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.dev.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    harness.ana.react(YES, harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(
      /: Your vote does not count, because you made this request\. .+ So far 1 of 2 approvals count\.$/,
    );
  });

  test('what does not count is said in the thread in which the card stands', async () => {
    const harness = await startApprovals({ quorum: 2 });
    const { support: channel } = SEED.channels;
    const { ts } = harness.ben.say('Please cancel A-1001', { channel });
    await harness.ana.messageShortcut('message_cancel_order', { channel, ts });
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('A-1001'));
    await harness.ana.submit({ reason_choice: 'Ordered twice' });
    const card = await harness.votedOn('A-1001');
    harness.ana.react(YES, card);
    expect(await harness.ana.waitForEphemeral()).toMatchObject({ thread_ts: ts });
    await harness.ana.click('Approve', card);
    await expect.poll(() => harness.ana.ephemerals().length).toBe(2);
    for (const told of harness.ana.ephemerals()) expect(told).toMatchObject({ thread_ts: ts });
  });

  test('one decline is enough, beside an approval too', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.dev.react(NO, harness.message);
    await harness.reply('A-1001', /Dev Das declined/);
    expect(harness.calls()).toBe(0);
  });

  test('the later vote of a person replaces the earlier one', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.cara.react(NO, harness.message);
    await harness.reply('A-1001', /Cara Conti declined/);
  });

  test('a decline at once, whatever Slack cannot say', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const looking = harness.slack.faults.schedule({
      on: 'reactions.get',
      fault: { type: 'hold', when: 'before' },
    });
    harness.cara.react(NO, harness.message);
    await harness.reply('A-1001', /Cara Conti declined/);
    expect(looking.remaining).toBe(1);
    looking.cancel();
  });
});

describe('while Slack has trouble', () => {
  test.each([
    ['cannot say what stands on the message', 'reactions.get', { type: 'status' as const, status: 500 }],
    ['asks to slow down', 'reactions.get', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
  ])('and %s, nothing is decided; then it is', async (_name, on, fault) => {
    const harness = await startAwaitingApproval();
    harness.slack.faults.schedule({ on, fault });
    harness.cara.react(YES, harness.message);
    // After a 429 of Slack, the card is not updated either until the pause is over.
    if (fault.type === 'status') await harness.reads(harness.message, '1 of 1: @Cara Conti');
    await harness.journal.waitFor({ name: on });
    expect(harness.calls()).toBe(0);
    await harness.reply('A-1001', /is cancelled/);
    const names = harness.journal
      .entries(({ name }) => [on, 'cancel_order'].includes(name))
      .map(({ name }) => name);
    expect(names).toEqual([on, on, 'cancel_order']);
  });

  test('and cannot say who voted, Slack is not told that the vote has arrived: it comes again', async () => {
    const harness = await startAwaitingApproval({}, IMPATIENT);
    await harness.restart();
    harness.slack.faults.schedule({ on: 'users.info', fault: { type: 'status', status: 500 } });
    harness.cara.react(YES, harness.message);
    const [event] = harness.slack.events.list();
    await event?.settled;
    expect(event?.attempts.at(0)).not.toBe(200);
    expect(event?.attempts.at(-1)).toBe(200);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('and does not show a voter why the vote does not count, the bot tells them directly', async () => {
    const harness = await startAwaitingApproval();
    harness.slack.faults.schedule({ on: 'chat.postEphemeral', fault: { type: 'status', status: 500 } });
    harness.ana.react(YES, harness.message);
    const { text } = await harness.ana.waitForDirectMessage();
    expect(text).toContain('Cancel order A-1001');
    expect(text).toContain('not count');
  });

  test('and cannot say who pressed the button, they read a reference, and can press again', async () => {
    const harness = await startAwaitingApproval();
    await harness.restart();
    harness.slack.faults.schedule({ on: 'users.info', fault: { type: 'status', status: 500 } });
    await harness.cara.click('Approve', harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(
      /nothing more was done.*reference: [A-Z0-9]{8}/,
    );
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('a vote that comes while that is written down counts', async () => {
    let missed = 0;
    const requests = (store: RequestStore): RequestStore => ({
      ...store,
      async listBySubject(workspace, subject, limit) {
        const found = await store.listBySubject(workspace, subject, limit);
        if (missed > 0 || !subject.startsWith('vote:')) return found;
        missed += 1;
        return { ...found, records: [] };
      },
    });
    const harness = await startAwaitingApproval({}, { overrides: { storage: withRequests(requests) } });
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    expect([missed, harness.slack.events.list()[0]?.attempts]).toEqual([1, [200]]);
  });

  test('a vote that comes before the bot has recorded its message is delivered again', async () => {
    const harness = await startApprovals({}, IMPATIENT);
    const held = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.cancelOrder('A-1001');
    const card = await harness.card('A-1001');
    harness.cara.react(YES, card);
    const [event] = harness.slack.events.list();
    await expect.poll(() => event?.attempts.length).toBeGreaterThan(1);
    held.release();
    await harness.reply('A-1001', /is cancelled/);
    await event?.settled;
    expect(event?.attempts.filter((status) => status === 200)).toHaveLength(1);
  });

  test('a reaction that does not name the author of its message may be a vote, and is delivered again', async () => {
    const harness = await startApprovals({}, IMPATIENT);
    const held = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.cancelOrder('A-1001');
    const { channel, ts } = await harness.card('A-1001');
    const item = { type: 'message', channel, ts };
    const reaction = { type: 'reaction_added', user: harness.cara.id, reaction: YES, item, event_ts: ts };
    const sent = harness.slack.events.send(harness.slack.installation(), reaction);
    await expect.poll(() => sent.attempts.length).toBeGreaterThan(0);
    expect(sent.attempts).not.toContain(200);
    held.release();
    await sent.settled;
    expect(sent.attempts.at(-1)).toBe(200);
  });

  test('a reaction to what somebody else wrote meanwhile is no vote, and is not delivered again', async () => {
    const harness = await startApprovals({}, IMPATIENT);
    const held = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.cancelOrder('A-1001');
    await harness.card('A-1001');
    harness.cara.react(YES, harness.ana.say('Thank you', { channel: '#support' }));
    const [event] = harness.slack.events.list();
    await event?.settled;
    expect(event?.attempts).toEqual([200]);
    held.release();
  });
});
