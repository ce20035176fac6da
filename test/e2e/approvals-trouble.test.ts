import { describe, expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed.ts';
import { askedForApproval, IN_APPROVALS, shiftedClock, startApprovals } from '../support/approvals.ts';

const { approvers } = SEED.groups;

describe('an approval', () => {
  test('that comes when the time is up approves nothing, though nobody has noticed yet', async () => {
    const clock = shiftedClock();
    const desk = await askedForApproval({ lapseMs: 3_600_000 }, clock.options);
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
    await desk.reply('A-1001', new RegExp(`^Approved by <@${desk.cara.id}>`));
    await desk.shows('A-1001', /asked to slow down/);
  });
});

describe('where nobody can approve', () => {
  test('and the admin who set it has left, the one who asked hears of it', async () => {
    const desk = await startApprovals();
    desk.slack.admin.deactivate(SEED.users.olga);
    desk.slack.admin.setUserGroup(approvers, { deleted: true });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /I could not reach the admin who set who approves this/);
    expect(desk.calls()).toBe(0);
  });

  test('the approvers read it in their channel, too', async () => {
    const desk = await askedForApproval(IN_APPROVALS);
    desk.slack.admin.setUserGroup(approvers, { deleted: true });
    await desk.restart();
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, /Nobody can approve this at present/);
  });

  test('because too few people are left without the one who asked, the card says so at once', async () => {
    const people = [SEED.users.ana, SEED.users.cara];
    const desk = await askedForApproval({ approvers: { type: 'people', people }, quorum: 2 });
    await desk.reads(desk.message, 'fewer people are named as approvers');
    await desk.olga.waitForDirectMessage();
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
