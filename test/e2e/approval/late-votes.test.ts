import { describe, expect, test } from 'vitest';
import { NO, startAwaitingApproval, YES } from '../../support/e2e/approvals.ts';

describe('a vote that comes after the decision', () => {
  test('changes nothing: by reaction, and the voter reads what was decided and by whom', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    harness.dev.react(NO, harness.message);
    expect((await harness.dev.waitForEphemeral()).text).toBe(
      `*Cancel order A-1001*: *Vote not counted*, because the request no longer waits for this approval. <@${harness.cara.id}> approved the request before. Order A-1001 is cancelled: the order service confirmed it at once.`,
    );
    expect((await harness.record('A-1001')).state).toBe('canceled');
  });

  test('changes nothing: by a button that is on its way out', async () => {
    const harness = await startAwaitingApproval();
    const updating = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    harness.cara.react(NO, harness.message);
    await updating.reached;
    await harness.dev.click('Approve', harness.message);
    expect((await harness.dev.waitForEphemeral()).text).toBe(
      `*Cancel order A-1001*: *Vote not counted*, because the request no longer waits for this approval. <@${harness.cara.id}> declined the request, and nothing was sent.`,
    );
    await harness.dev.click('Decline', harness.message);
    await harness.dev.waitForModal({ text: 'Vote not counted' });
    updating.release();
    await harness.reads(harness.message, 'Declined by');
    expect(harness.calls()).toBe(0);
  });

  test('changes nothing: by a form that was open all the time', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const { modal } = await harness.cara.submit({ reason: 'Too late' });
    expect(JSON.stringify(modal?.view)).toContain(`<@${harness.dev.id}> approved the request before.`);
    await harness.shows('A-1001', /is cancelled/);
  });

  test('is told to whoever has decided, too, if it is a second one: what became of it', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(/: \*Vote not counted\*.*is cancelled/);
    expect(harness.calls()).toBe(1);
  });

  test('is not told to whoever has decided, when Slack tells of their vote again', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const [event] = harness.slack.events.list();
    await harness.slack.events.redeliver(event?.event_id ?? '').settled;
    expect(harness.cara.ephemerals()).toEqual([]);
    expect(harness.calls()).toBe(1);
  });

  test('is not told to whoever submits their decline twice, because the answer was lost', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    harness.slack.faults.schedule({
      on: 'app.answer',
      where: { name: 'view_submission' },
      fault: { type: 'unanswered' },
    });
    expect((await harness.cara.submit({ reason: 'Once' })).trouble).toMatch(/trouble/);
    await harness.reply('A-1001', /reason: “Once”/);
    expect((await harness.cara.submit({ reason: 'Once' })).outcome).toBe('closed');
    expect(await harness.replies('A-1001')).toHaveLength(1);
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
    const harness = await startAwaitingApproval();
    await Promise.all([vote(harness.cara, harness.message), vote(harness.dev, harness.message)]);
    await harness.reply('A-1001', /is cancelled/);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    expect(harness.calls()).toBe(1);
    expect(await harness.replies('A-1001')).toEqual([
      expect.stringMatching(/Approved by (Cara Conti|Dev Das)\. The request needs no further approval/),
      expect.stringMatching(/is cancelled/),
    ]);
  });

  test('one for it and one against make one decision, and everybody reads the same', async () => {
    const harness = await startAwaitingApproval();
    harness.cara.react(NO, harness.message);
    await harness.dev.click('Approve', harness.message);
    const [first = ''] = await expect
      .poll(() => harness.replies('A-1001'))
      .not.toEqual([])
      .then(() => harness.replies('A-1001'));
    const { decision } = (await harness.record('A-1001')).approval ?? {};
    const approved = decision?.choice === 'yes';
    expect(first).toContain(approved ? 'Approved by Dev Das' : 'Cara Conti declined');
    if (approved) await harness.reply('A-1001', /is cancelled/);
    expect(harness.calls()).toBe(approved ? 1 : 0);
  });
});
