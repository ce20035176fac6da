import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';

describe('/cancel-order', () => {
  test('opens the modal at once, filled with what was typed and with the channel one is in', async () => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order A-1001 wrong size,  twice ', { channel: '#support' });
    const { title, values } = await desk.ana.waitForModal();
    expect(title).toBe('Cancel an order');
    expect(values).toEqual({
      target: 'A-1001',
      reason_choice: null,
      reason: 'wrong size,  twice',
      channel: SEED.channels.support,
    });
  });

  test('takes a chosen reason, a written one, or both', async () => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order A-1001', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.ana.submit({ reason_choice: 'Ordered twice', reason: 'PO 7' });
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.service.organization().orders.get('A-1001')?.cancellation?.reason).toBe(
      'Ordered twice: PO 7',
    );
  });

  test('in a direct message asks for the channel', async () => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'error', code: 'is_archived' } });
    await desk.ask('A-1001');
    const { channel } = await desk.ana.waitForDirectMessage();
    await desk.ana.command('/cancel-order A-1002 x', { channel });
    expect((await desk.ana.waitForModal()).values['channel']).toBeNull();
    const { outcome, errors } = await desk.ana.submit();
    expect([outcome, Object.keys(errors)]).toEqual(['not_sent', ['channel']]);
  });

  test('shows what is wrong at its field, and takes it once it is mended', async () => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order ..', { channel: '#support' });
    await desk.ana.waitForModal();
    const wrong = await desk.ana.submit();
    expect(wrong).toMatchObject({
      outcome: 'errors',
      errors: {
        target: expect.stringContaining('cannot be an id'),
        reason: expect.stringContaining('requires it'),
      },
    });
    expect((await desk.ana.submit({ target: 'A-1001', reason: 'x' })).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('cannot be used to mention anybody or to draw anything', async () => {
    const desk = await startDesk();
    await desk.ask('A-<!channel>', { reason: '<!channel> *bold* <https://evil.example|click>' });
    await desk.slack.waitForMessage({ channel: '#support', text: /refused the request.*VALIDATION_ERROR/s });
    expect(desk.service.calls().at(-1)).toMatchObject({ operation: 'cancel_order', id: 'A-<!channel>' });
    const said = JSON.stringify(
      desk.slack
        .messages('#support')
        .map(({ text, blocks }) => [text, blocks?.filter(({ type }) => type === 'section')]),
    );
    expect(said).not.toContain('<!channel>');
    expect(said).not.toContain('<https://evil');
  });

  test('tells who typed it that the form could not be opened in time', async () => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'views.open', fault: { type: 'error', code: 'expired_trigger_id' } });
    await desk.ana.command('/cancel-order A-1001', { channel: '#support' });
    const told = await desk.ana.waitForEphemeral();
    expect(told.text).toBe('The form could not be opened in time. Nothing more was done. Try again.');
  });

  test('is answered before anything else is done', async () => {
    const desk = await startDesk();
    const held = desk.slack.faults.order({ on: 'views.open', fault: { type: 'hold', when: 'before' } });
    const { ack } = await desk.ana.command('/cancel-order A-1001', { channel: '#support' });
    expect(ack).toMatchObject({ ended: 'answered', status: 200 });
    held.release();
    await desk.ana.waitForModal();
  });
});

describe('who may ask', () => {
  test.each(['gina', 'sid'])('a guest (%s) may not', async (name) => {
    const desk = await startDesk();
    const guest = desk.slack.person(name);
    await guest.command('/cancel-order A-1001 x', { channel: '#support' });
    const notification = await guest.waitForModal(({ view }) =>
      JSON.stringify(view).includes('Guests cannot use'),
    );
    expect(notification.view.submit).toBeNull();
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('a member of another company may not, even with a form of their own making', async () => {
    const desk = await startDesk();
    const gus = desk.slack.person('gus');
    const text = (value: string) => ({ type: 'plain_text_input', value });
    const values = {
      target: { target: text('A-1001') },
      reason_choice: { reason_choice: { type: 'static_select', selected_option: null } },
      reason: { reason: text('x') },
      channel: { channel: { type: 'conversations_select', selected_conversation: SEED.channels.support } },
    };
    const view = {
      id: 'V1',
      type: 'modal',
      callback_id: 'request_cancel_order',
      private_metadata: '',
      state: { values },
    };
    const payload = {
      type: 'view_submission',
      team: { id: SEED.team },
      user: { id: gus.id, team_id: SEED.otherTeam },
      view,
    };
    const answer = await desk.slack.sendCustom({ kind: 'interactivity', body: payload });
    expect(answer).toMatchObject({
      status: 200,
      body: expect.stringContaining('Only members of this workspace'),
    });
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('who was made a guest after the form was opened may not', async () => {
    const desk = await startDesk();
    desk.slack.faults.order({ on: 'users.info', fault: { type: 'status', status: 500 } });
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.journal.waitFor(({ name, response }) => name === 'users.info' && response?.status === 500);
    desk.slack.admin.setRole(desk.ana.id, 'guest');
    const { outcome, modal } = await desk.ana.submit();
    expect(outcome).toBe('updated');
    expect(JSON.stringify(modal)).toContain('Guests cannot use');
    expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('only the members of the user group that an admin has set may', async () => {
    const desk = await startDesk({ connected: false });
    await desk.openConnect();
    const { options } = await desk.olga.search('requesters', 'agents');
    expect(options.map(({ text }) => text.text)).toEqual(['Support agents (@agents)']);
    await desk.olga.fill({ requesters: SEED.groups.agents });
    await desk.olga.submit({ token: SEED_TOKENS.acme.rest });
    await desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes('is connected'));
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    const dev = desk.slack.person('dev');
    await dev.command('/cancel-order A-1002 x', { channel: '#support' });
    await dev.waitForModal(({ view }) => JSON.stringify(view).includes('Only members of one user group'));
  });

  test('nobody may while the group that an admin has set is gone, and everybody reads what to do', async () => {
    const desk = await startDesk({ connected: false });
    await desk.openConnect();
    await desk.olga.search('requesters', '');
    await desk.olga.submit({ token: SEED_TOKENS.acme.rest, requesters: SEED.groups.agents });
    await desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes('is connected'));
    desk.slack.admin.setUserGroup(SEED.groups.agents, { deleted: true });
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes('that group is gone'));
  });
});

describe('where the updates go', () => {
  test('not into a channel that is shared with another company, however it is sent', async () => {
    const desk = await startDesk();
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#partners' });
    const { values } = await desk.ana.waitForModal();
    expect(values['channel']).toBe(SEED.channels.partners);
    const refused = ['errors', { channel: expect.stringContaining('shared with another company') }];
    const partners = await desk.ana.submit();
    expect([partners.outcome, partners.errors]).toEqual(refused);
    await desk.ana.fill({ channel: SEED.channels.support });
    desk.slack.admin.share(SEED.channels.support, SEED.otherTeam);
    const { outcome, errors } = await desk.ana.submit();
    expect([outcome, errors]).toEqual(refused);
  });
});

describe('one open request for an order', () => {
  test('is free again when the request has ended', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.service.deny('A-2001');
    await desk.reply('A-2001', /denied/);
    expect((await desk.ask('A-2001', { who: desk.ben })).outcome).toBe('closed');
    await desk.slack.waitForMessage({ text: new RegExp(`<@${desk.ben.id}>|accepted the request`) });
  });
});

describe('a form that is submitted again', () => {
  /** Slack takes its time to tell of the channel: once the form is open, and when it comes in. */
  const slowLooks = ({ slack }: Desk) =>
    slack.faults.order({ on: 'conversations.info', fault: { type: 'delay', ms: 600 }, times: 2 });

  test('because its answer was late leads to one request', async () => {
    const desk = await startDesk({ slack: { ackTimeoutMs: 300 } });
    slowLooks(desk);
    const first = await desk.ask('A-1001');
    expect(first.trouble).toMatch(/trouble connecting/);
    await desk.reply('A-1001', /is cancelled/);
    expect((await desk.ana.submit()).outcome).toBe('closed');
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(
      desk.slack.messages('#support').filter(({ text }) => text.startsWith('Cancel order')),
    ).toHaveLength(1);
  });

  test('with other content is not mistaken for the first one', async () => {
    const desk = await startDesk({ slack: { ackTimeoutMs: 300 } });
    slowLooks(desk);
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    const { outcome, modal } = await desk.ana.submit({ target: 'A-1002' });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('You have already submitted this form, for order A-1001');
    expect(desk.service.calls({ orderId: 'A-1002' })).toEqual([]);
  });

  test('with another channel is not mistaken for the first one', async () => {
    const desk = await startDesk({ slack: { ackTimeoutMs: 300 } });
    const { id } = desk.slack.admin.addChannel({
      team_id: SEED.team,
      name: 'returns',
      members: [desk.ana.id],
    });
    slowLooks(desk);
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    expect((await desk.ana.submit({ channel: id })).outcome).toBe('pushed');
  });

  test('is answered in time though Slack itself is slow', async () => {
    const desk = await startDesk();
    for (const on of ['users.info', 'conversations.info', 'usergroups.users.list', 'chat.getPermalink']) {
      desk.slack.faults.order({ on, fault: { type: 'delay', ms: 1_000 }, times: 9 });
    }
    expect((await desk.ask('A-1001')).outcome).toBe('closed');
  });
});
