import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { askedForApproval, IN_APPROVALS, shiftedClock, startApprovals } from '../../support/e2e/approvals.ts';

const { approvers } = SEED.groups;

describe('an approval', () => {
  test('that comes when the time is up approves nothing, though nobody has noticed yet', async () => {
    const clock = shiftedClock();
    const desk = await askedForApproval({ expiresAfterMs: 3_600_000 }, clock.options);
    clock.pass(3_600_001);
    await desk.cara.click('Approve', desk.message);
    expect((await desk.cara.waitForEphemeral()).text).toContain('Your vote came too late');
    await desk.reply('A-1001', /was not approved in time/);
    expect(desk.calls()).toBe(0);
  });

  test('is told with the names of the approvers, though the service asks to wait', async () => {
    const desk = await askedForApproval();
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    desk.service.faults.order({ on: 'cancel_order', fault });
    const held = desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'before' } });
    await desk.cara.click('Approve', desk.message);
    await held.reached;
    held.release();
    await desk.reply('A-1001', /^Approved by Cara Conti/);
    await desk.shows('A-1001', /asked Countermand to slow down/);
  });
});

describe('where nobody can approve', () => {
  test('and the admin who set it has left, the one who asked hears of it', async () => {
    const desk = await startApprovals();
    desk.slack.admin.deactivate(SEED.users.olga);
    desk.slack.admin.setUserGroup(approvers, { deleted: true });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /I could not reach the admin who chose the approvers/);
    expect(desk.calls()).toBe(0);
  });

  test('the approvers read it in their channel, too', async () => {
    const desk = await askedForApproval(IN_APPROVALS);
    desk.slack.admin.setUserGroup(approvers, { deleted: true });
    await desk.restart();
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, /Nobody can approve this right now/);
  });
});

describe('where too few people are left without the one who asks', () => {
  const people = [SEED.users.ana, SEED.users.cara];
  const policy = { approvers: { type: 'people' as const, people }, quorum: 2 };

  test('they read so when they open the form, and nothing is asked', async () => {
    const desk = await startApprovals(policy);
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('There are not enough approvers besides you: this needs 2 approvals.'),
    );
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('they read so when they submit it, though it was otherwise when it was opened', async () => {
    const desk = await startApprovals();
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal(({ callback_id }) => callback_id === 'request_cancel_order');
    desk.slack.admin.setUserGroup(approvers, { users: [SEED.users.ana] });
    const { modal } = await desk.ana.submit();
    expect(JSON.stringify(modal?.view)).toContain('There are not enough approvers besides you');
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('somebody else can make the request', async () => {
    const desk = await startApprovals(policy);
    await desk.ask('A-1001', { who: desk.ben });
    await desk.shows('A-1001', /Waiting for/);
  });

  test('guests, bots and deactivated members are nobody to wait for', async () => {
    const desk = await startApprovals();
    const { gina, dora, cara } = SEED.users;
    desk.slack.admin.setUserGroup(approvers, { users: [gina, dora, desk.slack.installation().bot_user_id] });
    const first = await desk.ask('A-1001');
    expect(JSON.stringify(first.modal?.view)).toContain('There are not enough approvers besides you');
    await desk.ana.closeModal({ all: true });
    desk.slack.admin.setUserGroup(approvers, { users: [gina, dora, cara] });
    await desk.ask('A-1001');
    await desk.shows('A-1001', /Waiting for/);
  });
});

test('while the approvers cannot be shown a request, their other reactions are none of our business', async () => {
  const desk = await startApprovals(IN_APPROVALS);
  const lunch = desk.cara.say('Lunch?', { channel: '#approvals' });
  desk.slack.admin.share(SEED.channels.approvals, SEED.otherTeam);
  await desk.ask('A-1001');
  await desk.shows('A-1001', /shared with another company/);
  desk.dev.react('white_check_mark', { channel: SEED.channels.approvals, ts: lunch.ts });
  const [event] = desk.slack.events.list();
  await event?.settled;
  expect(event?.state).toBe('delivered');
});
