import { describe, expect, test } from 'vitest';
import { buttonsOf, IN_APPROVALS, NO, read, startAwaitingApproval } from '../../support/e2e/approvals.ts';

describe('a decline by a reaction', () => {
  async function startDeclined(policy = {}) {
    const harness = await startAwaitingApproval(policy);
    harness.cara.react(NO, harness.message);
    const prompt = await harness.cara.waitForDirectMessage(({ text }) =>
      text.includes('You can add a reason'),
    );
    return { ...harness, prompt };
  }

  async function addReason({ prompt, cara }: Awaited<ReturnType<typeof startDeclined>>, who = cara) {
    await who.click('Add a reason', prompt);
    await who.waitForModal({ callback: 'add_reason' });
    return who.submit({ reason: 'It ships *today*' });
  }

  test.each([
    ['where it was requested', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'can be given a reason, for which only its voter is asked, %s; the requester reads it in the thread of the request',
    async (_name, policy) => {
      const harness = await startDeclined(policy);
      expect(harness.prompt.text).toContain('You declined “Cancel order A-1001”.');
      expect(read(harness, harness.message)).not.toContain('Add a reason');
      expect(harness.dev.directMessages()).toEqual([]);
      expect((await addReason(harness)).outcome).toBe('closed');
      const notice = await harness.reply('A-1001', /added a reason for declining/);
      expect(harness.slack.renderThread('#support', notice.thread_ts ?? '')).toContain(
        '@Ana Alvarez: Cara Conti added a reason for declining your request: “It ships *today*”',
      );
      await harness.shows('A-1001', /Their reason: “It ships/);
      if (policy === IN_APPROVALS) await harness.reads(harness.message, "'s reason: “It ships *today*”");
    },
  );

  test('is explained once, by whoever made it: then there is no button any more, even if Slack fails at first', async () => {
    const harness = await startDeclined();
    const { channel, ts } = harness.prompt;
    const fault = { type: 'status', status: 503 } as const;
    harness.slack.faults.schedule({ on: 'chat.update', where: { channel, ts }, fault });
    expect((await addReason(harness)).outcome).toBe('closed');
    await harness.reply('A-1001', /added a reason for declining/);
    const added = await harness.cara.waitForDirectMessage(({ text }) => text.includes('added a reason'));
    expect(added.ts).toBe(harness.prompt.ts);
    expect(read(harness, added)).toContain('“It ships *today*”');
    expect(buttonsOf(added)).toEqual([]);
  });

  test('needs some reason, once the form is open', async () => {
    const harness = await startDeclined();
    await harness.cara.click('Add a reason', harness.prompt);
    await harness.cara.waitForModal({ callback: 'add_reason' });
    expect((await harness.cara.submit({ reason: '  ' })).errors).toEqual({ reason: 'Write a reason.' });
  });

  test('takes the reason that its voter submits in the form of the button, which was open already', async () => {
    const harness = await startAwaitingApproval();
    const { cara } = harness;
    await cara.click('Decline', harness.message);
    await cara.waitForModal({ callback: 'decline' });
    cara.react(NO, harness.message);
    await harness.reply('A-1001', /declined/);
    expect((await cara.submit({ reason: 'The customer called back' })).outcome).toBe('closed');
    await harness.reply('A-1001', /added a reason for declining your request: “The customer called back”/);
    expect((await harness.record('A-1001')).lateActions).toEqual([]);
  });

  test('takes no reason from that form if none is written there', async () => {
    const harness = await startAwaitingApproval();
    const { cara } = harness;
    await cara.click('Decline', harness.message);
    await cara.waitForModal({ callback: 'decline' });
    cara.react(NO, harness.message);
    await harness.reply('A-1001', /declined/);
    await cara.submit({ reason: ' ' });
    await cara.waitForModal({ text: 'Vote not counted' });
    expect((await harness.record('A-1001')).approval?.decision).not.toHaveProperty('reasonAt');
  });
});
