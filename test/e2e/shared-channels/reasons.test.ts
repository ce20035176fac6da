/** No message in a shared channel contains a reason. */
import { describe, expect, test } from 'vitest';
import { IN_APPROVALS, NO, read } from '../../support/e2e/approvals.ts';
import {
  cancelOrder,
  cardOf,
  DECLINE_REASON,
  everSent,
  holdsNoReason,
  REQUEST_REASON,
  startShared,
  status,
  theirs,
} from '../../support/e2e/shared-channels.ts';

describe('in a shared channel', () => {
  test('a request does what it does elsewhere, and no message ever says why it was made', async () => {
    const harness = await startShared();
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.deny('A-2001');
    await harness.reply('A-2001', /decided against it after a review/);
    const card = await harness.card('A-1001');
    expect(read(harness, card)).toContain('reasons are not shown here');
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(REQUEST_REASON);
    expect(await status(harness, 'A-1001', harness.ben)).toContain(REQUEST_REASON);
  });

  test('a refusal of the service that quotes the reason is told without its words', async () => {
    const harness = await startShared();
    const body = {
      code: 'CONFLICT',
      message: `Not a reason: ${REQUEST_REASON}`,
      details: [{ field: 'reason', error: REQUEST_REASON }],
    };
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409, body } });
    await cancelOrder(harness, 'A-1001');
    const reply = await harness.reply('A-1001', /refused the request/);
    expect(reply.text).toContain('Its answer (CONFLICT) is not shown here');
    await harness.shows('A-1001', /Its answer .* is not shown here/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain('Not a reason');
  });

  test('a mistake in the reason is told with its words to the requester alone', async () => {
    const harness = await startShared();
    const body = { code: 'VALIDATION_ERROR', message: `Not a reason: ${REQUEST_REASON}` };
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    await cancelOrder(harness, 'A-1001');
    await harness.ana.waitForDirectMessage(({ text }) => text.includes(`“Not a reason: ${REQUEST_REASON}”`));
    await harness.shows('A-1001', /refused the request/);
    holdsNoReason(theirs(harness), everSent(harness));
  });

  test('nobody else reads why it was declined, by the button', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    await harness.cara.click('Decline', await cardOf(harness, 'A-1001'));
    const form = await harness.cara.waitForModal({ callback: 'decline' });
    expect(JSON.stringify(form.view)).toContain('The thread of the request does not show it');
    await harness.cara.submit({ reason: DECLINE_REASON });
    const reply = await harness.reply('A-1001', /declined the request/);
    expect(reply.text).toContain('Their reason is not shown here');
    await harness.shows('A-1001', /declined the request/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(DECLINE_REASON);
  });

  test('nobody else reads why it was declined, after a reaction', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    harness.cara.react(NO, card);
    const prompt = await harness.cara.waitForDirectMessage(({ text }) =>
      text.includes('You can add a reason'),
    );
    await harness.cara.click('Add a reason', prompt);
    await harness.cara.waitForModal({ callback: 'add_reason' });
    await harness.cara.submit({ reason: DECLINE_REASON });
    await harness.reply('A-1001', /added a reason for declining/);
    holdsNoReason(theirs(harness), everSent(harness));
    expect(await status(harness, 'A-1001')).toContain(DECLINE_REASON);
  });

  test('the approvers read the reason in their own channel', async () => {
    const harness = await startShared(IN_APPROVALS);
    await cancelOrder(harness, 'A-1001');
    const approvalMessage = await harness.slack.waitForMessage({ channel: '#approvals', text: 'A-1001' });
    expect(JSON.stringify(approvalMessage)).toContain(REQUEST_REASON);
    holdsNoReason(theirs(harness), everSent(harness));
  });
});
