import { describe, expect, test } from 'vitest';
import { NO, startAwaitingApproval, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { actsIn, trailOf } from '../../support/storage/audit-trail.ts';

/** A request about A-2001 whose outcome is unknown, and the steps of a person who records or corrects it. */
async function startUnknown() {
  const harness = await startHarness();
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  harness.service.events.pause();
  await harness.cancelOrder('A-2001');
  await harness.reply('A-2001', /may or may not/);
  const record = async (who: Harness['ana'], button: string, shown: RegExp, outcome: string) => {
    await who.click(button, await harness.shows('A-2001', shown));
    await who.waitForModal({ callback: 'record_outcome' });
    await who.submit({ outcome });
  };
  return { ...harness, record };
}

describe('the audit trail of a request', () => {
  test('has each vote, each one that was taken back, and the decision', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const { cara, dev, ana, message } = harness;
    cara.react(YES, message);
    await harness.reads(message, '1 of 2');
    cara.unreact(YES, message);
    await harness.reads(message, '0 of 2');
    await cara.click('Approve', message);
    await harness.reads(message, '1 of 2');
    await dev.click('Approve', message);
    await harness.reply('A-1001', /is cancelled/);
    const { storage } = await harness.terminal();
    const trail = await trailOf(storage);
    expect(actsIn(trail)).toEqual([
      `${ana.id} requested A-1001 - awaiting_approval`,
      `${cara.id} voted A-1001 - yes`,
      `${cara.id} took_vote_back A-1001 yes -`,
      `${cara.id} voted A-1001 - yes`,
      `${dev.id} voted A-1001 - yes`,
      `${cara.id}+${dev.id} decided A-1001 awaiting_approval queued`,
    ]);
    expect(JSON.stringify(trail)).not.toContain('Ordered twice');
  });

  test('has a vote by button that was taken back after the decision', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const { ana, cara, dev, message } = harness;
    await cara.click('Approve', message);
    const voted = await harness.reads(message, '1 of 2');
    const updating = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    dev.react(NO, message);
    await updating.reached;
    await cara.click('Take back my vote', voted);
    updating.release();
    await cara.waitForEphemeral();
    const { storage } = await harness.terminal();
    expect(actsIn(await trailOf(storage))).toEqual([
      `${ana.id} requested A-1001 - awaiting_approval`,
      `${cara.id} voted A-1001 - yes`,
      `${dev.id} voted A-1001 - no`,
      `${dev.id} decided A-1001 awaiting_approval declined`,
      `${cara.id} took_vote_back A-1001 yes -`,
    ]);
  });

  test('has no vote that was refused, and a decline with its vote', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const { ana, ben, cara, message } = harness;
    await ana.click('Approve', message);
    await ana.waitForEphemeral();
    await ben.click('Approve', message);
    await ben.waitForEphemeral();
    await cara.click('Decline', message);
    await cara.waitForModal({ callback: 'decline' });
    await cara.submit({ reason: 'Not for this customer' });
    await harness.reply('A-1001', /declined the request/);
    const { storage } = await harness.terminal();
    const trail = await trailOf(storage);
    expect(actsIn(trail)).toEqual([
      `${ana.id} requested A-1001 - awaiting_approval`,
      `${cara.id} voted A-1001 - no`,
      `${cara.id} decided A-1001 awaiting_approval declined`,
    ]);
    expect(JSON.stringify(trail)).not.toContain('Not for this customer');
  });

  test('has the reason that an approver gave after declining by a reaction: who and when, not the text', async () => {
    const harness = await startAwaitingApproval();
    const { ana, cara, message } = harness;
    cara.react(NO, message);
    const prompt = await cara.waitForDirectMessage(({ text }) => text.includes('You can add a reason'));
    await cara.click('Add a reason', prompt);
    await cara.waitForModal({ callback: 'add_reason' });
    await cara.submit({ reason: 'Not for this customer' });
    await harness.shows('A-1001', /Not for this customer/);
    const { storage } = await harness.terminal();
    const trail = await trailOf(storage);
    expect(actsIn(trail)).toEqual([
      `${ana.id} requested A-1001 - awaiting_approval`,
      `${cara.id} voted A-1001 - no`,
      `${cara.id} decided A-1001 awaiting_approval declined`,
      `${cara.id} gave_reason A-1001 - -`,
    ]);
    expect(JSON.stringify(trail)).not.toContain('Not for this customer');
  });

  test('has who withdrew the request', async () => {
    const harness = await startAwaitingApproval();
    const { ana, message } = harness;
    await ana.click('Withdraw', message);
    await harness.reply('A-1001', /withdrew the request/);
    const { storage } = await harness.terminal();
    expect(actsIn(await trailOf(storage))).toEqual([
      `${ana.id} requested A-1001 - awaiting_approval`,
      `${ana.id} withdrew A-1001 awaiting_approval withdrawn`,
    ]);
  });

  test('has who closed the request without an outcome', async () => {
    const { ana, olga, record, ...harness } = await startUnknown();
    await record(olga, 'Record the outcome', /record the outcome on the card/, 'release');
    await harness.reply('A-2001', /closed this request without an outcome/);
    const { storage } = await harness.terminal();
    expect(actsIn(await trailOf(storage))).toEqual([
      `${ana.id} requested A-2001 - queued`,
      `${olga.id} released A-2001 unknown closed`,
    ]);
  });

  test('has a recorded outcome and its correction, and nothing of what the service says', async () => {
    const { ana, olga, record, ...harness } = await startUnknown();
    await record(ana, 'Record the outcome', /record the outcome on the card/, 'denied');
    await harness.reply('A-2001', /is not cancelled: <@\w+> recorded it/);
    await record(olga, 'Correct the outcome', /recorded it/, 'approved');
    await harness.reply('A-2001', /is cancelled: <@\w+> recorded it/);
    harness.service.events.resume();
    harness.service.deny('A-2001');
    await harness.reply('A-2001', /the order service decided against it after a review/);
    const { storage } = await harness.terminal();
    expect(actsIn(await trailOf(storage))).toEqual([
      `${ana.id} requested A-2001 - queued`,
      `${ana.id} recorded A-2001 unknown denied`,
      `${olga.id} corrected A-2001 denied approved`,
    ]);
  });

  test('has one entry for a retry that is pressed again and again, and for the request', async () => {
    const harness = await startHarness();
    const { ana, ben } = harness;
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cancelOrder('A-1001');
    const card = await harness.shows('A-1001', /refused the request/);
    await Promise.all([ben.click('Retry', card), ben.click('Retry', card)]);
    await harness.reply('A-1001', /is cancelled/);
    const { storage } = await harness.terminal();
    expect(actsIn(await trailOf(storage))).toEqual([
      `${ana.id} requested A-1001 - queued`,
      `${ben.id} retried A-1001 failed queued`,
    ]);
  });
});
