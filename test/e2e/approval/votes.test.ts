import { describe, expect, test } from 'vitest';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import {
  askedForApproval,
  buttonsOf,
  IN_APPROVALS,
  read,
  startApprovals,
} from '../../support/e2e/approvals.ts';

const YES = 'white_check_mark';
const NO = 'x';

/** Over Socket Mode an event that can't be recorded is not acknowledged at all: Slack waits, and sends it again. */
const IMPATIENT = { slack: { ackTimeoutMs: 700, redeliveryDelaysMs: Array.from({ length: 50 }, () => 50) } };

describe.each([
  ['where it was asked', {}],
  ['in the approvals channel', IN_APPROVALS],
])('a vote on the message %s', (_where, shown) => {
  test('by reaction: the approving emoji sends the request', async () => {
    const desk = await askedForApproval(shown);
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(1);
  });

  test('by reaction: the denying emoji ends the request', async () => {
    const desk = await askedForApproval(shown);
    desk.cara.react(NO, desk.message);
    await desk.reply('A-1001', /Cara Conti declined the request, and nothing was sent/);
    expect(desk.calls()).toBe(0);
  });

  test('by button: "Approve" sends the request, once it is confirmed', async () => {
    const desk = await askedForApproval({ ...shown, quorum: 2 });
    await desk.dev.click('Approve', desk.message, { confirm: false });
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2: @Cara Conti');
    await desk.dev.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.calls()).toBe(1);
  });

  test('by button: "Deny" ends the request, with a reason or without', async () => {
    const desk = await askedForApproval(shown);
    await desk.cara.click('Decline', desk.message);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    expect((await desk.cara.submit()).outcome).toBe('closed');
    const reply = await desk.reply('A-1001', /declined the request/);
    expect(reply.text).not.toContain('reason');
    expect(desk.calls()).toBe(0);
  });

  test('is told on it while it lasts, and leaves no emoji and no button to press', async () => {
    const desk = await askedForApproval({ ...shown, quorum: 2 });
    await desk.reads(desk.message, '0 of 2). Nothing is sent until they approve. Expires');
    desk.cara.react(YES, desk.message);
    const open = await desk.reads(
      desk.message,
      '1 of 2: @Cara Conti). Nothing is sent until they approve. Expires',
    );
    expect(buttonsOf(open)).toEqual(expect.arrayContaining(['Approve', 'Decline']));
    expect(desk.calls()).toBe(0);
    desk.dev.react(YES, desk.message);
    const done = await desk.reads(desk.message, 'Approved by @Cara Conti and @Dev Das');
    await desk.reply('A-1001', /is cancelled/);
    expect(buttonsOf(done)).not.toEqual(expect.arrayContaining(['Approve']));
    expect(read(desk, done)).not.toContain('React with');
    expect(desk.calls()).toBe(1);
  });
});

describe('what counts', () => {
  test('a skin tone makes no difference', async () => {
    const desk = await askedForApproval({ emoji: { yes: '+1', no: '-1' } });
    desk.cara.react('+1::skin-tone-3', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('other emoji, and reactions to other messages, mean nothing', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react('eyes', desk.message);
    const said = desk.cara.say('Looking at it', { channel: '#support', thread_ts: desk.message.ts });
    desk.cara.react(YES, said);
    desk.dev.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2: @Dev Das');
    expect(await desk.voteHistory('A-1001')).toEqual([`voted ${desk.dev.id}`]);
    expect(desk.cara.ephemerals()).toEqual([]);
  });

  test('one vote a person, however many times and ways it is made', async () => {
    const desk = await askedForApproval({ quorum: 2, emoji: { yes: '+1', no: '-1' } });
    desk.cara.react('+1', desk.message);
    desk.cara.react('+1::skin-tone-4', desk.message);
    await desk.cara.click('Approve', desk.message);
    const times = async () => (await desk.record('A-1001')).approval?.history.map((entry) => entry.times);
    await expect.poll(times).toEqual([3]);
    await desk.reads(desk.message, '1 of 2: @Cara Conti)');
    expect(desk.calls()).toBe(0);
  });

  test('one denial is enough, beside an approval too', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    desk.dev.react(NO, desk.message);
    await desk.reply('A-1001', /Dev Das declined/);
    expect(desk.calls()).toBe(0);
  });

  test('the later vote of a person replaces the earlier one', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2');
    desk.cara.react(NO, desk.message);
    await desk.reply('A-1001', /Cara Conti declined/);
  });

  test('a denial at once, whatever Slack cannot say', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    const looking = desk.slack.faults.order({ on: 'reactions.get', fault: { type: 'hold', when: 'before' } });
    desk.cara.react(NO, desk.message);
    await desk.reply('A-1001', /Cara Conti declined/);
    looking.release();
    expect(desk.journal.entries(({ name }) => name === 'reactions.get')).toEqual([]);
  });
});

describe('a vote that is taken back', () => {
  test('does not count any more', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    desk.cara.unreact(YES, desk.message);
    await desk.reads(desk.message, '0 of 2');
    await desk.dev.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2: @Dev Das');
    expect(desk.calls()).toBe(0);
  });

  test('leaves the vote that was made in another way', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    await desk.cara.click('Approve', desk.message);
    desk.cara.unreact(YES, desk.message);
    await expect.poll(() => desk.voteHistory('A-1001')).toContain(`taken_back ${desk.cara.id}`);
    await desk.dev.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('by button is taken back by its voter, with a button', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    expect(buttonsOf(desk.message)).not.toContain('Take back my vote');
    await desk.cara.click('Approve', desk.message);
    const voted = await desk.reads(desk.message, '1 of 2: @Cara Conti');
    expect(buttonsOf(voted)).toContain('Take back my vote');
    await desk.dev.click('Take back my vote', voted);
    expect((await desk.dev.waitForEphemeral()).text).toMatch(/^You have not voted with a button here/);
    await desk.cara.click('Take back my vote', voted);
    await desk.reads(desk.message, '0 of 2');
    expect(await desk.voteHistory('A-1001')).toEqual([`voted ${desk.cara.id}`, `taken_back ${desk.cara.id}`]);
    await desk.cara.click('Approve', desk.message);
    await desk.dev.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('is not revived by an event that Slack tells late', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    const held = desk.slack.events.hold('reaction_added', 'reaction_removed');
    desk.cara.react(YES, desk.message);
    desk.cara.unreact(YES, desk.message);
    await held.deliver(1).settled;
    await held.deliver(0).settled;
    await desk.dev.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2: @Dev Das');
    expect(desk.calls()).toBe(0);
  });

  test('is not revived by an event that Slack tells again', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    desk.cara.unreact(YES, desk.message);
    await desk.reads(desk.message, '0 of 2');
    const [added] = desk.slack.events.list();
    await desk.slack.events.redeliver(added?.event_id ?? '').settled;
    await desk.dev.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2: @Dev Das');
    expect(await desk.voteHistory('A-1001')).toEqual([
      `voted ${desk.cara.id}`,
      `taken_back ${desk.cara.id}`,
      `voted ${desk.dev.id}`,
    ]);
  });

  test('does not count though Slack never tells of it: what stands on the message decides', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    const held = desk.slack.events.hold('reaction_removed');
    desk.cara.unreact(YES, desk.message);
    held.lose(0);
    desk.dev.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2: @Dev Das');
    expect(await desk.voteHistory('A-1001')).toContain(`gone ${desk.cara.id}`);
    expect(desk.calls()).toBe(0);
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('after the decision changes nothing', async () => {
    const desk = await askedForApproval();
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    desk.cara.unreact(YES, desk.message);
    const removed = desk.slack.events.list().at(-1);
    await removed?.settled;
    expect(removed?.state).toBe('delivered');
    expect((await desk.record('A-1001')).state).toBe('canceled');
    expect(desk.cara.ephemerals()).toEqual([]);
  });
});

describe('while Slack has trouble', () => {
  test.each([
    ['cannot say what stands on the message', 'reactions.get', { type: 'status' as const, status: 500 }],
    ['asks to slow down', 'reactions.get', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
  ])('and %s, nothing is decided; then it is', async (_name, on, fault) => {
    const desk = await askedForApproval();
    desk.slack.faults.order({ on, fault });
    desk.cara.react(YES, desk.message);
    // Whoever was asked Countermand to slow down leaves the card alone meanwhile, too.
    if (fault.type === 'status') await desk.reads(desk.message, '1 of 1: @Cara Conti');
    await desk.journal.waitFor({ name: on });
    expect(desk.calls()).toBe(0);
    await desk.reply('A-1001', /is cancelled/);
    const names = desk.journal
      .entries(({ name }) => [on, 'cancel_order'].includes(name))
      .map(({ name }) => name);
    expect(names).toEqual([on, on, 'cancel_order']);
  });

  test('and cannot say who voted, Slack is not told that the vote has arrived: it comes again', async () => {
    const desk = await askedForApproval({}, IMPATIENT);
    await desk.restart();
    desk.slack.faults.order({ on: 'users.info', fault: { type: 'status', status: 500 } });
    desk.cara.react(YES, desk.message);
    const [event] = desk.slack.events.list();
    await event?.settled;
    expect(event?.attempts.at(0)).not.toBe(200);
    expect(event?.attempts.at(-1)).toBe(200);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('and cannot say who pressed the button, they read a reference, and can press again', async () => {
    const desk = await askedForApproval();
    await desk.restart();
    desk.slack.faults.order({ on: 'users.info', fault: { type: 'status', status: 500 } });
    await desk.cara.click('Approve', desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toMatch(
      /nothing more was done.*reference: [A-Z0-9]{8}/,
    );
    expect(desk.calls()).toBe(0);
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('a vote that comes while that is written down counts', async () => {
    let missed = 0;
    const requests = (store: RequestStore): RequestStore => ({
      ...store,
      async listBySubject(workspace, subject, limit) {
        const found = await store.listBySubject(workspace, subject, limit);
        if (missed > 0 || !subject.startsWith('vote:')) return found;
        missed += 1;
        return [];
      },
    });
    const desk = await askedForApproval({}, { overrides: { requests } });
    desk.cara.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
    expect([missed, desk.slack.events.list()[0]?.attempts]).toEqual([1, [200]]);
  });

  test('a vote that comes before it is written down which message it is for is told again', async () => {
    const desk = await startApprovals({}, IMPATIENT);
    const held = desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'after' } });
    await desk.ask('A-1001');
    const card = await desk.card('A-1001');
    desk.cara.react(YES, card);
    const [event] = desk.slack.events.list();
    await expect.poll(() => event?.attempts.length).toBeGreaterThan(1);
    held.release();
    await desk.reply('A-1001', /is cancelled/);
    await event?.settled;
    expect(event?.attempts.filter((status) => status === 200)).toHaveLength(1);
  });
});
