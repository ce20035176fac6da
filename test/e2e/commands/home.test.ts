/** Everybody's own page in the Home tab of the app. */
import { describe, expect, test } from 'vitest';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { HomeSeen } from '../../../sandbox/slack/people/seen.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { BY_MEMBERS, IN_APPROVALS, setPolicy, startApprovals } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { killTokens } from '../../support/e2e/refused-token.ts';
import { callerFrom } from '../../support/isolation/caller.ts';
import { eventually } from '../../support/time/eventually.ts';

/** Opens the page, and waits until it shows this. */
async function opens(who: Person, text: string | RegExp) {
  who.openHome();
  return who.waitForHome((home) => matches(home, text));
}

const shows = (who: Person, text: string | RegExp) => who.waitForHome((home) => matches(home, text));

const matches = ({ text }: HomeSeen, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);

/** Presses a button beneath the request for an order. */
async function press(who: Person, order: string, action: string) {
  const blocks = who.home()?.view.blocks ?? [];
  const from = blocks.findIndex((block) => JSON.stringify(block).includes(`${order}*`));
  const block = blocks.slice(from).find((each) => each.type === 'actions');
  return who.click(`${block?.block_id}/${action}`, 'home');
}

const callsSince = ({ journal }: Harness, n: number) =>
  journal
    .entries(({ n: each, from, to }) => each > n && from === 'bot' && to === 'slack')
    .map(({ name }) => name);

describe('an agent', () => {
  test('finds no requests at first, and then their own with its state and its thread', async () => {
    const { ana, ben, cancelOrder, reply } = await startHarness();
    const empty = await opens(ana, 'There are no requests of yours here.');
    expect(empty.text).toContain('No request waits for your decision.');
    expect(empty.text).toContain('As of ');
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const home = await opens(
      ana,
      /\*Cancel order A-1001\* · :white_check_mark: Cancelled .* · Open the thread/,
    );
    expect(home.text).not.toContain('For admins'.toUpperCase());
    expect((await opens(ben, 'There are no requests of yours here.')).text).not.toContain('A-1001');
  });

  test('reads first that sending is paused', async () => {
    const { ana, olga, terminal } = await startHarness();
    await (await terminal()).settings.pause(SEED.team, { by: olga.id });
    const { text } = await opens(ana, /^:warning: \*@Olga .+ paused sending/);
    expect(text).toContain(
      'No request is sent to the order service until an admin resumes it in the settings.',
    );
  });

  test('reads first that the workspace is not connected, or its token refused', async () => {
    const { ana } = await startHarness({ connected: false });
    await opens(ana, /^:warning: This workspace is not connected to the order service/);
    const harness = await startHarness();
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /./);
    await opens(harness.ana, /^:warning: The order service no longer accepts this workspace's token/);
  });

  test('reads of a lost answer what to do with the button there', async () => {
    const { ana, service, cancelOrder, reply } = await startHarness();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /in `\/countermand history`/);
    const { text } = await opens(ana, 'and record the outcome here.');
    expect(text).toContain('The connection to the order service was lost before it answered.');
    expect(text).toContain('[Record the outcome]');
    expect(text).not.toContain('/countermand history');
  });

  test('requests something on the page, which then shows it', async () => {
    const { ana } = await startHarness();
    await opens(ana, 'There are no requests of yours here.');
    await ana.click('Cancel an order', 'home');
    await ana.waitForModal();
    const request = { target: 'A-1001', reason_choice: 'Ordered twice', channel: SEED.channels.support };
    expect((await ana.submit(request)).outcome).toBe('closed');
    await shows(ana, 'Cancel order A-1001');
  });

  test('finds an unknown outcome first, and records it there', async () => {
    const harness = await startHarness();
    const { ana, service, cancelOrder, reply } = harness;
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(ana, /A-2001\* · :grey_question: Outcome unknown/);
    expect(text.indexOf('A-2001')).toBeLessThan(text.indexOf('A-1001'));
    await press(ana, 'A-2001', 'record_outcome');
    await ana.waitForModal({ callback: 'record_outcome' });
    expect((await ana.submit({ outcome: 'approved' })).outcome).toBe('closed');
    await shows(ana, /A-2001\* · :white_check_mark: Cancelled · recorded by @Ana/);
  });

  test('withdraws a request there, and chooses which ones are shown', async () => {
    const { ana, cancelOrder, card } = await startApprovals();
    await cancelOrder('A-1001');
    await card('A-1001');
    await cancelOrder('A-1002');
    await card('A-1002');
    await opens(ana, 'A-1002');
    await press(ana, 'A-1001', 'withdraw');
    await shows(ana, /A-1001\* · :leftwards_arrow_with_hook: Withdrawn/);
    await ana.fill({ home_group: 'ended' }, 'home');
    expect((await shows(ana, /^(?!.*A-1002)/s)).text).toContain('A-1001');
    await ana.fill({ home_kind: 'send_offer' }, 'home');
    await shows(ana, 'No requests of yours match.');
    await ana.fill({ home_kind: 'any' }, 'home');
    await shows(ana, 'A-1001');
    await ana.fill({ home_group: 'any' }, 'home');
    await shows(ana, 'A-1002');
  });
});

test('what an agent has chosen on the page stays there after a form that they opened on it', async () => {
  const { ana, cancelOrder, reply } = await startHarness();
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await opens(ana, 'A-1001');
  await ana.fill({ home_group: 'open' }, 'home');
  await shows(ana, 'No requests of yours match.');
  const before = ana.home()?.view.hash;
  await ana.click('Cancel an order', 'home');
  await ana.waitForModal();
  await ana.submit({ target: 'A-1002', reason_choice: 'Ordered twice', channel: SEED.channels.support });
  const { text } = await ana.waitForHome(({ view }) => view.hash !== before);
  expect(text).not.toContain('A-1001');
});

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

describe('an admin', () => {
  test('sees first that the token was revoked', async () => {
    const harness = await startHarness();
    const { olga, cancelOrder, reply } = harness;
    killTokens(harness);
    await cancelOrder('A-1001');
    await reply('A-1001', /./);
    const { text } = await opens(olga, 'does not accept this workspace');
    expect(text.split('\n')[0]).toContain("The order service does not accept this workspace's API token");
    expect(text).toContain('[Connect again] [Try the token again]');
    await olga.click('Connect again', 'home');
    await olga.waitForModal({ callback: 'connect' });
    await olga.submit({ token: harness.service.issueToken() });
    await shows(olga, /^(?!.*does not accept this workspace)/s);
  });

  test('tries a token again there, and sees that it is accepted', async () => {
    const { olga, service, cancelOrder, reply } = await startHarness();
    const fault = { type: 'status', status: 401, body: { code: 'UNAUTHORIZED', message: 'No' } } as const;
    service.faults.schedule({ on: 'cancel_order', fault });
    await cancelOrder('A-1001');
    await reply('A-1001', /refused this workspace's token/);
    await opens(olga, 'does not accept this workspace');
    await olga.click('Try the token again', 'home');
    await olga.waitForModal({ text: 'did not refuse the token when it was checked last' });
    await shows(olga, /^(?!.*does not accept this workspace)/s);
  });

  test('pauses sending in the settings opened there, and sees that and what they save after it', async () => {
    const { olga } = await startHarness();
    await opens(olga, 'FOR ADMINS');
    await olga.click('Change the settings', 'home');
    await olga.waitForModal({ callback: 'settings' });
    await olga.click('Pause sending');
    await shows(olga, 'paused sending');
    await olga.waitForModal({ text: 'Sending is paused.' });
    await olga.closeModal();
    await olga.waitForModal({ callback: 'settings' });
    await olga.submit({ notifications: SEED.channels.support });
    await shows(olga, /Notifications channel: #support/);
  });

  test('sees what is in force, who is stuck and why, and the latest acts', async () => {
    const harness = await startHarness();
    const { olga, service, cancelOrder, reply } = harness;
    await setPolicy(harness, {}, 'send_offer');
    const { text } = await opens(olga, 'FOR ADMINS');
    expect(text).toContain('Send an offer: needs 1 approval by @approvers');
    expect(text).toContain('*Stuck requests*\nNone.');
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    const stuck = await opens(
      olga,
      /\*Cancel order A-2001\* · :grey_question: Outcome unknown · @Ana Alvarez/,
    );
    expect(stuck.text).toContain('@Ana Alvarez requested “Cancel order A-2001”');
  });

  test('closes a stuck request there, and reads that none is left', async () => {
    const { olga, service, cancelOrder, reply } = await startHarness();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    const { text, view } = await opens(olga, /A-2001\* · :grey_question: Outcome unknown/);
    expect(text).toContain('and record the outcome here.');
    const row = view.blocks.find((block) => JSON.stringify(block).includes('history_menu'));
    await olga.click(`${row?.block_id}/history_menu`, 'home', { option: 'Record the outcome' });
    await olga.waitForModal({ callback: 'record_outcome' });
    expect((await olga.submit({ outcome: 'release' })).outcome).toBe('closed');
    await reply('A-2001', /closed this request without an outcome/);
    await shows(olga, '*Stuck requests*\nNone.');
  });

  test('sees that scopes are missing, which limits pause, and that sending is paused', async () => {
    const { slack, olga, ana, cancelOrder, reply } = await startHarness();
    slack.installation().scopes = slack.installation().scopes.filter((scope) => scope !== 'reactions:read');
    slack.faults.schedule({ on: 'chat.update', fault: { type: 'rate_limit', retryAfterSeconds: 900 } });
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(olga, 'reactions:read');
    expect(text).toMatch(/Slack has not granted everything that I need\.\*? Missing: `?reactions:read`?\./);
    expect(text).toMatch(/Slack \(`?chat.update`?\) asked me to slow down: I continue in 15 minutes\./);
    await olga.command('/countermand settings', { channel: '#support' });
    await olga.waitForModal({ callback: 'settings' });
    await olga.click('Pause sending');
    const paused = await opens(olga, 'paused sending');
    expect(paused.text.split('until an admin resumes it')).toHaveLength(2);
    expect((await opens(ana, 'YOUR REQUESTS')).text).not.toContain('asked me to slow down');
  });
});

describe('nothing of it', () => {
  test('is shown to a guest, who reads why', async () => {
    const { slack, cancelOrder, reply } = await startHarness();
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(slack.person('gina'), /\S/);
    expect(text).toMatch(/^Guests/);
    expect(text).not.toContain('A-1001');
  });

  test('is shown to somebody of another company, who reads why', async () => {
    const harness = await startHarness();
    const { slack } = harness;
    const side = { team: SEED.team, channel: SEED.channels.partners };
    const { gus } = SEED.users;
    const opened = {
      type: 'app_home_opened',
      user: gus,
      channel: 'D1',
      tab: 'home',
      event_ts: '1700000000.000100',
    };
    await callerFrom(harness, side, gus).event(opened);
    const page = () => slack.world.homes.get(`${SEED.team} ${gus}`)?.definition.blocks;
    await eventually(() => expect(page()).toHaveLength(1));
    expect(JSON.stringify(page())).toContain(
      'Countermand belongs to another workspace here, and only members of that workspace can use it.',
    );
  });

  test('is said where Slack refuses the page: the log says it, and the next one is drawn', async () => {
    const { slack, ana, logged } = await startHarness();
    slack.faults.schedule({ on: 'views.publish', fault: { type: 'status', status: 500 } });
    ana.openHome();
    await eventually(() => expect(logged.text()).toContain('home page not published'));
    expect([ana.home(), ana.directMessages(), ana.ephemerals()]).toEqual([undefined, [], []]);
    await opens(ana, 'YOUR REQUESTS');
  });
});
