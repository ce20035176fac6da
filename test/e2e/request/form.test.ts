import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { OWN_REASON } from '../../../src/slack/features/request/request-form.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { openSettings, saveSettings } from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';
import { requestValues } from '../../support/isolation/form-values.ts';

/** Submits a form that the bot has not made. */
function submitOwn(
  { slack }: Harness,
  user: { id: string; team_id?: string },
  { channel = SEED.channels.support as string, private_metadata = '' } = {},
) {
  const state = { values: requestValues('A-1001', channel) };
  const view = { id: 'V1', type: 'modal', callback_id: 'request_cancel_order', private_metadata, state };
  const payload = {
    type: 'view_submission',
    team: { id: SEED.team },
    user: { team_id: SEED.team, ...user },
    view,
  };
  return slack.sendCustom({ kind: 'interactivity', body: payload });
}

describe('/cancel-order', () => {
  test('opens the modal at once, filled with what was typed and with the channel one is in', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001 wrong size,  twice ', { channel: '#support' });
    const { title, values } = await harness.ana.waitForModal();
    expect(title).toBe('Cancel an order');
    expect(values).toEqual({
      target: 'A-1001',
      reason_choice: OWN_REASON,
      reason: 'wrong size,  twice',
      channel: SEED.channels.support,
    });
  });

  test('takes a chosen reason, a written one, or both', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    await harness.ana.waitForModal();
    // Slack does not send a form without a choice that is required.
    expect((await harness.ana.submit()).outcome).toBe('not_sent');
    const own = await harness.ana.submit({ reason_choice: 'Another reason (write it below)' });
    expect(own.errors).toEqual({ reason: expect.stringContaining('Write the reason') });
    const words = 'y'.repeat(1_000);
    const both = await harness.ana.submit({ reason_choice: 'Ordered twice', reason: words });
    expect(both.errors).toEqual({
      reason: 'The reason has more than 1,000 characters in all. Shorten your own words.',
    });
    await harness.ana.submit({ reason_choice: 'Ordered twice', reason: 'PO 7' });
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.service.organization().orders.get('A-1001')?.requests.cancel_order?.reason).toBe(
      'Ordered twice: PO 7',
    );
  });

  test('in a direct message asks for the channel', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code: 'is_archived' } });
    await harness.cancelOrder('A-1001');
    const { channel } = await harness.ana.waitForDirectMessage();
    await harness.ana.command('/cancel-order A-1002 x', { channel });
    expect((await harness.ana.waitForModal()).values['channel']).toBeNull();
    const { outcome, errors } = await harness.ana.submit();
    expect([outcome, Object.keys(errors)]).toEqual(['not_sent', ['channel']]);
  });

  test('shows what is wrong at its field, and takes it once it is fixed', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order ..', { channel: '#support' });
    await harness.ana.waitForModal();
    const wrong = await harness.ana.submit({ reason_choice: 'Another reason (write it below)' });
    expect(wrong).toMatchObject({
      outcome: 'errors',
      errors: {
        target: expect.stringContaining('cannot be an id'),
        reason: expect.stringContaining('requires one'),
      },
    });
    expect((await harness.ana.submit({ target: 'A-1001', reason: 'x' })).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('cannot be used to mention anybody or to draw anything', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-<!channel>', { reason: '<!channel> *bold* <https://evil.example|click>' });
    await harness.slack.waitForMessage({
      channel: '#support',
      text: /refused the request/,
    });
    expect(harness.service.calls().at(-1)).toMatchObject({ operation: 'cancel_order', id: 'A-<!channel>' });
    const said = JSON.stringify(
      harness.slack
        .messages('#support')
        .map(({ text, blocks }) => [text, blocks?.filter(({ type }) => type === 'section')]),
    );
    expect(said).not.toContain('<!channel>');
    expect(said).not.toContain('<https://evil');
  });

  test('tells who typed it that the form could not be opened in time', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'views.open', fault: { type: 'error', code: 'expired_trigger_id' } });
    await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    const notice = await harness.ana.waitForEphemeral();
    expect(notice.text).toBe('The form could not be opened in time. Nothing more was done. Try again.');
  });

  test('is answered before anything else is done', async () => {
    const harness = await startHarness();
    const held = harness.slack.faults.schedule({ on: 'views.open', fault: { type: 'hold', when: 'before' } });
    const { ack } = await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    expect(ack).toMatchObject({ ended: 'answered', status: 200 });
    held.release();
    await harness.ana.waitForModal();
  });
});

describe('who may request', () => {
  test.each(['gina', 'sid'])('a guest (%s) may not', async (name) => {
    const harness = await startHarness();
    const guest = harness.slack.person(name);
    await isTold(guest, '/cancel-order A-1001 x', 'Guests cannot use');
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('a member of another company may not, even with a form of their own making', async () => {
    const harness = await startHarness();
    const gus = harness.slack.person('gus');
    const answer = await submitOwn(harness, { id: gus.id, team_id: SEED.otherTeam });
    expect(answer).toMatchObject({
      status: 200,
      body: expect.stringContaining('only members of that workspace'),
    });
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('nobody may post into a private channel that is not theirs, with a form of their own making', async () => {
    const harness = await startHarness();
    const { approvals } = SEED.channels;
    const bot = harness.slack.installation().bot_user_id;
    harness.slack.admin.invite(approvals, bot);
    const submit = (private_metadata: string) =>
      submitOwn(harness, { id: harness.ben.id }, { channel: approvals, private_metadata });
    // Nothing that a form says of where the command was typed is believed.
    for (const metadata of ['', JSON.stringify({ from: approvals })]) {
      expect(await submit(metadata)).toMatchObject({
        status: 200,
        body: expect.stringContaining('You are not in this channel'),
      });
    }
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    const { outcome } = await harness.cancelOrder('A-1001', {
      who: harness.slack.person('cara'),
      channel: '#approvals',
    });
    expect(outcome).toBe('closed');
  });

  test('nobody puts an address on the card, with a form of their own making', async () => {
    const harness = await startHarness();
    const private_metadata = JSON.stringify({ message: 'https://evil.example/login' });
    const answer = await submitOwn(harness, { id: harness.ana.id }, { private_metadata });
    expect(answer).toMatchObject({ status: 200 });
    await harness.reply('A-1001', /is cancelled/);
    expect(JSON.stringify(harness.slack.messages('#support'))).not.toMatch(/evil\.example|this message/);
  });

  test('who was made a guest after the form was opened may not', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'users.info', fault: { type: 'status', status: 500 } });
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.journal.waitFor(({ name, response }) => name === 'users.info' && response?.status === 500);
    harness.slack.admin.setRole(harness.ana.id, 'guest');
    const { outcome, modal } = await harness.ana.submit();
    expect(outcome).toBe('updated');
    expect(JSON.stringify(modal)).toContain('Guests cannot use');
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('only the members of the user group that an admin has set may', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    const { options } = await harness.olga.search('requesters', 'agents');
    expect(options.map(({ text }) => text.text)).toEqual(['Support agents (@agents)']);
    expect((await harness.olga.submit({ requesters: SEED.groups.agents })).outcome).toBe('updated');
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const refusal = `Only members of <!subteam^${SEED.groups.agents}> can make requests here.`;
    await isTold(harness.slack.person('dev'), '/cancel-order A-1002 x', refusal);
  });

  test('nobody may while the group that an admin has set is gone, and everybody reads what to do', async () => {
    const harness = await startHarness();
    expect((await saveSettings(harness, { requesters: SEED.groups.agents })).outcome).toBe('updated');
    harness.slack.admin.setUserGroup(SEED.groups.agents, { deleted: true });
    await isTold(harness.ana, '/cancel-order A-1001 x', 'that group is gone');
  });
});

describe('where the updates go', () => {
  test('not into a channel that is shared with another company, however it is sent', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#partners' });
    const { values } = await harness.ana.waitForModal();
    expect(values['channel']).toBe(SEED.channels.partners);
    const refused = ['errors', { channel: expect.stringContaining('shared with another company') }];
    const partners = await harness.ana.submit();
    expect([partners.outcome, partners.errors]).toEqual(refused);
    await harness.ana.fill({ channel: SEED.channels.support });
    harness.slack.admin.share(SEED.channels.support, SEED.otherTeam);
    const { outcome, errors } = await harness.ana.submit();
    expect([outcome, errors]).toEqual(refused);
  });
});

describe('one open request for an order', () => {
  test('is free again when the request has ended', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.deny('A-2001');
    await harness.reply('A-2001', /decided against it after a review/);
    expect((await harness.cancelOrder('A-2001', { who: harness.ben })).outcome).toBe('closed');
    await harness.slack.waitForMessage({ text: new RegExp(`<@${harness.ben.id}>|accepted the request`) });
  });
});

describe('a form that is submitted again', () => {
  const loseAnswer = ({ slack }: Harness) =>
    slack.faults.schedule({
      on: 'app.answer',
      where: { name: 'view_submission' },
      fault: { type: 'unanswered' },
    });

  test('because its answer was lost leads to one request', async () => {
    const harness = await startHarness();
    loseAnswer(harness);
    const first = await harness.cancelOrder('A-1001');
    expect(first.trouble).toMatch(/trouble connecting/);
    await harness.reply('A-1001', /is cancelled/);
    expect((await harness.ana.submit()).outcome).toBe('closed');
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(
      harness.slack.messages('#support').filter(({ text }) => text.startsWith('Cancel order')),
    ).toHaveLength(1);
  });

  test('with other content is not mistaken for the first one', async () => {
    const harness = await startHarness();
    loseAnswer(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const { outcome, modal } = await harness.ana.submit({ target: 'A-1002' });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('You have already submitted this form, for order A-1001');
    expect(harness.service.calls({ orderId: 'A-1002' })).toEqual([]);
  });

  test('with another channel is not mistaken for the first one', async () => {
    const harness = await startHarness();
    const { id } = harness.slack.admin.addChannel({
      team_id: SEED.team,
      name: 'returns',
      members: [harness.ana.id],
    });
    loseAnswer(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect((await harness.ana.submit({ channel: id })).outcome).toBe('pushed');
  });

  test('is answered in time though Slack itself is slow', async () => {
    const harness = await startHarness();
    for (const on of ['users.info', 'conversations.info']) {
      harness.slack.faults.schedule({ on, fault: { type: 'delay', ms: 1_000 }, times: 9 });
    }
    expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
  });
});
