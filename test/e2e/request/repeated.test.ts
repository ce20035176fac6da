/** Somebody requests what was requested before here, or spells an id otherwise: the form says so before anything is sent. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { setPolicy } from '../../support/e2e/approvals.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { askFor, KINDS, replyTo } from '../../support/e2e/kinds.ts';

const [, SEND, CANCEL] = KINDS;
const calls = ({ service }: Desk, operation = 'cancel_order') => service.calls({ operation }).length;
const shown = (seen: { modal: { view: unknown } | undefined }) => JSON.stringify(seen.modal?.view);
const submitText = ({ modal }: { modal: { view: { submit: { text: string } | null } } | undefined }) =>
  modal?.view.submit?.text;

describe('an order that an earlier request has cancelled', () => {
  async function cancelled() {
    const desk = await startDesk();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    return desk;
  }

  test('is pointed out with who, when and a link, and what was typed stays', async () => {
    const desk = await cancelled();
    const second = await desk.ask('A-1001', { who: desk.ben, reason: 'Still here' });
    expect([second.outcome, submitText(second)]).toEqual(['updated', 'Request anyway']);
    expect(shown(second)).toContain('There was already a request for order A-1001');
    expect(shown(second)).toMatch(new RegExp(`Cancelled.*Requested by <@${desk.ana.id}>, <!date`));
    expect(shown(second)).toMatch(/<https:\/\/[^|]+\|Open its thread>/);
    expect(second.modal?.values).toMatchObject({ target: 'A-1001', reason: 'Still here' });
    expect(calls(desk)).toBe(1);
  });

  test('can be requested anyway, and the service decides', async () => {
    const desk = await cancelled();
    await desk.ask('A-1001', { who: desk.ben });
    expect((await desk.ben.submit()).outcome).toBe('closed');
    await desk.slack.waitForMessage({ text: /refused the request.*already has a cancellation/s });
    expect(calls(desk)).toBe(2);
  });

  test('that is another one than was pointed out is pointed out, too', async () => {
    const desk = await cancelled();
    await desk.ask('A-1002');
    await desk.reply('A-1002', /is cancelled/);
    await desk.ask('A-1001', { who: desk.ben });
    const other = await desk.ben.submit({ target: 'A-1002' });
    expect(other.outcome).toBe('updated');
    expect(shown(other)).toContain('already a request for order A-1002');
    expect((await desk.ben.submit({ target: 'A-1003' })).outcome).toBe('closed');
    await desk.reply('A-1003', /is cancelled/);
  });

  test('stays pointed out when another channel is chosen in the form', async () => {
    const desk = await cancelled();
    await desk.ask('A-1001', { who: desk.ben });
    await desk.ben.fill({ channel: SEED.channels.partners });
    const { view } = await desk.ben.waitForModal((seen) =>
      JSON.stringify(seen.view).includes('another company'),
    );
    expect(JSON.stringify(view)).toContain('There was already a request for');
    expect(view.submit?.text).toBe('Request anyway');
    expect((await desk.ben.submit({ channel: SEED.channels.support })).outcome).toBe('closed');
  });

  test('is pointed out however its letters are written, and both spellings are shown', async () => {
    const desk = await cancelled();
    const second = await desk.ask('a-1001', { who: desk.ben });
    expect(second.outcome).toBe('updated');
    expect(shown(second)).toContain('already a request for order A-1001 (you typed a-1001)');
  });
});

describe('an offer', () => {
  test('that was sent is pointed out before it is sent again, and not before it is cancelled', async () => {
    const desk = await startDesk();
    await askFor(desk, SEND);
    await replyTo(desk, SEND, /is sent to the customer/);
    const again = await askFor(desk, SEND, { who: desk.ben });
    expect([again.outcome, calls(desk, 'send_offer')]).toEqual(['updated', 1]);
    expect(shown(again)).toContain('There was already a request for offer O-3001');
    await desk.ben.closeModal();
    expect((await askFor(desk, CANCEL, { who: desk.ben })).outcome).toBe('closed');
    await replyTo(desk, CANCEL, /is cancelled/);
    const cancelled = await askFor(desk, SEND, { who: desk.ben });
    expect(shown(cancelled)).toContain(':white_check_mark: Cancelled');
  });
});

describe('an id that differs from the pattern in the case of its letters alone', () => {
  async function patterned(pattern: string) {
    const desk = await startDesk();
    const { settings } = await desk.terminal();
    await settings.change(SEED.team, { orderIdPattern: pattern });
    return desk;
  }

  test('is offered as the pattern spells it, and sent so', async () => {
    const desk = await patterned('A-####');
    const wrong = await desk.ask('a-1001');
    expect([wrong.outcome, submitText(wrong)]).toEqual(['updated', 'Use this spelling']);
    expect(shown(wrong)).toContain('Did you mean A-1001?');
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toMatchObject([{ id: 'A-1001' }]);
  });

  test('that is corrected by hand is taken as it is then', async () => {
    const desk = await patterned('A-####');
    await desk.ask('a-1001');
    const other = await desk.ana.submit({ target: 'A-1002' });
    expect(other.outcome).toBe('closed');
    await desk.reply('A-1002', /is cancelled/);
  });

  test('and was cancelled before is pointed out under its right spelling, and can be requested anyway', async () => {
    const desk = await patterned('A-####');
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    await desk.ask('a-1001', { who: desk.ben });
    const second = await desk.ben.submit();
    expect([second.outcome, submitText(second)]).toEqual(['updated', 'Request anyway']);
    expect((await desk.ben.submit()).outcome).toBe('closed');
    await desk.slack.waitForMessage({ text: /Cancel order A-1001: The order service refused/ });
  });
});

describe('an order that somebody has an open request for', () => {
  test('is refused in whatever case it is written, with both spellings', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    const second = await desk.ask('a-2001', { who: desk.ben });
    expect(second.outcome).toBe('pushed');
    expect(shown(second)).toContain('already an open request for order A-2001 (you typed a-2001)');
    expect(second.modal?.view.submit).toBeNull();
    expect(calls(desk)).toBe(1);
  });

  test('by whoever asks again can be withdrawn on the spot, and then their form is taken', async () => {
    const desk = await startDesk();
    await setPolicy(desk);
    await desk.ask('A-1001', { reason: 'Wrong reason' });
    await desk.shows('A-1001', /Waiting for/);
    const second = await desk.ask('A-1001', { reason: 'Right reason' });
    expect([second.outcome, submitText(second)]).toEqual(['pushed', 'Withdraw open request']);
    const withdrawn = await desk.ana.submit();
    expect(withdrawn.outcome).toBe('updated');
    expect(shown(withdrawn)).toContain('withdrew the request, and nothing was sent');
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.slack.waitForMessage(({ blocks }) => JSON.stringify(blocks ?? []).includes('Right reason'));
  });

  test('that has moved on meanwhile is not withdrawn, and says how it stands', async () => {
    const desk = await startDesk();
    await setPolicy(desk);
    await desk.ask('A-1001');
    const card = await desk.shows('A-1001', /Waiting for/);
    await desk.ask('A-1001');
    await desk.slack.person('cara').click('Approve', card);
    await desk.reply('A-1001', /is cancelled/);
    const late = await desk.ana.submit();
    expect(shown(late)).toContain('This request has already changed, so nothing was done');
  });
});

describe('an id', () => {
  test.each([
    ['A-1001.', 'a full stop'],
    ['A-1001, ', 'a comma'],
    ['A-1001”', 'a closing quotation mark'],
    ['\u00a0A-1001!', 'a space that is none'],
  ])('%j is taken without %s', async (typed) => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.ana.submit({ target: typed, reason: 'x' });
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toMatchObject([{ id: 'A-1001' }]);
  });

  test.each([
    ['../../token', 'An id cannot contain / or \\'],
    ['a\\b', 'An id cannot contain / or \\'],
    ['A-1001\u200b1', 'contains an invisible character'],
  ])('%j is refused at its field', async (typed, text) => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order', { channel: '#support' });
    await desk.ana.waitForModal();
    const { outcome, errors } = await desk.ana.submit({ target: typed, reason: 'x' });
    expect([outcome, errors]).toEqual(['errors', { target: expect.stringContaining(text) }]);
    expect(calls(desk)).toBe(0);
  });
});
