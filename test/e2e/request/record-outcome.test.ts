import { describe, expect, test } from 'vitest';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';

/** A request whose outcome nobody knows. */
async function unknownOutcome() {
  const desk = await startDesk();
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' } });
  desk.service.events.pause();
  await desk.ask('A-2001');
  await desk.reply('A-2001', /may or may not/);
  const card = await desk.shows('A-2001', /may or may not/);
  return { desk, card };
}

async function refused(desk: Desk) {
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await desk.ask('A-1001');
  await desk.reply('A-1001', /refused the request/);
  return desk.shows('A-1001', /refused the request/);
}

const clickRecord = async (desk: Desk, card: { channel: string; ts: string }, who = desk.ana) => {
  await who.click('Record the outcome', card);
  return who.waitForModal(({ callback_id, view }) => callback_id === 'record_outcome' || view.close !== null);
};

describe('"Record the outcome"', () => {
  test.each([
    ['approved', /is cancelled: <@\w+> recorded it/],
    ['denied', /is not cancelled: <@\w+> recorded it/],
    ['release', /closed this request without an outcome/],
  ])('as %s is told, with the name of who did it', async (outcome, text) => {
    const { desk, card } = await unknownOutcome();
    await clickRecord(desk, card);
    expect((await desk.ana.submit({ outcome })).outcome).toBe('closed');
    const reply = await desk.reply('A-2001', text);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    // It is free to be asked for again; what is recorded as cancelled is pointed out first.
    const again = (await desk.ask('A-2001', { who: desk.ben })).outcome;
    expect(again).toBe(outcome === 'approved' ? 'updated' : 'closed');
  });

  test('as not received sends it again, once', async () => {
    const { desk, card } = await unknownOutcome();
    // The service has lost it: there is no cancellation of this order.
    desk.service.addOrder({ id: 'A-2001', reviewed: true });
    await clickRecord(desk, card);
    await desk.ana.submit({ outcome: 'not_received' });
    await desk.reply('A-2001', /is reviewing it/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('of a request under review does not offer to send it again', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    const { view } = await clickRecord(desk, await desk.shows('A-2001', /reviewing/), desk.olga);
    expect(JSON.stringify(view)).toContain('Close the request without an outcome');
    expect(JSON.stringify(view)).not.toContain('not received');
    await desk.olga.submit({ outcome: 'approved' });
    await desk.reply('A-2001', /recorded it/);
    const card = await desk.shows('A-2001', /The order service has not confirmed this/);
    expect(JSON.stringify(card.blocks)).toContain(
      `*:white_check_mark: Cancelled* · recorded by <@${desk.olga.id}>`,
    );
  });

  test('of a request under review is not for the one who asked, who reads so', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    const { view } = await clickRecord(desk, await desk.shows('A-2001', /reviewing/));
    expect(view.submit).toBeNull();
    expect(JSON.stringify(view)).toContain('only its approvers and admins can record the outcome');
  });

  test('that the service contradicts later is corrected, and the reply says whose record it was', async () => {
    const { desk, card } = await unknownOutcome();
    await clickRecord(desk, card);
    await desk.ana.submit({ outcome: 'denied' });
    await desk.reply('A-2001', /is not cancelled: <@\w+> recorded it/);
    desk.service.events.resume();
    desk.service.approve('A-2001');
    const reply = await desk.reply('A-2001', /the review approved the request/);
    expect(reply.text).toContain(`This corrects what <@${desk.ana.id}> recorded.`);
  });

  test('is for the one who asked and for admins', async () => {
    const { desk, card } = await unknownOutcome();
    const refusal = await clickRecord(desk, card, desk.ben);
    expect(JSON.stringify(refusal.view)).toContain('Only the requester, the approvers and admins');
    await clickRecord(desk, card, desk.olga);
    await desk.olga.submit({ outcome: 'approved' });
    const reply = await desk.reply('A-2001', /recorded it/);
    expect(reply.text).toContain(`<@${desk.olga.id}> recorded it`);
    expect(reply.text).toMatch(new RegExp(`^<@${desk.ana.id}>`));
  });

  test('comes too late when an event was faster, and changes nothing', async () => {
    const { desk, card } = await unknownOutcome();
    await clickRecord(desk, card);
    desk.service.events.resume();
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /the review approved/);
    const { modal } = await desk.ana.submit({ outcome: 'denied' });
    expect(JSON.stringify(modal)).toContain('This request has already changed');
    await desk.shows('A-2001', /the review approved/);
  });

  test('leaves no button on the card when it is done', async () => {
    const { desk, card } = await unknownOutcome();
    await clickRecord(desk, card);
    await desk.ana.submit({ outcome: 'approved' });
    const shown = await desk.shows('A-2001', /recorded it/);
    expect(shown.blocks?.map(({ type }) => type)).not.toContain('actions');
  });
});

describe('"Retry"', () => {
  test('sends what was refused once more, after it is confirmed', async () => {
    const desk = await startDesk();
    const card = await refused(desk);
    await desk.ana.click('Retry', card, { confirm: true });
    await desk.reply('A-1001', /is cancelled: the order service cancelled it at once/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('is for the one who asked and for admins', async () => {
    const desk = await startDesk();
    const card = await refused(desk);
    await desk.ben.click('Retry', card, { confirm: true });
    expect((await desk.ben.waitForEphemeral()).text).toContain(
      'Only the requester, the approvers and admins',
    );
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('is not offered where the same call would be refused again', async () => {
    const desk = await startDesk();
    await desk.ask('X-1');
    const card = await desk.shows('X-1', /refused the request/);
    expect(card.text).toContain('Check the id and the reason');
    expect(card.text).not.toContain('Retry');
    expect(card.blocks?.map(({ type }) => type)).not.toContain('actions');
  });

  test('needs the slot again: while another request is open, it gets a link to that one', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /refused/);
    const card = await desk.shows('A-2001', /refused/);
    await desk.ask('A-2001', { who: desk.ben });
    await desk.slack.waitForMessage({ text: /reviewing/ });
    await desk.ana.click('Retry', card, { confirm: true });
    expect((await desk.ana.waitForEphemeral()).text).toMatch(
      /Another request for order A-2001 is open, so this one was not sent again\..*Open its thread/s,
    );
  });

  test('pressed by two at once is done once', async () => {
    const desk = await startDesk();
    const card = await refused(desk);
    const held = desk.service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'before' } });
    await Promise.all([
      desk.ana.click('Retry', card, { confirm: true }),
      desk.olga.click('Retry', card, { confirm: true }),
    ]);
    await held.reached;
    held.release();
    await desk.reply('A-1001', /cancelled it at once/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });
});

describe('a GraphQL token that is refused', () => {
  test('is explained to the agent', async () => {
    const desk = await startDesk({ connected: false });
    const token = desk.service.issueToken({ kind: 'graphql', acceptedBy: ['get_sub_brands'] });
    await desk.connect({ token, token_kind: 'graphql' });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /workspace's GraphQL token: REST endpoints are ending their support/);
  });
});
