import { describe, expect, test } from 'vitest';
import { buttonsOf, NO, POLICY, startAwaitingApproval, YES } from '../../support/e2e/approvals.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

describe('a vote that is taken back', () => {
  test('does not count any more', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.cara.unreact(YES, harness.message);
    await harness.reads(harness.message, '0 of 2');
    await harness.dev.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    expect(harness.calls()).toBe(0);
  });

  test('leaves the vote that was made in another way', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    await harness.cara.click('Approve', harness.message);
    harness.cara.unreact(YES, harness.message);
    await expect.poll(() => harness.voteHistory('A-1001')).toContain(`taken_back ${harness.cara.id}`);
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('by button is taken back by its voter, with a button', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    expect(buttonsOf(harness.message)).not.toContain('Take back my vote');
    await harness.cara.click('Approve', harness.message);
    const voted = await harness.reads(harness.message, '1 of 2: @Cara Conti');
    expect(buttonsOf(voted)).toContain('Take back my vote');
    await harness.dev.click('Take back my vote', voted);
    expect((await harness.dev.waitForEphemeral()).text).toMatch(/: You have no vote by button/);
    await harness.cara.click('Take back my vote', voted);
    await harness.reads(harness.message, '0 of 2');
    expect(await harness.voteHistory('A-1001')).toEqual([
      `voted ${harness.cara.id}`,
      `taken_back ${harness.cara.id}`,
    ]);
    await harness.cara.click('Approve', harness.message);
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('in a message that shows an earlier round of approval does not count in this one', async () => {
    const clock = shiftedClock();
    const harness = await startAwaitingApproval({ quorum: 2 }, clock.options);
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.dev.click('Approve', harness.message);
    const earlier = await harness.reads(harness.message, '1 of 2: @Dev Das');
    await harness.cara.click('Approve', harness.message);
    const ended = await harness.shows('A-1001', /refused the request/);
    clock.pass(POLICY.expiresAfterMs);
    await harness.ana.click('Retry', ended);
    await harness.cara.click('Approve', await harness.shows('A-1001', /Waiting for/));
    await harness.reads(harness.message, '1 of 2: @Cara Conti');
    await harness.dev.click('Take back my vote', earlier);
    expect((await harness.dev.waitForEphemeral()).text).toMatch(/: You have no vote by button/);
    await harness.cara.click('Take back my vote', earlier);
    await harness.reads(harness.message, '0 of 2');
  });

  test('by a button that is on its way out comes too late: its voter reads that, and not that it did not count', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    await harness.cara.click('Approve', harness.message);
    const voted = await harness.reads(harness.message, '1 of 2: @Cara Conti');
    const updating = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    harness.dev.react(NO, harness.message);
    await updating.reached;
    await harness.cara.click('Take back my vote', voted);
    expect((await harness.cara.waitForEphemeral()).text).toBe(
      `*Cancel order A-1001*: *Vote taken back too late*, because the request no longer waits for this approval. <@${harness.dev.id}> declined the request, and nothing was sent.`,
    );
    updating.release();
    await harness.reads(harness.message, 'Declined by');
  });

  test('is not revived by an event that Slack tells late', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const held = harness.slack.events.hold('reaction_added', 'reaction_removed');
    harness.cara.react(YES, harness.message);
    harness.cara.unreact(YES, harness.message);
    await held.deliver(1).settled;
    await held.deliver(0).settled;
    await harness.dev.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    expect(harness.calls()).toBe(0);
  });

  test('is not revived by an event that Slack tells again', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.cara.unreact(YES, harness.message);
    await harness.reads(harness.message, '0 of 2');
    const [added] = harness.slack.events.list();
    await harness.slack.events.redeliver(added?.event_id ?? '').settled;
    await harness.dev.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    expect(await harness.voteHistory('A-1001')).toEqual([
      `voted ${harness.cara.id}`,
      `taken_back ${harness.cara.id}`,
      `voted ${harness.dev.id}`,
    ]);
  });

  test('does not count though Slack never tells of it: what stands on the message decides', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    const held = harness.slack.events.hold('reaction_removed');
    harness.cara.unreact(YES, harness.message);
    held.lose(0);
    harness.dev.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    expect(await harness.voteHistory('A-1001')).toContain(`gone ${harness.cara.id}`);
    expect(harness.calls()).toBe(0);
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('after the decision changes nothing', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    harness.cara.unreact(YES, harness.message);
    const removed = harness.slack.events.list().at(-1);
    await removed?.settled;
    expect(removed?.state).toBe('delivered');
    expect((await harness.record('A-1001')).state).toBe('canceled');
    expect(harness.cara.ephemerals()).toEqual([]);
  });
});
