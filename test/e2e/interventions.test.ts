import { describe, expect, test } from 'vitest';
import { type Desk, startDesk } from '../support/desk.ts';

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
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
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
    ['release', /released this request without an outcome/],
  ])('as %s is told, with the name of who did it', async (outcome, text) => {
    const { desk, card } = await unknownOutcome();
    await clickRecord(desk, card);
    expect((await desk.ana.submit({ outcome })).outcome).toBe('closed');
    const reply = await desk.reply('A-2001', text);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    // It is free to be asked for again.
    expect((await desk.ask('A-2001', { who: desk.ben })).outcome).toBe('closed');
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
    const { view } = await clickRecord(desk, await desk.shows('A-2001', /reviewing/));
    expect(JSON.stringify(view)).toContain('Release it without an outcome');
    expect(JSON.stringify(view)).not.toContain('not received');
    await desk.ana.submit({ outcome: 'approved' });
    await desk.reply('A-2001', /recorded it/);
  });

  test('is for the one who asked and for admins', async () => {
    const { desk, card } = await unknownOutcome();
    const refusal = await clickRecord(desk, card, desk.ben);
    expect(JSON.stringify(refusal.view)).toContain('Only the one who asked, its approvers and admins');
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
    expect(JSON.stringify(modal)).toContain('This request has moved on');
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
      'Only the one who asked, its approvers and admins',
    );
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('needs the slot again: while another request is open, it gets a link to that one', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /refused/);
    const card = await desk.shows('A-2001', /refused/);
    await desk.ask('A-2001', { who: desk.ben });
    await desk.slack.waitForMessage({ text: /reviewing/ });
    await desk.ana.click('Retry', card, { confirm: true });
    expect((await desk.ana.waitForEphemeral()).text).toMatch(
      /open request for order A-2001 already.*Open its thread/s,
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
    await desk.reply('A-1001', /is a GraphQL token: REST endpoints are ending their support/);
  });
});
