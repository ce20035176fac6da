import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  buttonsOf,
  IN_APPROVALS,
  KINDS,
  read,
  setPolicy,
  startApprovals,
  startAwaitingApproval,
  submitCommand,
} from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';

/** The buttons that change the request. The others open a form, of another request or of a text. */
const deciding = (message: Parameters<typeof buttonsOf>[0]): string[] =>
  buttonsOf(message).filter((text) => !['Request again', 'Reply to the customer'].includes(text));

/** A request of any kind that awaits approval in #approvals. */
async function startRequested({ kind, line, deed }: (typeof KINDS)[number]) {
  const harness = await startHarness();
  await setPolicy(harness, IN_APPROVALS, kind);
  await submitCommand(harness, line);
  const approvalMessage = await harness.slack.waitForMessage({ channel: '#approvals', text: deed });
  const parent = await harness.slack.waitForMessage({ channel: '#support', text: deed });
  return {
    ...harness,
    cara: harness.slack.person('cara'),
    approvalMessage,
    parent,
    said: () =>
      harness.slack
        .thread('#support', parent.ts)
        .slice(1)
        .map(({ text }) => text),
    calls: () => harness.service.calls({ operation: kind }).length,
  };
}

describe.each(KINDS)('$title', (kind) => {
  test('that is approved is sent once; its thread tells by whom, and the outcome', async () => {
    const harness = await startRequested(kind);
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.approvalMessage);
    await expect
      .poll(() => harness.said())
      .toEqual([
        'Approved by Cara Conti. The request needs no further approval.',
        expect.stringMatching(new RegExp(`^<@${harness.ana.id}>: ${kind.done}`)),
      ]);
    expect(harness.calls()).toBe(1);
    for (const message of [harness.parent, harness.approvalMessage]) {
      await harness.slack.waitUntil(() =>
        read(harness, message).includes(`· :white_check_mark: ${kind.label}`) ? true : undefined,
      );
      expect(read(harness, message)).toContain('Approved by @Cara Conti · ');
      expect(deciding(message)).toEqual([]);
    }
  });
});

describe('a request', () => {
  test('that is declined is not sent; its thread tells by whom, and why', async () => {
    const [kind] = KINDS as [(typeof KINDS)[number]];
    const harness = await startRequested(kind);
    await harness.cara.click('Decline', harness.approvalMessage);
    const { view } = await harness.cara.waitForModal({ callback: 'decline' });
    expect(JSON.stringify(view)).toContain('nothing is sent to the order service');
    await harness.cara.submit({ reason: 'It <ships> today' });
    await expect
      .poll(() => harness.said())
      .toEqual([
        `<@${harness.ana.id}>: Cara Conti declined the request, and nothing was sent. Their reason: “It &lt;ships&gt; today”`,
      ]);
    for (const message of [harness.parent, harness.approvalMessage]) {
      await harness.slack.waitUntil(() =>
        read(harness, message).includes('“It <ships> today”') ? true : undefined,
      );
      expect(read(harness, message)).toContain('Declined by @Cara Conti · ');
      expect(deciding(message)).toEqual([]);
    }
    expect(harness.calls()).toBe(0);
    // It can be requested again.
    expect((await submitCommand(harness, kind.line, harness.ben)).outcome).toBe('closed');
  });
});

describe('what the approver sees', () => {
  test('is the target, the reason, the requester, when and where, with a link to the thread', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const text = read(harness, harness.message);
    expect(text).toContain('CANCEL ORDER A-1001');
    expect(text).toContain('> Ordered twice');
    expect(text).toMatch(/Requested by @Ana Alvarez in #support · \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(JSON.stringify(harness.message.blocks)).toMatch(
      /<!date\^\d+\^\{date_short_pretty\} at \{time\}\|/,
    );
    const card = await harness.card('A-1001');
    expect(JSON.stringify(harness.message.blocks)).toContain(
      `/archives/${SEED.channels.support}/p${card.ts.replace('.', '')}|Open its thread>`,
    );
    expect(buttonsOf(harness.message)).toEqual(['Approve', 'Decline']);
    expect(buttonsOf(card)).toEqual(['Withdraw']);
    expect(read(harness, card)).toContain('Waiting for the approvers in #approvals');
    expect(read(harness, card)).not.toContain('React with');
  });

  test('is the same where it was requested, on the card itself', async () => {
    const harness = await startAwaitingApproval();
    expect(harness.slack.messages('#approvals')).toEqual([]);
    expect(buttonsOf(harness.message)).toEqual(['Approve', 'Decline', 'Withdraw']);
    expect(read(harness, harness.message)).toMatch(/> Ordered twice\n.*Requested by @Ana Alvarez · \d{4}/);
    expect(harness.message.text).toContain(`<!subteam^${SEED.groups.approvers}>`);
  });

  test.each([
    ['on the card', {}],
    ['in the approvals channel', IN_APPROVALS],
  ])(
    'are the earlier requests for the same order, the newest first, which notify nobody (%s)',
    async (_name, policy) => {
      const harness = await startApprovals(policy);
      for (const who of [harness.ben, harness.ana]) {
        await harness.cancelOrder('A-1001', { who });
        await harness.cara.click('Decline', await harness.votedOn('A-1001'));
        await harness.cara.waitForModal({ callback: 'decline' });
        await harness.cara.submit();
        await expect.poll(async () => (await harness.record('A-1001')).state).toBe('declined');
      }
      await harness.cancelOrder('A-1001');
      const text = read(harness, await harness.votedOn('A-1001'));
      expect(text).toMatch(
        /Earlier requests for this order, as of .*:\n.*Cancel order · :no_entry: Declined · Ana Alvarez, .*\n.* · Ben Brandt/,
      );
    },
  );
});
