/** The address of an order, which an admin has set: it is linked, and what is pasted is read as its id. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { IN_APPROVALS, startApprovals, startAwaitingApproval } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

const { support } = SEED.channels;
const SHOP = 'https://shop.example.com/orders';
const REASON = { reason_choice: 'Ordered twice' };

async function startShop() {
  const harness = await startHarness();
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { orderAddress: `${SHOP}/{id}` });
  const { ana } = harness;
  const reads = (text: string) => ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes(text));
  return { ...harness, reads };
}

describe('the address of an order', () => {
  test('is below the field of the id, given or typed: it names the id', async () => {
    const { ana, reads } = await startShop();
    await ana.command('/cancel-order A-1001', { channel: '#support' });
    const { view } = await reads(`<${SHOP}/A-1001|Look at order A-1001>`);
    expect(JSON.stringify(view.blocks[1])).toContain('Look at order A-1001');
    await ana.closeModal();
    await ana.command('/cancel-order', { channel: '#support' });
    await reads('You can paste the address of the order');
    await ana.fill({ target: 'A-1002' });
    const typed = await reads(`<${SHOP}/A-1002|Look at order A-1002>`);
    expect(typed.view.blocks[0]?.block_id).toBe('target');
    expect(JSON.stringify(typed.view.blocks[1])).toContain('Look at order A-1002');
    expect(typed.values['target']).toBe('A-1002');
  });

  test('is in the windows that refuse a second request, and offer to withdraw the first', async () => {
    const { ana, ben, cancelOrder, reply, service } = await startShop();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 429 } });
    await cancelOrder('A-1001');
    for (const [who, title] of [
      [ben, 'Cancel an order'],
      [ana, 'Withdraw this request?'],
    ] as const) {
      await cancelOrder('A-1001', { who });
      const { view } = await who.waitForModal((seen) => seen.view.title.text === title);
      expect(JSON.stringify(view.blocks)).toContain(`open request to cancel order <${SHOP}/A-1001|A-1001>`);
    }
    await ana.submit();
    await reply('A-1001', /withdr/);
  });

  test('is read as its id: in the form, in a command, in a mention, in the status', async () => {
    const { ana, reads, reply, service, slack } = await startShop();
    await ana.command('/cancel-order', { channel: '#support' });
    await reads('You can paste the address of the order');
    expect((await ana.submit({ target: `${SHOP}/A-1001?tab=items`, ...REASON })).outcome).toBe('closed');
    await reply('A-1001', /is cancelled/);
    await ana.command(`/cancel-order ${SHOP}/A-1002 Too late`, { channel: '#support' });
    expect((await reads('Look at order A-1002')).values['target']).toBe('A-1002');
    await ana.submit();
    await reply('A-1002', /is cancelled/);
    ana.say(`<@${slack.installation().bot_user_id}> cancel <${SHOP}/A-1003>`, { channel: support });
    await expect
      .poll(() => JSON.stringify(ana.ephemerals()))
      .toContain('Press the button to cancel order A-1003.');
    await isTold(ana, `/countermand status ${SHOP}/A-1001`, 'Cancel order');
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('is a link in the message that approvers vote on in their own channel', async () => {
    const harness = await startApprovals(IN_APPROVALS);
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { orderAddress: `${SHOP}/{id}` });
    await harness.cancelOrder('A-1001');
    const { blocks } = await harness.votedOn('A-1001');
    expect(JSON.stringify(blocks)).toContain(`${SHOP}/A-1001`);
  });

  test('is a link in the form in which an approver declines', async () => {
    const harness = await startAwaitingApproval();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { orderAddress: `${SHOP}/{id}` });
    await harness.cara.click('Decline', harness.message);
    const { view } = await harness.cara.waitForModal({ callback: 'decline' });
    expect(JSON.stringify(view.blocks)).toContain(`the request about order <${SHOP}/A-1001|A-1001>`);
  });

  test('is found in a message that names nothing else', async () => {
    const { ana, ben, reads } = await startShop();
    const { ts } = ben.say(`Please cancel <${SHOP}/1001|my order>`, { channel: support });
    await ana.messageShortcut('message_cancel_order', { channel: support, ts });
    expect((await reads('Look at order 1001')).values['target']).toBe('1001');
  });

  test('of another host is no id, and becomes no link', async () => {
    const { ana, reads, service } = await startShop();
    await ana.command('/cancel-order', { channel: '#support' });
    await reads('You can paste the address of the order');
    for (const target of [
      'https://evil.example/orders/A-1001',
      `${SHOP}@evil.example/A-1001`,
      `${SHOP}/..%2Fadmin`,
    ]) {
      const { errors } = await ana.submit({ target, ...REASON });
      expect(errors).toEqual({ target: expect.stringContaining('An id cannot contain / or') });
      expect(JSON.stringify(ana.modal()?.view.blocks)).not.toContain('Look at');
    }
    expect(service.calls({ operation: 'cancel_order' })).toEqual([]);
  });
});

describe('the link of a ticket', () => {
  const TICKET = 'https://desk.example.com/t/1?a=1&b=2';

  async function startTickets(hosts: readonly string[] | undefined = ['desk.example.com']) {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { ticketHosts: hosts });
    await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('reason_choice'));
    return harness;
  }

  test('can be given where an admin lists hosts, and stands on the card', async () => {
    const { ana, card, reply } = await startTickets();
    await ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('A link on desk.example.com.'));
    expect((await ana.submit({ ticket: TICKET, ...REASON })).outcome).toBe('closed');
    await reply('A-1001', /is cancelled/);
    expect(JSON.stringify(await card('A-1001'))).toContain(
      '<https://desk.example.com/t/1?a=1&amp;b=2|Open the ticket>',
    );
  });

  test.each([
    ['https://evil.example/t/1', 'Tickets can be linked only on desk.example.com.'],
    ['https://desk.example.com@evil.example/', 'must not contain a user name'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['ticket 1', 'This is not an address.'],
  ])('on another host is refused at the field: %s', async (ticket, text) => {
    const { ana, service } = await startTickets();
    const { errors } = await ana.submit({ ticket, ...REASON });
    expect(errors).toEqual({ ticket: expect.stringContaining(text) });
    expect(service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('is left out where an admin has taken all hosts away while the form was open', async () => {
    const { ana, terminal } = await startTickets();
    await ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('A link on desk.example.com.'));
    await (await terminal()).settings.change(SEED.team, { ticketHosts: [] });
    const { errors } = await ana.submit({ ticket: TICKET, ...REASON });
    expect(errors).toEqual({ ticket: expect.stringMatching(/Empty this field\.$/) });
    expect((await ana.submit({ ticket: '' })).outcome).toBe('closed');
  });

  test('has no field where no host is listed', async () => {
    const { ana } = await startTickets([]);
    expect(ana.modal()?.values).not.toHaveProperty('ticket');
  });

  test('and that of the order stand in no channel that another company reads', async () => {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, {
      orderAddress: `${SHOP}/{id}`,
      ticketHosts: ['desk.example.com'],
      sharedChannels: true,
    });
    const { ana, slack } = harness;
    await ana.command('/cancel-order A-1001', { channel: '#support' });
    await ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('Look at order A-1001'));
    slack.admin.share(support, SEED.otherTeam);
    await ana.submit({ ticket: TICKET, ...REASON });
    await harness.reply('A-1001', /is cancelled/);
    const shown = JSON.stringify(slack.messages('#support'));
    expect(shown).toContain('A-1001');
    for (const host of ['shop.example.com', 'desk.example.com']) expect(shown).not.toContain(host);
  });
});
