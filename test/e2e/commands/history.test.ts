import { describe, expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Overrides } from '../../../src/app.ts';
import { CALLBACKS } from '../../../src/slack/blocks/ids.ts';
import { NO, recordOf, startApprovals } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

const textOf = (view: object) =>
  drawnIn(view)
    .map(({ text }) => text)
    .join('');

const reads = (who: Harness['ana'], wanted: RegExp, not = /^$/) =>
  who.waitForModal(({ view }) => wanted.test(textOf(view)) && !not.test(textOf(view)));

async function openHistory(who: Harness['ana']) {
  await who.command('/countermand history', { channel: '#support' });
  return who.waitForModal({ callback: 'history' });
}

/** Takes somebody out of #support, into a channel of their own. */
function moved({ slack }: Harness, user: string): string {
  slack.admin.kick(SEED.channels.support, user);
  return slack.admin.addChannel({ team_id: SEED.team, name: 'lounge', members: [user] }).id;
}

/** Chooses an entry of the menu of a request, which opens a window on top of the list. */
async function choose(harness: Harness, who: Harness['ana'], order: string, entry: string) {
  const { storage } = await harness.terminal();
  const { id } = await recordOf(storage, order);
  return who.click(`${id}/history_menu`, undefined, { option: entry });
}

/** The form to record an outcome that is unknown, on top of the history. */
async function recordingOutcome(overrides: Overrides = {}) {
  const harness = await startHarness({ overrides });
  const { ana, service } = harness;
  service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  service.events.pause();
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /may or may not/);
  await openHistory(ana);
  await choose(harness, ana, 'A-1001', 'Record the outcome');
  await ana.waitForModal({ callback: 'record_outcome' });
  return harness;
}

describe('/countermand history', () => {
  test('opens on what is open; what has ended is found by its state, its person, and its day', async () => {
    const harness = await startHarness();
    const { ana, ben } = harness;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-2001', { who: ben });
    await harness.reply('A-2001', /reviewing/);
    const { view } = await openHistory(ana);
    expect(textOf(view)).toContain('A-2001');
    expect(textOf(view)).not.toContain('A-1001');
    await ana.fill({ history_group: 'canceled' });
    await reads(ana, /A-1001/, /A-2001/);
    await ana.fill({ history_group: 'all' });
    await reads(ana, /A-2001.*A-1001/s);
    await ana.fill({ history_person: ben.id });
    await reads(ana, /A-2001/, /A-1001/);
    await ana.fill({ history_day: 'yesterday' });
    await reads(ana, /No requests match\./);
    // The local Slack says that Ana is in Amsterdam.
    expect(textOf(ana.modal()?.view ?? {})).toContain('Europe/Amsterdam');
    await ana.fill({ history_day: 'today' });
    await reads(ana, /A-2001/, /A-1001/);
    await ana.fill({ history_day: 'date' });
    await ana.waitForModal(({ values }) => 'history_date' in values);
    await ana.fill({ history_date: '2020-02-29' });
    await reads(ana, /No requests match\./);
    await ana.click('Clear the filters');
    const { values } = await reads(ana, /A-2001/, /A-1001/);
    expect(values).toMatchObject({ history_group: 'open', history_day: 'any', history_person: null });
  });

  test('opens on the requests for an id that is typed with the command', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.ana.command('/countermand history A-1001', { channel: '#support' });
    const { values } = await reads(harness.ana, /Cancel order A-1001.*To use the filters again/s);
    expect(values).toMatchObject({ history_id: 'A-1001' });
    await harness.ana.command(`/countermand history ${'x'.repeat(300)}`, { channel: '#support' });
    await reads(harness.ana, /No request in this workspace has the id/);
  });

  test('finds a request, or those for an order, by an id, whatever is chosen', async () => {
    const harness = await startHarness();
    const { ana } = harness;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await openHistory(ana);
    await ana.submit({ history_id: ' a-1001.' });
    await reads(ana, /Cancel order A-1001/);
    await ana.submit({ history_id: 'A-77*' });
    await reads(ana, /No request in this workspace has the id “A-77\*”/);
    await ana.submit({ history_id: '' });
    await reads(ana, /No request is open/, /A-1001/);
  });

  test('looks for no id that somebody has only typed: what they choose in the list holds', async () => {
    const harness = await startHarness();
    const { ana } = harness;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await openHistory(ana);
    await ana.fill({ history_id: 'A-' });
    await ana.fill({ history_group: 'all' });
    const filtered = await reads(ana, /Cancel order A-1001|No request in this workspace has the id/);
    expect(textOf(filtered.view)).toContain('Cancel order A-1001');
    expect(filtered.values).toMatchObject({ history_group: 'all' });
    await ana.click('Clear the filters');
    await reads(ana, /No request is open/, /No request in this workspace has the id/);
  });

  test('turns its pages, and leads to the newest only from a later one', async () => {
    const harness = await startHarness();
    for (let i = 1; i <= 12; i++) {
      harness.service.addOrder({ id: `H-${i}` });
      await harness.cancelOrder(`H-${i}`);
      await harness.reply(`H-${i}`, /is cancelled/);
    }
    const lines = (view: object) => textOf(view).match(/Cancel order H-\d+/g);
    await openHistory(harness.ana);
    await harness.ana.fill({ history_group: 'canceled' });
    const first = await reads(harness.ana, /H-12/);
    expect(lines(first.view)).toHaveLength(10);
    expect(textOf(first.view)).not.toContain('Newest');
    await harness.ana.click('Older');
    const second = await reads(harness.ana, /H-1 /);
    expect(lines(second.view)).toEqual(['Cancel order H-2', 'Cancel order H-1']);
    expect(textOf(second.view)).not.toContain('Older');
    await harness.ana.click('Newest');
    await reads(harness.ana, /H-12/);
  });

  test('begins with the newest again after a search on a later page', async () => {
    const harness = await startHarness();
    for (let i = 1; i <= 11; i++) {
      harness.service.addOrder({ id: `H-${i}` });
      await harness.cancelOrder(`H-${i}`);
      await harness.reply(`H-${i}`, /is cancelled/);
    }
    await openHistory(harness.ana);
    await harness.ana.fill({ history_group: 'canceled' });
    await reads(harness.ana, /H-11/);
    await harness.ana.click('Older');
    await reads(harness.ana, /H-1 /);
    await harness.ana.submit({ history_id: 'H-5' });
    await reads(harness.ana, /To use the filters again/);
    await harness.ana.submit({ history_id: '' });
    await reads(harness.ana, /H-11/);
  });

  test('shows no reason, and nothing at all to guests', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001', { reason: 'confidential' });
    await harness.reply('A-2001', /reviewing/);
    expect(JSON.stringify(await openHistory(harness.ana))).not.toContain('confidential');
    await isTold(harness.slack.person('gina'), '/countermand history', 'Guests cannot use');
  });
});

describe('the menu of a request', () => {
  test('leads to everything about it: the reason for a refusal, each vote and each step with its time', async () => {
    const harness = await startApprovals();
    const { ana, cara } = harness;
    await harness.cancelOrder('A-1001', { reason: 'confidential' });
    cara.react(NO, await harness.votedOn('A-1001'));
    await harness.reply('A-1001', /declined/);
    await openHistory(ana);
    await ana.fill({ history_group: 'refused' });
    const { view } = await reads(ana, /A-1001/);
    expect(JSON.stringify(view)).toMatch(/<https:[^|]*\/archives\/C0SUPPORT1\/p\d+\|Open the thread>/);
    await choose(harness, ana, 'A-1001', 'Details');
    const { view: details, depth } = await reads(ana, /History/);
    expect(depth).toBe(2);
    const told = [
      'confidential',
      `Requested by ${ana.id}`,
      `${cara.id} voted to decline`,
      `Declined by ${cara.id}`,
    ];
    expect(textOf(details)).toMatch(new RegExp(told.join('.*'), 's'));
  });

  test('opens nothing for a person who closes the list meanwhile, and tells them of no failure', async () => {
    const harness = await startHarness();
    const { ana, slack, logged } = harness;
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await openHistory(ana);
    const push = slack.faults.schedule({ on: 'views.push', fault: { type: 'hold', when: 'before' } });
    await choose(harness, ana, 'A-2001', 'Details');
    await push.reached;
    await ana.closeModal();
    push.release();
    await openHistory(ana);
    expect(ana.modal()?.depth).toBe(1);
    expect(ana.directMessages()).toEqual([]);
    expect(logged.text()).not.toContain('not_found');
  });

  test('has only the details for whoever may do nothing, without a reason that they may not read', async () => {
    const harness = await startHarness();
    const { ben } = harness;
    await harness.cancelOrder('A-2001', { reason: 'confidential' });
    await harness.reply('A-2001', /reviewing/);
    const channel = moved(harness, ben.id);
    await ben.command('/countermand history', { channel });
    await ben.waitForModal({ callback: 'history' });
    await choose(harness, ben, 'A-2001', 'Details');
    const { view } = await reads(ben, /Only the requester, approvers, admins and members of the channel/);
    expect(JSON.stringify(view)).not.toContain('confidential');
  });

  test('records an outcome', async () => {
    const harness = await recordingOutcome();
    const { ana } = harness;
    expect((await ana.submit({ outcome: 'approved' })).outcome).toBe('closed');
    await harness.shows('A-1001', /cancelled/);
    // The list beneath shows what is open, and this is not any more.
    await reads(ana, /No request is open/);
  });

  test('leaves alone what is chosen in the list before that could show the recorded outcome', async () => {
    // The next update begins once the held one has timed out: here by the bot's own time-out, and not the long one of tests.
    const { ana, slack, journal } = await recordingOutcome({ slackTimeouts: {} });
    const late = slack.faults.schedule({ on: 'views.update', fault: { type: 'hold', when: 'late' } });
    expect((await ana.submit({ outcome: 'approved' })).outcome).toBe('closed');
    await late.reached;
    await ana.fill({ history_group: 'canceled' });
    await reads(ana, /A-1001.*recorded by/);
    late.release();
    await expect.poll(() => journal.entries({ name: 'views.update' })).toHaveLength(2);
    await reads(ana, /A-1001.*recorded by/);
  });

  test('sends a refused request again, once that is confirmed, and the status names the command that leads to it', async () => {
    const harness = await startHarness();
    const { ben, service } = harness;
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /refused/);
    await ben.command('/countermand status A-1001', { channel: '#support' });
    const { text } = await ben.waitForEphemeral();
    const [, command = ''] = /press Retry on the card or in `(.+?)`/.exec(text) ?? [];
    await ben.command(command, { channel: '#support' });
    await reads(ben, /A-1001/);
    await choose(harness, ben, 'A-1001', 'Retry');
    const { view } = await ben.waitForModal({ callback: 'retry' });
    expect(textOf(view)).toContain('The order service is asked again to cancel order A-1001.');
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    await ben.submit();
    await harness.reply('A-1001', /is cancelled/);
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    await ben.closeModal();
    await reads(ben, /A-1001/, /Refused/);
  });

  test('withdraws a request that no approver decides, for an admin who does not see its card', async () => {
    const harness = await startApprovals();
    const { olga, service } = harness;
    await harness.cancelOrder('A-1001');
    await harness.votedOn('A-1001');
    const channel = moved(harness, olga.id);
    await olga.command('/countermand history', { channel });
    await reads(olga, /A-1001/);
    await choose(harness, olga, 'A-1001', 'Withdraw');
    const { view } = await olga.waitForModal({ callback: CALLBACKS.withdraw });
    expect(textOf(view)).toContain(
      'This request is not sent: the order service is not asked to cancel order A-1001.',
    );
    await olga.submit();
    await reads(olga, /an admin, withdrew the request, and nothing was sent\. Close this window to go on\./);
    await harness.reply('A-1001', /an admin, withdrew the request/);
    await olga.closeModal();
    await reads(olga, /No request is open/);
    expect(service.calls()).toEqual([]);
  });

  test('requests again, for a person outside of its channel without its reason and its channel', async () => {
    const harness = await startApprovals();
    const { ben, cara } = harness;
    await harness.cancelOrder('A-1001', { reason: 'confidential' });
    cara.react(NO, await harness.votedOn('A-1001'));
    await harness.reply('A-1001', /declined/);
    const channel = moved(harness, ben.id);
    await ben.command('/countermand history', { channel });
    await ben.waitForModal({ callback: 'history' });
    await ben.fill({ history_group: 'refused' });
    await reads(ben, /A-1001/);
    await choose(harness, ben, 'A-1001', 'Request again');
    const form = await ben.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(form.values).toMatchObject({ target: 'A-1001', reason_choice: null, reason: null });
    expect(JSON.stringify(form.view)).not.toContain('confidential');
    const done = await ben.submit({ reason_choice: 'Wrong address', channel });
    expect(done.outcome).toBe('closed');
    const { storage } = await harness.terminal();
    expect(await recordOf(storage, 'A-1001')).toMatchObject({
      requester: ben.id,
      state: 'awaiting_approval',
      reason: 'Wrong address',
    });
  });
});

test('a fault in the third window of a modal, which takes no more, is told in its place', async () => {
  const broken: NonNullable<Overrides['routes']> = (routes) => ({
    ...routes,
    views: {
      ...routes.views,
      [CALLBACKS.withdraw]: async () => {
        throw new Error('broken');
      },
    },
  });
  const harness = await startApprovals({}, { overrides: { routes: broken } });
  const { ana, cara, cancelOrder } = harness;
  await cancelOrder('A-1001');
  cara.react(NO, await harness.votedOn('A-1001'));
  await harness.reply('A-1001', /declined/);
  const { storage } = await harness.terminal();
  const { id } = await recordOf(storage, 'A-1001');
  await cancelOrder('A-1001');
  await openHistory(ana);
  await ana.fill({ history_group: 'refused' });
  await reads(ana, /Declined/);
  await ana.click(`${id}/history_menu`, undefined, { option: 'Request again' });
  await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
  await ana.submit();
  await ana.waitForModal({ callback: CALLBACKS.withdraw });
  await ana.submit();
  const { view } = await ana.waitForModal(({ title }) => title === 'This did not work');
  expect(JSON.stringify(view)).toMatch(/reference: [A-Z0-9]{8}/);
});
