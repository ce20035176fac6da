import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import {
  BY_MEMBERS,
  IN_APPROVALS,
  read,
  startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';

const { ana, ben, cara, dev } = SEED.users;
const { approvals } = SEED.channels;
const { approvers } = SEED.groups;

type AwaitingApproval = Awaited<ReturnType<typeof startAwaitingApproval>>;

describe('the requester', () => {
  const text = /because you made this request/;

  /** The policy names them as an approver. The others who can't be one are in vote.test.ts of the use cases. */
  const named = () => startAwaitingApproval({ approvers: { type: 'people', people: [ana, cara] } });

  /** Expects that nobody else was notified, that the history has the vote, and that an approver can still vote. */
  async function isRefused(harness: AwaitingApproval) {
    expect(harness.slack.thread('#support', harness.message.ts)).toHaveLength(1);
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${ana} own_request`]);
    expect(read(harness, harness.message)).toContain('(0 of 1).');
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  }

  test('does not count by reaction, and is told so privately', async () => {
    const harness = await named();
    harness.ana.react(YES, harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(text);
    await isRefused(harness);
  });

  test('does not count by button, and is told so privately', async () => {
    const harness = await named();
    await harness.ana.click('Approve', harness.message);
    expect((await harness.ana.waitForEphemeral()).text).toMatch(text);
    await isRefused(harness);
  });

  test('cannot decline either', async () => {
    const harness = await named();
    await harness.ana.click('Decline', harness.message);
    const { view } = await harness.ana.waitForModal((modal) => text.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    await isRefused(harness);
  });
});

test('whoever votes on two requests of their own reads which one each answer is about', async () => {
  const harness = await startAwaitingApproval();
  await harness.cancelOrder('A-1002');
  for (const order of ['A-1001', 'A-1002']) {
    harness.ana.react(YES, await harness.votedOn(order));
    await harness.ana.waitForEphemeral(({ text }) =>
      text.startsWith(`*Cancel order ${order}*: Your vote does not count, because you made this request.`),
    );
  }
});

describe('who is not an approver', () => {
  test.each<[string, Partial<Policy>]>([
    ['in the group', { approvers: { type: 'group', group: approvers } }],
    ['among those named', { approvers: { type: 'people', people: [cara, dev] } }],
    ['in the approvals channel', BY_MEMBERS],
  ])('(not %s) does not count, and reads who is', async (_name, policy) => {
    const harness = await startAwaitingApproval(policy);
    harness.ben.react(YES, harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toMatch(
      /^\*Cancel order A-1001\*: Your vote does not count: only .+ can decide this\. So far 0 of 1 approval counts\.$/,
    );
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${ben} not_approver`]);
    expect(harness.calls()).toBe(0);
  });

  test('cannot keep the others from voting by trying until Slack does not answer any more', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const fault = { type: 'rate_limit' as const, retryAfterSeconds: 1 };
    const limited = harness.slack.faults.schedule({ on: 'usergroups.users.list', fault, times: 99 });
    await harness.ben.click('Approve', harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toMatch(/: Your vote does not count/);
    harness.cara.react(YES, harness.message);
    await harness.dev.click('Approve', harness.message);
    await harness.reads(
      harness.message,
      'Checking whether the approvers may still approve (2 of 2: @Cara Conti and @Dev Das)',
    );
    limited.cancel();
    await harness.reply('A-1001', /is cancelled/);
  });

  test('can take nobody else’s vote back, nor leave a trace by trying', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.ben.react(YES, harness.message);
    await harness.ben.waitForEphemeral();
    harness.ben.unreact(YES, harness.message);
    await harness.slack.events.list().at(-1)?.settled;
    expect(await harness.voteHistory('A-1001')).toEqual([`voted ${cara}`, `refused ${ben} not_approver`]);
    expect(read(harness, harness.message)).toContain('1 of 2: @Cara Conti');
  });
});

describe('the approvers', () => {
  test.each([
    ['in their channel', IN_APPROVALS],
    ['where it was requested', {}],
  ])('who are the members of a channel are mentioned once, when they are asked %s', async (_where, shown) => {
    const harness = await startApprovals({ ...BY_MEMBERS, ...shown, quorum: 2 });
    await harness.cancelOrder('A-1001');
    const message = await harness.votedOn('A-1001');
    const { text: asking } = message;
    for (const member of [cara, dev, SEED.users.olga]) expect(asking).toContain(`<@${member}>`);
    expect(asking).not.toContain(`<@${ana}>`);
    const others = harness.slack.messages('#support').filter(({ ts }) => ts !== message.ts);
    for (const { text } of others) expect(text).not.toContain(`<@${cara}>`);
    harness.cara.react(YES, message);
    await harness.reads(message, '1 of 2: @Cara Conti');
    expect(read(harness, message)).not.toContain('@Dev Das');
  });

  test('who are the members of a channel are mentioned without those of them who cannot vote', async () => {
    const harness = await startApprovals({ ...BY_MEMBERS, ...IN_APPROVALS });
    const { admin } = harness.slack;
    const bot = admin.addUser({ team_id: SEED.team, name: 'deploys', is_bot: true });
    for (const member of [bot.id, SEED.users.gina]) admin.invite(approvals, member);
    await harness.cancelOrder('A-1001');
    const { text: asking } = await harness.votedOn('A-1001');
    for (const member of [cara, dev, SEED.users.olga]) expect(asking).toContain(`<@${member}>`);
    for (const member of [bot.id, SEED.users.gina]) expect(asking).not.toContain(member);
  });
});

test('who is deactivated when their vote arrives does not count', async () => {
  const harness = await startAwaitingApproval();
  const held = harness.slack.events.hold('reaction_added');
  harness.cara.react(YES, harness.message);
  harness.slack.admin.deactivate(cara);
  // People are cached for a minute; not beyond a restart.
  await harness.restart();
  await held.deliver(0).settled;
  expect(await harness.voteHistory('A-1001')).toEqual([`refused ${cara} deactivated`]);
  expect(harness.calls()).toBe(0);
});

describe('who becomes an approver', () => {
  test('by the user group may vote at once', async () => {
    const harness = await startAwaitingApproval();
    harness.ben.react(YES, harness.message);
    await harness.ben.waitForEphemeral();
    harness.slack.admin.setUserGroup(approvers, { users: [ben] });
    await harness.ben.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('by the approvals channel may vote at once; and who leaves it no more', async () => {
    const harness = await startAwaitingApproval({ ...BY_MEMBERS, ...IN_APPROVALS, quorum: 2 });
    harness.slack.admin.kick(approvals, dev);
    harness.slack.admin.invite(approvals, ben);
    harness.ben.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Ben Brandt');
    harness.slack.admin.invite(approvals, dev);
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });
});
