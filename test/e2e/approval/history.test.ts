import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Approvals, IN_APPROVALS, NO, startAwaitingApproval, YES } from '../../support/e2e/approvals.ts';
import { shownIn } from '../../support/shown.ts';

async function status(harness: Approvals, who = harness.ana, query = 'A-1001') {
  const seen = who.ephemerals().length;
  await who.command(`/countermand status ${query}`, { channel: '#support' });
  await who.waitForEphemeral(() => who.ephemerals().length > seen);
  return shownIn(who.ephemerals().at(-1) ?? { text: '' });
}

/** The lines of its history, and each begins with a time. */
async function history(harness: Approvals, query?: string) {
  const lines = (await status(harness, harness.ana, query)).split('*History*\n')[1]?.split('\n') ?? [];
  const time = /^• <!date\^\d+\^[^>]*> /;
  for (const line of lines) expect(line).toMatch(time);
  return lines.map((line) => line.replace(time, ''));
}

describe('/countermand status', () => {
  test('names every person and time: request, votes, votes taken back and refused, decision, call, outcome', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const [ana, ben, cara, dev] = [harness.ana, harness.ben, harness.cara, harness.dev].map(
      ({ id }) => `<@${id}>`,
    );
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.cara.unreact(YES, harness.message);
    await harness.reads(harness.message, '0 of 2');
    harness.ben.react(NO, harness.message);
    await harness.ben.waitForEphemeral();
    await harness.ana.click('Approve', harness.message);
    await harness.ana.click('Approve', harness.message);
    await expect.poll(() => harness.ana.ephemerals()).toHaveLength(2);
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2');
    const held = harness.slack.events.hold('reaction_removed');
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
    held.release();
    const { id } = await harness.record('A-1001');
    expect(await history(harness, id)).toEqual([
      `Requested by ${ana}`,
      `${cara} voted to approve (:white_check_mark:)`,
      `${cara} took back their vote to approve (:white_check_mark:)`,
      `The vote to decline (:x:) of ${ben} did not count: they were not an approver`,
      `The vote to approve (the button) of ${ana} did not count: they made this request`,
      `The vote to approve (the button) of ${ana} did not count: they made this request`,
      `${cara} voted to approve (the button)`,
      `${dev} voted to approve (:white_check_mark:)`,
      `Approved by ${cara} and ${dev}`,
      'Call to the order service started',
      ":white_check_mark: Cancelled, according to the order service's answer",
    ]);
  });

  test('tells of a vote that was gone, of a decline, and of an approval that was needed again', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.slack.events.hold('reaction_removed');
    harness.cara.unreact(YES, harness.message);
    harness.dev.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Dev Das');
    harness.cara.react(NO, harness.message);
    await harness.reply('A-1001', /declined/);
    const [cara, dev] = [harness.cara, harness.dev].map(({ id }) => `<@${id}>`);
    expect((await history(harness)).slice(1)).toEqual([
      `${cara} voted to approve (:white_check_mark:)`,
      `${dev} voted to approve (:white_check_mark:)`,
      `${cara}'s vote to approve (:white_check_mark:) was removed before the count`,
      `${cara} voted to decline (:x:)`,
      `Declined by ${cara}`,
    ]);
  });

  test('tells an approver why, though they are not in the channel; and nobody else who is not', async () => {
    const harness = await startAwaitingApproval({
      ...IN_APPROVALS,
      approvers: { type: 'people', people: [SEED.users.cara] },
    });
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    await harness.cara.submit({ reason: 'confidential' });
    await harness.reply('A-1001', /declined/);
    for (const user of [SEED.users.cara, SEED.users.dev])
      harness.slack.admin.kick(SEED.channels.support, user);
    const lounge = { team_id: SEED.team, name: 'lounge', members: [SEED.users.cara, SEED.users.dev] };
    const { id: channel } = harness.slack.admin.addChannel(lounge);
    const read = async (who: Approvals['cara']) => {
      await who.command('/countermand status A-1001', { channel });
      return shownIn(await who.waitForEphemeral((message) => shownIn(message).includes('History')));
    };
    const forApprover = await read(harness.cara);
    expect(forApprover).toContain('Ordered twice');
    expect(forApprover).toContain('“confidential”');
    const forOther = await read(harness.dev);
    expect(forOther).not.toContain('Ordered twice');
    expect(forOther).not.toContain('confidential');
    expect(forOther).toContain(`Declined by <@${harness.cara.id}>`);
  });

  test('keeps votes and the outcome, however often others try to vote', async () => {
    const harness = await startAwaitingApproval();
    for (let i = 1; i <= 16; i++) {
      for (const who of [harness.ana, harness.ben]) {
        await who.click('Approve', harness.message);
        await who.waitForEphemeral(() => who.ephemerals().length === i);
      }
    }
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const lines = await history(harness);
    expect(lines.filter((line) => line.includes('did not count'))).toHaveLength(32);
    expect(lines).toContain(`<@${harness.cara.id}> voted to approve (the button)`);
    expect(lines.at(-1)).toContain('Cancelled, according to');
  });
});
