/** An admin pauses sending in the settings: nothing more is sent, and everybody who wants to reads who did it. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startAwaitingApproval } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { openSettings } from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';

const BY_OLGA = `<@${SEED.users.olga}> paused sending`;

const shows = (who: Harness['ana'], text: string) => who.waitForModal({ text });

/** Presses a button of the settings, and confirms it. @returns the settings afterwards */
async function press({ olga }: Pick<Harness, 'olga'>, button: string, answer: string) {
  await openSettings({ olga });
  await olga.click(button);
  await shows(olga, answer);
  await olga.closeModal();
  return olga.waitForModal(({ title }) => title === 'Settings');
}

const pause = (harness: Pick<Harness, 'olga'>) => press(harness, 'Pause sending', 'Sending is paused.');
const resume = (harness: Pick<Harness, 'olga'>) => press(harness, 'Resume sending', 'Sending is resumed.');

const calls = ({ service }: Harness) => service.calls({ operation: 'cancel_order' }).length;

async function toldIn({ slack }: Harness, text: string) {
  return slack.waitForMessage({ channel: '#approvals', text: new RegExp(text) });
}

test('an admin who resumes sending where nothing is connected is not told that anything is sent', async () => {
  const harness = await startHarness({ connected: false });
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { notificationsChannel: SEED.channels.approvals });
  await settings.pause(SEED.team, { by: harness.olga.id });
  await openSettings(harness);
  await harness.olga.click('Resume sending');
  const { view } = await shows(harness.olga, 'Sending is resumed.');
  const { text } = await toldIn(harness, 'resumed sending');
  for (const said of [JSON.stringify(view), text]) {
    expect(said).toContain('no longer held back by the pause');
    expect(said).not.toMatch(/are sent|can be made/);
  }
  await harness.olga.closeModal();
  const beneath = await shows(harness.olga, 'Sending is on.');
  expect(JSON.stringify(beneath.view)).not.toContain('are sent to the order service');
});

describe('while an admin has paused sending', () => {
  test('a request is refused before its form is filled in, and when the form was open already', async () => {
    const harness = await startHarness();
    const { ana } = harness;
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await pause(harness);
    expect((await ana.submit()).outcome).toBe('pushed');
    await shows(ana, BY_OLGA);
    await ana.closeModal();
    // Beneath, all that was filled in is still there.
    expect(ana.modal()?.values).toMatchObject({ target: 'A-1001', reason_choice: 'Ordered twice' });
    await ana.closeModal();
    const refusal = 'so nothing was requested. Try again once an admin has resumed sending.';
    await isTold(ana, '/send-offer O-3001', refusal);
    expect(harness.slack.messages('#support')).toEqual([]);
    await resume(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('a vote that decides is not counted, its voter reads what to do, and other votes are', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const { cara, dev, message, record, voteHistory } = harness;
    await pause(harness);
    await harness.shows('A-1001', /paused sending .+, so nobody can decide until an admin resumes it/);
    await cara.click('Approve', message);
    await harness.shows('A-1001', /1 of 2/);
    await dev.click('Approve', message);
    const told = await dev.waitForEphemeral(({ text }) => text.includes('Vote not counted'));
    expect(told.text).toMatch(
      /because <@\w+> paused sending .+ Vote again once an admin has resumed sending\./,
    );
    dev.react('white_check_mark', message);
    await dev.waitForEphemeral(({ text }) => text.includes('Remove your reaction, and react again'));
    expect((await record('A-1001')).approval?.votes).toMatchObject([{ by: SEED.users.cara }]);
    expect(await voteHistory('A-1001')).toContain(`refused ${SEED.users.dev} paused`);
    await resume(harness);
    await harness.shows('A-1001', /^(?!.*paused sending)/s);
    await dev.click('Approve', message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('the cards and the admin are told of the pause and of its end also where Slack opens no modal for it', async () => {
    const harness = await startAwaitingApproval();
    const { olga, slack } = harness;
    for (const [button, onCard, told] of [
      ['Pause sending', /paused sending .+, so nobody can decide/, 'Sending is paused.'],
      ['Resume sending', /^(?!.*paused sending)/s, 'Sending is resumed.'],
    ] as const) {
      await openSettings(harness);
      slack.faults.schedule({ on: 'views.push', fault: { type: 'status', status: 500 } });
      await olga.click(button);
      await harness.shows('A-1001', onCard);
      await olga.waitForDirectMessage(({ text }) => text.includes(told));
    }
  });

  test('nobody can decline either: the form says so', async () => {
    const harness = await startAwaitingApproval();
    await pause(harness);
    await harness.cara.click('Decline', harness.message);
    await shows(harness.cara, BY_OLGA);
    expect((await harness.record('A-1001')).state).toBe('awaiting_approval');
  });

  test('and a form to decline that was open already keeps the reason until sending is resumed', async () => {
    const harness = await startAwaitingApproval();
    const { cara } = harness;
    await cara.click('Decline', harness.message);
    await cara.waitForModal({ callback: 'decline' });
    await pause(harness);
    expect((await cara.submit({ reason: 'It ships today' })).outcome).toBe('pushed');
    await shows(cara, BY_OLGA);
    await resume(harness);
    await cara.closeModal();
    expect((await cara.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /It ships today/);
  });

  test('Retry and "not received" are refused, and what sends nothing is done', async () => {
    const harness = await startHarness();
    const { ana, service } = harness;
    service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'status', status: 409, body: { code: 'X', message: 'No' } },
    });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /refused/);
    service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'status', status: 500, body: { code: 'X', message: 'No' } },
    });
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /failed while it worked/);
    await pause(harness);
    await ana.click('Retry', await harness.card('A-1001'));
    await ana.waitForEphemeral(({ text }) => text.includes(`*Not retried*, because ${BY_OLGA}`));
    await ana.click('Record the outcome', await harness.card('A-1002'));
    await shows(ana, 'so nothing can be sent again until an admin resumes it');
    await ana.submit({ outcome: 'not_received' });
    await shows(ana, `*Not recorded*, because ${BY_OLGA}`);
    await ana.closeModal();
    await ana.click('Record the outcome', await harness.card('A-1002'));
    await ana.waitForModal({ callback: 'record_outcome' });
    await ana.submit({ outcome: 'approved' });
    await harness.reply('A-1002', /is cancelled/);
    expect(calls(harness)).toBe(2);
  });

  test('a request that waits to be sent says so, and is sent once sending is resumed', async () => {
    const harness = await startHarness();
    const { slack, ana } = harness;
    const fault = { type: 'hold', when: 'before' } as const;
    const held = slack.faults.schedule({ on: 'chat.postMessage', fault });
    await harness.cancelOrder('A-1001');
    await pause(harness);
    held.release();
    await harness.shows('A-1001', /paused sending .+ Nothing is sent until an admin resumes it/);
    await ana.command('/countermand status A-1001', { channel: '#support' });
    await ana.waitForEphemeral(({ text }) => text.includes(BY_OLGA));
    expect(calls(harness)).toBe(0);
    await resume(harness);
    await harness.reply('A-1001', /is cancelled/);
    expect(calls(harness)).toBe(1);
  });

  test('a request that waits to be sent is withdrawn with a button, and not sent once sending is resumed', async () => {
    const harness = await startHarness();
    const fault = { type: 'hold', when: 'before' } as const;
    const held = harness.slack.faults.schedule({ on: 'chat.postMessage', fault });
    await harness.cancelOrder('A-1001');
    await pause(harness);
    held.release();
    await harness.shows('A-1001', /paused sending .+ Nothing is sent until an admin resumes it/);
    await harness.olga.click('Withdraw', await harness.card('A-1001'), { confirm: true });
    await harness.reply('A-1001', /withdrew the request, and nothing was sent/);
    await resume(harness);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    expect(calls(harness)).toBe(1);
  });
});

test('the notifications channel is told of the pause and of its end, once each, and both are logged', async () => {
  const harness = await startHarness();
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { notificationsChannel: SEED.channels.approvals });
  await pause(harness);
  await toldIn(
    harness,
    'paused sending .+ No request is sent to the order service until an admin resumes it',
  );
  await resume(harness);
  await toldIn(harness, 'resumed sending');
  expect(harness.slack.messages('#approvals')).toHaveLength(2);
  const lines = harness.logged.text();
  for (const line of ['sending paused', 'sending resumed']) {
    expect(lines).toContain(`"msg":"${line}"`);
    expect(lines.split(line)).toHaveLength(2);
  }
});

test('the notifications channel is not told of a pause that has ended before Slack took the message', async () => {
  const harness = await startHarness();
  const { settings, storage } = await harness.terminal();
  await settings.change(SEED.team, { notificationsChannel: SEED.channels.approvals });
  harness.slack.faults.schedule({
    on: 'chat.postMessage',
    where: (request) => (request as { text: string }).text.startsWith(':warning:'),
    fault: { type: 'error', code: 'message_limit_exceeded' },
    times: 2,
  });
  await pause(harness);
  await expect.poll(() => harness.journal.entries({ name: 'chat.postMessage' }).length).toBe(1);
  await resume(harness);
  await toldIn(harness, 'resumed sending .+paused by');
  const notices = async () => (await storage.notices.list(SEED.team, { limit: 9 })).map(({ type }) => type);
  const settled = async () => JSON.stringify(await notices()) + harness.slack.messages('#approvals').length;
  await expect.poll(settled).toBe('["sending_resumed"]1');
});

test('the settings show the pause, and keep what was typed; people who are no admins cannot set it', async () => {
  const harness = await startHarness();
  const { olga } = harness;
  await openSettings(harness);
  await olga.fill({ order_id_pattern: 'A-####' });
  await olga.click('Pause sending');
  await shows(olga, 'Sending is paused.');
  await olga.closeModal();
  const { view, values } = await shows(olga, '*Sending is paused*');
  expect(JSON.stringify(view)).toContain('resume_sending');
  expect(values['order_id_pattern']).toBe('A-####');
  // The form is not outdated by the pause that was set in it.
  expect((await olga.submit()).outcome).toBe('updated');
  const { settings } = await harness.terminal();
  expect(await settings.read(SEED.team)).toMatchObject({
    orderIdPattern: 'A-####',
    paused: { by: SEED.users.olga },
  });
});

test('the settings beneath leave alone what they were answered before they could show the pause', async () => {
  const harness = await startHarness();
  const { olga, slack, journal } = harness;
  await openSettings(harness);
  const late = slack.faults.schedule({ on: 'views.update', fault: { type: 'hold', when: 'late' } });
  await olga.click('Pause sending');
  await shows(olga, 'Sending is paused.');
  await late.reached;
  await olga.closeModal();
  await olga.submit();
  await shows(olga, 'Nothing was changed: the settings in this form were already like this.');
  late.release();
  await expect.poll(() => journal.entries({ name: 'views.update' })).toHaveLength(1);
  await shows(olga, 'Nothing was changed: the settings in this form were already like this.');
});

test('settings that do not show one’s own pause yet save nothing, and blame nobody else for it', async () => {
  const harness = await startHarness();
  const { olga, slack } = harness;
  await openSettings(harness);
  slack.faults.schedule({ on: 'views.update', fault: { type: 'status', status: 500 } });
  await olga.click('Pause sending');
  await shows(olga, 'Sending is paused.');
  await olga.closeModal();
  const { errors } = await olga.submit({ order_id_pattern: 'A-####' });
  expect(errors).toEqual({
    order_id_pattern:
      'The settings have changed since you opened them, so nothing was saved. Close them and open them again.',
  });
});

test('a call that is on its way is not stopped, as the admin reads', async () => {
  const harness = await startAwaitingApproval();
  const fault = { type: 'hold', when: 'before' } as const;
  const held = harness.service.faults.schedule({ on: 'cancel_order', fault });
  await harness.cara.click('Approve', harness.message);
  await expect.poll(async () => (await harness.record('A-1001')).state).toBe('calling');
  const told = 'until an admin resumes sending. A request that is already being sent is not stopped.';
  await press(harness, 'Pause sending', `Sending is paused. No request is sent to the order service ${told}`);
  held.release();
  await harness.reply('A-1001', /is cancelled/);
});
