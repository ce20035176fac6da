/** A request that repeats an earlier one, or spells its id otherwise: the form says so before anything is sent. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { setPolicy } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { kindOf, replyTo, submitRequest } from '../../support/e2e/kinds.ts';
import { callerFrom } from '../../support/isolation/caller.ts';

const SEND = kindOf('send_offer');
const CANCEL = kindOf('cancel_offer');
const calls = ({ service }: Harness, operation = 'cancel_order') => service.calls({ operation }).length;
const shown = (seen: { modal: { view: unknown } | undefined }) => JSON.stringify(seen.modal?.view);
const submitText = ({ modal }: { modal: { view: { submit: { text: string } | null } } | undefined }) =>
  modal?.view.submit?.text;

describe('an order that an earlier request has cancelled', () => {
  async function cancelled() {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    return harness;
  }

  test('is pointed out with who, when and a link, and what was typed stays', async () => {
    const harness = await cancelled();
    const second = await harness.cancelOrder('A-1001', { who: harness.ben, reason: 'Still here' });
    expect([second.outcome, submitText(second)]).toEqual(['updated', 'Request anyway']);
    expect(shown(second)).toContain('There was already a request to cancel order A-1001');
    expect(shown(second)).toMatch(new RegExp(`Cancelled.*Requested by <@${harness.ana.id}>, <!date`));
    expect(shown(second)).toMatch(/<https:\/\/[^|]+\|Open its thread>/);
    expect(second.modal?.values).toMatchObject({ target: 'A-1001', reason: 'Still here' });
    expect(calls(harness)).toBe(1);
  });

  test('can be requested anyway, and the service decides', async () => {
    const harness = await cancelled();
    await harness.cancelOrder('A-1001', { who: harness.ben });
    expect((await harness.ben.submit()).outcome).toBe('closed');
    const refused = await harness.slack.waitForMessage({
      text: /refused the request.*already has a cancellation/s,
    });
    // The refusal says that the order is cancelled, and where it was requested, so that nobody requests it a third time.
    expect(refused.text).toMatch(
      /an earlier request said that order A-1001 is cancelled: <https:[^|]+\|open its thread>/,
    );
    expect(refused.text).not.toContain('request it again');
    expect(calls(harness)).toBe(2);
  });

  test('links to that request, whatever the form says of a link', async () => {
    const harness = await cancelled();
    const [id = ''] = /(?<=request `)\w+/.exec(JSON.stringify(await harness.card('A-1001'))) ?? [];
    const caller = callerFrom(harness, { team: SEED.team, channel: SEED.channels.support }, harness.ben.id);
    const values = {
      target: { target: { value: 'A-1001' } },
      reason_choice: { reason_choice: { selected_option: null } },
      reason: { reason: { value: 'Again' } },
      channel: { channel: { selected_conversation: SEED.channels.support } },
    };
    const metadata = JSON.stringify({ acknowledged: `done_before ${id}`, link: 'https://evil.example' });
    expect(await caller.submit('request_cancel_order', { metadata, values })).toBe('200 ');
    const refused = await harness.slack.waitForMessage({
      text: /refused the request.*already has a cancellation/s,
    });
    expect(refused.text).toMatch(/<https:[^|]+\/archives\/\w+\/p\d+[^|]*\|open its thread>/);
    expect(JSON.stringify(harness.slack.messages('#support'))).not.toContain('evil.example');
  });

  test('is pointed out again if it is another request than the one that was pointed out', async () => {
    const harness = await cancelled();
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    await harness.cancelOrder('A-1001', { who: harness.ben });
    const other = await harness.ben.submit({ target: 'A-1002' });
    expect(other.outcome).toBe('updated');
    expect(shown(other)).toContain('already a request to cancel order A-1002');
    expect((await harness.ben.submit({ target: 'A-1003' })).outcome).toBe('closed');
    await harness.reply('A-1003', /is cancelled/);
  });

  test('stays pointed out when another channel is chosen in the form', async () => {
    const harness = await cancelled();
    await harness.cancelOrder('A-1001', { who: harness.ben });
    await harness.ben.fill({ channel: SEED.channels.partners });
    const { view } = await harness.ben.waitForModal((seen) =>
      JSON.stringify(seen.view).includes('another company'),
    );
    expect(JSON.stringify(view)).toContain('There was already a request to cancel');
    expect(view.submit?.text).toBe('Request anyway');
    expect((await harness.ben.submit({ channel: SEED.channels.support })).outcome).toBe('closed');
  });

  test('is pointed out however its letters are written, and both spellings are shown', async () => {
    const harness = await cancelled();
    const second = await harness.cancelOrder('a-1001', { who: harness.ben });
    expect(second.outcome).toBe('updated');
    expect(shown(second)).toContain('already a request to cancel order A-1001 (you typed a-1001)');
  });
});

describe('an offer', () => {
  test('that was sent is pointed out before it is sent again, and not before it is cancelled', async () => {
    const harness = await startHarness();
    await submitRequest(harness, SEND);
    await replyTo(harness, SEND, /is sent to the customer/);
    const again = await submitRequest(harness, SEND, { who: harness.ben });
    expect([again.outcome, calls(harness, 'send_offer')]).toEqual(['updated', 1]);
    expect(shown(again)).toContain('There was already a request to send offer O-3001');
    await harness.ben.closeModal();
    expect((await submitRequest(harness, CANCEL, { who: harness.ben })).outcome).toBe('closed');
    await replyTo(harness, CANCEL, /is cancelled/);
    const cancelled = await submitRequest(harness, SEND, { who: harness.ben });
    expect(shown(cancelled)).toContain(':white_check_mark: Cancelled');
  });
});

describe('an offer whose sending was refused, and that another request has sent since', () => {
  async function sentByBen() {
    const harness = await startHarness();
    const body = { code: 'FORBIDDEN', message: 'Missing scope' };
    harness.service.faults.schedule({ on: 'send_offer', fault: { type: 'status', status: 403, body } });
    await submitRequest(harness, SEND);
    const refused = await harness.slack.waitForMessage({ text: /Refused by the order service/ });
    await submitRequest(harness, SEND, { who: harness.ben });
    await harness.slack.waitForMessage({ channel: '#support', text: /is sent to the customer/ });
    await harness.ana.click('Retry', refused);
    const { view } = await harness.ana.waitForModal({ callback: 'retry' });
    return { harness, refused, shown: JSON.stringify(view), submit: view.submit?.text };
  }

  test('is pointed out by Retry with a link, before anything is sent', async () => {
    const { harness, shown, submit } = await sentByBen();
    expect(submit).toBe('Retry anyway');
    expect(shown).toContain('There was already another request to send offer O-3001.');
    expect(shown).toMatch(/<https:\/\/[^|]+\|Open its thread>/);
    expect(calls(harness, 'send_offer')).toBe(2);
  });

  test('can be retried anyway, and a refusal is not called a mistake of the requester', async () => {
    const { harness } = await sentByBen();
    const body = { code: 'VALIDATION_ERROR', message: 'Already sent' };
    harness.service.faults.schedule({ on: 'send_offer', fault: { type: 'status', status: 400, body } });
    expect((await harness.ana.submit()).outcome).toBe('updated');
    const refused = await harness.slack.waitForMessage({ text: /Already sent/, channel: '#support' });
    expect(calls(harness, 'send_offer')).toBe(3);
    await harness.slack.waitForMessage({
      text: /When this was sent again, another request said that offer O-3001 is sent to the customer/,
    });
    expect(refused.text).not.toContain('Check the id');
  });
});

describe('an id that differs from the pattern in the case of its letters alone', () => {
  test('is refused at its field with the right spelling, and sent once it is corrected', async () => {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { orderIdPattern: 'A-####' });
    const ownReason = { reason_choice: 'Another reason (write it below)' };
    await harness.ana.command('/cancel-order a-1001', { channel: '#support' });
    await harness.ana.waitForModal();
    const wrong = await harness.ana.submit(ownReason);
    expect([wrong.outcome, Object.keys(wrong.errors)]).toEqual(['errors', ['target', 'reason']]);
    expect(wrong.errors['target']).toMatch(/^Did you mean A-1001\? Ids look like A-####/);
    const corrected = { target: 'A-1001', reason_choice: 'Ordered twice' };
    expect((await harness.ana.submit(corrected)).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toMatchObject([{ id: 'A-1001' }]);
  });
});

describe('an order that somebody has an open request for', () => {
  test('is refused in whatever case it is written, with both spellings', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const second = await harness.cancelOrder('a-2001', { who: harness.ben });
    expect(second.outcome).toBe('pushed');
    expect(shown(second)).toContain('already an open request to cancel order A-2001 (you typed a-2001)');
    expect(second.modal?.view.submit).toBeNull();
    expect(calls(harness)).toBe(1);
  });

  test('by its requester can be withdrawn on the spot, and then their form is taken', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    await harness.cancelOrder('A-1001', { reason: 'Wrong reason' });
    await harness.shows('A-1001', /Waiting for/);
    const second = await harness.cancelOrder('A-1001', { reason: 'Right reason' });
    expect([second.outcome, submitText(second)]).toEqual(['pushed', 'Withdraw']);
    const withdrawn = await harness.ana.submit();
    expect(withdrawn.outcome).toBe('updated');
    expect(shown(withdrawn)).toContain('withdrew the request, and nothing was sent');
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.slack.waitForMessage(({ blocks }) => JSON.stringify(blocks ?? []).includes('Right reason'));
  });

  test('that has moved on meanwhile is not withdrawn, and says how it stands', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    await harness.cancelOrder('A-1001');
    const card = await harness.shows('A-1001', /Waiting for/);
    await harness.cancelOrder('A-1001');
    await harness.slack.person('cara').click('Approve', card);
    await harness.reply('A-1001', /is cancelled/);
    const late = await harness.ana.submit();
    expect(shown(late)).toContain('*Not withdrawn*, because an outcome has been received or recorded.');
  });
});

describe('an id', () => {
  test.each([
    ['A-1001.', 'a full stop'],
    ['A-1001, ', 'a comma'],
    ['A-1001”', 'a closing quotation mark'],
    ['\u00a0A-1001!', 'a space that is none'],
  ])('%j is taken without %s', async (typed) => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.submit({ target: typed, reason_choice: 'Ordered twice' });
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toMatchObject([{ id: 'A-1001' }]);
  });

  test.each([
    ['../../token', 'An id cannot contain / or \\'],
    ['a\\b', 'An id cannot contain / or \\'],
    ['A-1001\u200b1', 'contains an invisible character'],
  ])('%j is refused at its field', async (typed, text) => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order', { channel: '#support' });
    await harness.ana.waitForModal();
    const { outcome, errors } = await harness.ana.submit({ target: typed, reason_choice: 'Ordered twice' });
    expect([outcome, errors]).toEqual(['errors', { target: expect.stringContaining(text) }]);
    expect(calls(harness)).toBe(0);
  });
});
