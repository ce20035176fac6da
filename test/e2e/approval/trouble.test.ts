import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { IN_APPROVALS, startApprovals, startAwaitingApproval } from '../../support/e2e/approvals.ts';
import type { Harness } from '../../support/e2e/harness.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';
import { isTold } from '../../support/e2e/told.ts';

const { approvers } = SEED.groups;

describe('an approval', () => {
  test('that comes when the time is up approves nothing, though nobody has noticed yet', async () => {
    const clock = shiftedClock();
    const harness = await startAwaitingApproval({ expiresAfterMs: 3_600_000 }, clock.options);
    clock.pass(3_600_001);
    await harness.cara.click('Approve', harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toContain('Vote not counted');
    await harness.reply('A-1001', /was not approved in time/);
    expect(harness.calls()).toBe(0);
  });

  test('is told with the names of the approvers, though the service asks to wait', async () => {
    const harness = await startAwaitingApproval();
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    harness.service.faults.schedule({ on: 'cancel_order', fault });
    const held = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Approve', harness.message);
    await held.reached;
    held.release();
    await harness.reply('A-1001', /^Approved by Cara Conti/);
    await harness.shows('A-1001', /asked Countermand to slow down/);
  });
});

describe('where nobody can approve', () => {
  test.each<[string, (admin: Harness['slack']['admin']) => void]>([
    ['has left', (admin) => admin.deactivate(SEED.users.olga)],
    ['is a member now', (admin) => admin.setRole(SEED.users.olga, 'member')],
    ['is a guest now', (admin) => admin.setRole(SEED.users.olga, 'guest')],
  ])(
    'and the admin who set it %s, the requester and the card say to tell an admin',
    async (_now, changes) => {
      const harness = await startApprovals();
      changes(harness.slack.admin);
      harness.slack.admin.setUserGroup(approvers, { deleted: true });
      await harness.cancelOrder('A-1001');
      await harness.reply(
        'A-1001',
        /The person who chose the approvers .* cannot be reached, or is no longer an admin/,
      );
      const card = await harness.shows('A-1001', /Tell an admin\. Nothing is sent until that is fixed\./);
      expect(card.text).not.toContain('is notified');
      expect(harness.calls()).toBe(0);
    },
  );

  test('the approvers read it in their channel, too', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    harness.slack.admin.setUserGroup(approvers, { deleted: true });
    await harness.restart();
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, /Nobody can approve this right now/);
  });
});

describe('where too few people are left besides the requester', () => {
  const people = [SEED.users.ana, SEED.users.cara];
  const policy = { approvers: { type: 'people' as const, people }, quorum: 2 };

  test('the form says so when it is opened, and no request is created', async () => {
    const harness = await startApprovals(policy);
    const why = 'There are not enough approvers besides you: this needs 2 approvals.';
    await isTold(harness.ana, '/cancel-order A-1001 x', why);
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('they read so when they submit it, though it was otherwise when it was opened', async () => {
    const harness = await startApprovals();
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal({ callback: 'request_cancel_order' });
    harness.slack.admin.setUserGroup(approvers, { users: [SEED.users.ana] });
    const { modal } = await harness.ana.submit();
    expect(JSON.stringify(modal?.view)).toContain('There are not enough approvers besides you');
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('somebody else can make the request', async () => {
    const harness = await startApprovals(policy);
    await harness.cancelOrder('A-1001', { who: harness.ben });
    await harness.shows('A-1001', /Waiting for/);
  });

  test.each<[string, Policy['approvers']]>([
    ['people', { type: 'people', people: [SEED.users.cara, SEED.users.dev] }],
    ['group', { type: 'group', group: approvers }],
  ])(
    'because one of the %s was deactivated since: the next vote shows it, and an admin is told',
    async (_of, named) => {
      const harness = await startAwaitingApproval({ approvers: named, quorum: 2 });
      harness.slack.admin.deactivate(SEED.users.dev);
      // What is known of a person is cached for a minute.
      await harness.restart();
      await harness.cara.click('Approve', harness.message);
      await harness.reads(harness.message, 'There are not enough approvers besides');
      const told = await harness.olga.waitForDirectMessage();
      expect(told.text).toContain('not enough approvers');
      expect(await harness.voteHistory('A-1001')).toEqual([`voted ${SEED.users.cara}`]);
    },
  );

  test('guests, bots and deactivated members are nobody to wait for', async () => {
    const harness = await startApprovals();
    const { gina, dora, cara } = SEED.users;
    harness.slack.admin.setUserGroup(approvers, {
      users: [gina, dora, harness.slack.installation().bot_user_id],
    });
    await isTold(harness.ana, '/cancel-order A-1001 x', 'There are not enough approvers besides you');
    harness.slack.admin.setUserGroup(approvers, { users: [gina, dora, cara] });
    await harness.cancelOrder('A-1001');
    await harness.shows('A-1001', /Waiting for/);
  });
});

test('while the approvers cannot be shown a request, their other reactions are none of our business', async () => {
  const harness = await startApprovals(IN_APPROVALS);
  const lunch = harness.cara.say('Lunch?', { channel: '#approvals' });
  harness.slack.admin.share(SEED.channels.approvals, SEED.otherTeam);
  await harness.cancelOrder('A-1001');
  await harness.shows('A-1001', /shared with another company/);
  harness.dev.react('white_check_mark', { channel: SEED.channels.approvals, ts: lunch.ts });
  const [event] = harness.slack.events.list();
  await event?.settled;
  expect(event?.state).toBe('delivered');
});
