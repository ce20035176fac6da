/** The page of an approver in the Home tab of the app. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { BY_MEMBERS, IN_APPROVALS, setPolicy, startApprovals } from '../../support/e2e/approvals.ts';
import type { Harness } from '../../support/e2e/harness.ts';
import { opens, press, shows } from '../../support/e2e/home-page.ts';
import { eventually } from '../../support/time/eventually.ts';

const callsSince = ({ journal }: Harness, n: number) =>
  journal
    .entries(({ n: each, from, to }) => each > n && from === 'bot' && to === 'slack')
    .map(({ name }) => name);
describe('an approver', () => {
  const ORDERS = [
    'A-1001',
    'A-1002',
    'A-1003',
    'A-1004',
    'A-1005',
    'A-1006',
    'A-1007',
    'A-1008',
    'A-1009',
    'A-1010',
  ];

  test('works through ten requests there, the oldest first', async () => {
    const { service, cara, cancelOrder, votedOn } = await startApprovals();
    for (const order of ORDERS) {
      service.addOrder({ id: order });
      await cancelOrder(order);
      await votedOn(order);
    }
    const { text } = await opens(cara, 'A-1010');
    expect(ORDERS.map((order) => text.indexOf(order))).toEqual(
      ORDERS.map((order) => text.indexOf(order)).sort((a, b) => a - b),
    );
    for (const order of ORDERS) {
      await press(cara, order, 'approve');
      await shows(cara, new RegExp(`^(?!.*${order})`, 's'));
    }
    await shows(cara, 'No request waits for your decision.');
    await eventually(() => expect(service.calls({ operation: 'cancel_order' })).toHaveLength(ORDERS.length));
  });

  test('has Slack’s reads of their group, however many others open the page within a minute', async () => {
    const harness = await startApprovals();
    const { ana, ben, olga, cancelOrder, votedOn } = harness;
    await cancelOrder('A-1001');
    await votedOn('A-1001');
    for (const who of [ana, ben, olga]) await opens(who, 'No request waits for your decision.');
    const reads = callsSince(harness, 0).filter((name) => name === 'usergroups.users.list');
    expect(reads.length).toBeLessThanOrEqual(1);
  });

  test('declines with a reason there', async () => {
    const { cara, cancelOrder, votedOn, reply } = await startApprovals();
    await cancelOrder('A-1001');
    await votedOn('A-1001');
    await opens(cara, 'A-1001');
    await press(cara, 'A-1001', 'decline');
    await cara.waitForModal({ callback: 'decline' });
    await cara.submit({ reason: 'The customer called' });
    await reply('A-1001', /The customer called/);
    await shows(cara, 'No request waits for your decision.');
  });

  test('reads there that nobody can decide while sending is paused', async () => {
    const { olga, cara, cancelOrder, votedOn, reads } = await startApprovals();
    await cancelOrder('A-1001');
    const message = await votedOn('A-1001');
    await olga.command('/countermand settings', { channel: '#support' });
    await olga.waitForModal({ callback: 'settings' });
    await olga.click('Pause sending');
    await reads(message, 'paused sending');
    await opens(cara, /A-1001.* paused sending .+, so nobody can decide until an admin resumes it/s);
  });

  test('who has not voted finds no button there to take back a vote', async () => {
    const { cara, dev, cancelOrder, votedOn, reads } = await startApprovals({ quorum: 2 });
    await cancelOrder('A-1001');
    const message = await votedOn('A-1001');
    await cara.click('Approve', message);
    await reads(message, '1 of 2');
    const { text } = await opens(dev, '1 of 2');
    expect(text).toContain('[Approve] [Decline]');
    expect(text).not.toContain('Take back my vote');
  });

  test('who has approved there takes the vote back, or declines after all', async () => {
    const { cara, cancelOrder, votedOn, reads, reply } = await startApprovals({ quorum: 2, ...IN_APPROVALS });
    await cancelOrder('A-1001');
    const message = await votedOn('A-1001');
    await opens(cara, 'A-1001');
    await press(cara, 'A-1001', 'approve');
    const approved = await shows(cara, 'You have approved this.');
    expect(approved.text).toContain('No request waits for your decision.');
    expect(approved.text).toContain('[Take back my vote] [Decline]');
    await press(cara, 'A-1001', 'take_back');
    await reads(message, '0 of 2');
    await shows(cara, '[Approve] [Decline]');
    await press(cara, 'A-1001', 'approve');
    await shows(cara, '[Take back my vote] [Decline]');
    await press(cara, 'A-1001', 'decline');
    await cara.waitForModal({ callback: 'decline' });
    await cara.submit({ reason: 'The customer called' });
    await reply('A-1001', /The customer called/);
    await shows(cara, /^(?!.*A-1001)/s);
  });

  test('who declines there too late reads so, and the page no longer asks', async () => {
    const { cara, dev, cancelOrder, reply, votedOn } = await startApprovals();
    await cancelOrder('A-1001');
    const message = await votedOn('A-1001');
    await opens(cara, 'A-1001');
    dev.react('x', message);
    await reply('A-1001', /declined/);
    await press(cara, 'A-1001', 'decline');
    await cara.waitForModal({ text: 'declined' });
    await shows(cara, 'No request waits for your decision.');
  });

  test('reads there why a vote did not count', async () => {
    const { slack, cara, cancelOrder, votedOn, calls } = await startApprovals();
    await cancelOrder('A-1001');
    await votedOn('A-1001');
    await opens(cara, 'A-1001');
    slack.admin.setUserGroup(SEED.groups.approvers, { users: [SEED.users.dev] });
    await press(cara, 'A-1001', 'approve');
    const { text } = await shows(cara, 'No request waits for your decision.');
    expect(text.split('\n')[0]).toMatch(/^\*?Cancel order A-1001\*?: Your vote does not count/);
    expect(calls()).toBe(0);
  });

  test('reads directly why a vote did not count, if Slack refuses the page', async () => {
    const { slack, cara, cancelOrder, votedOn } = await startApprovals();
    await cancelOrder('A-1001');
    await votedOn('A-1001');
    await opens(cara, 'A-1001');
    slack.admin.setUserGroup(SEED.groups.approvers, { users: [SEED.users.dev] });
    slack.faults.schedule({ on: 'views.publish', fault: { type: 'rate_limit', retryAfterSeconds: 30 } });
    await press(cara, 'A-1001', 'approve');
    await eventually(() =>
      expect(cara.directMessages()).toMatchObject([
        { text: expect.stringMatching(/: Your vote does not count/) },
      ]),
    );
  });

  test.each([
    ['by a user group', {}],
    ['by the members of a channel', BY_MEMBERS],
    ['by people', { approvers: { type: 'people' as const, people: [SEED.users.cara, SEED.users.dev] } }],
  ])('named %s sees what waits, and nobody else does', async (_, policy) => {
    const harness = await startApprovals(policy);
    const { ana, ben, cara, cancelOrder, votedOn } = harness;
    await cancelOrder('A-1001', { who: ana });
    await votedOn('A-1001');
    const { text } = await opens(cara, 'A-1001');
    expect(text).toContain('Ordered twice');
    expect((await opens(ben, 'No request waits for your decision.')).text).not.toContain('A-1001');
    const own = await opens(ana, 'A-1001');
    expect(own.text).toContain('No request waits for your decision.');
  });

  test('costs four calls to Slack where two rules are open', async () => {
    const harness = await startApprovals(BY_MEMBERS);
    const { cara, cancelOrder, votedOn, journal } = harness;
    await setPolicy(harness, {}, 'send_offer');
    await cancelOrder('A-1001');
    await votedOn('A-1001');
    await harness.ana.command('/send-offer O-3001', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.submit();
    // The address of the workspace is known for an hour.
    await opens(harness.ben, 'No request waits');
    const n = journal.entries().at(-1)?.n ?? 0;
    const { text } = await opens(cara, 'O-3001');
    expect(text).toContain('A-1001');
    const calls = callsSince(harness, n);
    expect(calls).toContain('views.publish');
    expect(calls.length).toBeLessThanOrEqual(4);
  });
});
