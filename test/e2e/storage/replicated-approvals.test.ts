import { expect, test } from 'vitest';
import { startAwaitingApproval, YES } from '../../support/e2e/approvals.ts';
import { startSecondBot } from '../../support/e2e/bot.ts';
import { needsRedis } from '../../support/redis/redis.ts';

needsRedis();

test('votes that race on two bots over one storage give one decision, one call and one announcement', async () => {
  const harness = await startAwaitingApproval({}, { storage: 'redis' });
  const { goToSecond } = await startSecondBot(harness);
  const looksUp = (user: string) =>
    harness.slack.faults.schedule({
      on: 'users.info',
      where: { user },
      fault: { type: 'hold', when: 'before' },
    });
  const [first, second] = [looksUp(harness.cara.id), looksUp(harness.dev.id)];
  const votes = [harness.cara.click('Approve', harness.message)];
  await first.reached;
  goToSecond();
  votes.push(harness.dev.click('Approve', harness.message));
  await second.reached;
  first.release();
  second.release();
  await Promise.all(votes);
  await harness.reply('A-1001', /is cancelled/);
  expect(harness.calls()).toBe(1);
  const replies = await harness.replies('A-1001');
  expect(replies).toEqual([
    expect.stringMatching(/^Approved by (Cara Conti|Dev Das)\./),
    expect.stringContaining('is cancelled'),
  ]);
  const { approval } = await harness.record('A-1001');
  expect(approval?.decision?.by).toHaveLength(1);
});

test('two bots over one storage make one decision and one call', async () => {
  const harness = await startAwaitingApproval({ quorum: 2 }, { storage: 'redis' });
  const { goToSecond } = await startSecondBot(harness);
  await harness.cara.click('Approve', harness.message);
  const looking = harness.slack.faults.schedule({
    on: 'reactions.get',
    fault: { type: 'hold', when: 'before' },
  });
  harness.dev.react(YES, harness.message);
  await looking.reached;
  goToSecond();
  await harness.dev.click('Approve', harness.message);
  looking.release();
  await harness.reply('A-1001', /is cancelled/);
  expect(harness.calls()).toBe(1);
  expect(await harness.replies('A-1001')).toHaveLength(2);
});
