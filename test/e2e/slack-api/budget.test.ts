/**
 * Counts the calls to Slack that a request takes from its command to its last reply, once the bot knows the people and the
 * channel.
 */
import { expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { IN_APPROVALS, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

/** As it runs elsewhere: changes of a message within a second become one update. */
const overrides = { timings: TIMINGS };

/** Warm: an earlier request has told the bot who is who. */
async function callsOf(harness: Pick<Harness, 'journal'>, work: () => Promise<unknown>): Promise<string[]> {
  const last = () => harness.journal.entries().at(-1)?.n ?? 0;
  const from = last();
  await work();
  return harness.journal
    .entries(({ n, from: by, to }) => n > from && by === 'bot' && to === 'slack')
    .map(({ name }) => name);
}

test('a cancellation that is done at once', async () => {
  const harness = await startHarness({ overrides });
  const play = async (order: string) => {
    await harness.cancelOrder(order);
    await harness.reply(order, /is cancelled/);
    await harness.shows(order, /is cancelled/);
  };
  await play('A-1001');
  const calls = await callsOf(harness, () => play('A-1002'));
  expect(calls, calls.join(' ')).toHaveLength(5);
});

test('a cancellation that is reviewed', async () => {
  const harness = await startHarness({ overrides });
  harness.service.addOrder({ id: 'A-2010', reviewed: true });
  const play = async (order: string) => {
    await harness.cancelOrder(order);
    await harness.reply(order, /reviewing/);
    harness.service.approve(order);
    await harness.reply(order, /is cancelled/);
    await harness.shows(order, /is cancelled/);
  };
  await play('A-2001');
  const calls = await callsOf(harness, () => play('A-2010'));
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(6);
});

test.each([
  ['in the channel of the request', {}, 11],
  ['in the channel of the approvers', IN_APPROVALS, 16],
] as const)('two approvals %s', async (_name, policy, most) => {
  const harness = await startApprovals({ ...policy, quorum: 2 }, { overrides });
  const play = async (order: string) => {
    await harness.cancelOrder(order);
    const message = await harness.votedOn(order);
    harness.cara.react(YES, message);
    await harness.reads(message, '1 of 2');
    harness.dev.react(YES, message);
    await harness.reply(order, /is cancelled/);
    await harness.shows(order, /is cancelled/);
  };
  await play('A-1001');
  const calls = await callsOf(harness, () => play('A-1002'));
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(most);
  expect(calls.filter((name) => name === 'chat.getPermalink').length).toBeLessThanOrEqual(1);
});
