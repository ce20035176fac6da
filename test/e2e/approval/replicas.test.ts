import { expect, test } from 'vitest';
import { askedForApproval } from '../../support/e2e/approvals.ts';
import { startSecondBot } from '../../support/e2e/second-bot.ts';

const YES = 'white_check_mark';

test('votes that race on two bots over one storage give one decision, one call and one announcement', async () => {
  const desk = await askedForApproval();
  const { goToSecond } = await startSecondBot(desk);
  const looksUp = (user: string) =>
    desk.slack.faults.order({ on: 'users.info', where: { user }, fault: { type: 'hold', when: 'before' } });
  const [first, second] = [looksUp(desk.cara.id), looksUp(desk.dev.id)];
  const votes = [desk.cara.click('Approve', desk.message)];
  await first.reached;
  goToSecond();
  votes.push(desk.dev.click('Approve', desk.message));
  await second.reached;
  first.release();
  second.release();
  await Promise.all(votes);
  await desk.reply('A-1001', /is cancelled/);
  expect(desk.calls()).toBe(1);
  const replies = await desk.replies('A-1001');
  expect(replies).toEqual([
    expect.stringMatching(/^Approved by (Cara Conti|Dev Das)\./),
    expect.stringContaining('is cancelled'),
  ]);
  const { approval } = await desk.record('A-1001');
  expect(approval?.decision?.by).toHaveLength(1);
});

test('two bots over one storage make one decision and one call', async () => {
  const desk = await askedForApproval({ quorum: 2 });
  const { goToSecond } = await startSecondBot(desk);
  await desk.cara.click('Approve', desk.message);
  const looking = desk.slack.faults.order({ on: 'reactions.get', fault: { type: 'hold', when: 'before' } });
  desk.dev.react(YES, desk.message);
  await looking.reached;
  goToSecond();
  await desk.dev.click('Approve', desk.message);
  looking.release();
  await desk.reply('A-1001', /is cancelled/);
  expect(desk.calls()).toBe(1);
  expect(await desk.replies('A-1001')).toHaveLength(2);
});
