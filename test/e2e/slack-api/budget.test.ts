/**
 * Counts the calls to Slack that a request takes from its command to its last reply, once the bot knows the people and the
 * channel.
 */
import { expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { IN_APPROVALS, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

/** As it runs elsewhere: changes of a message within a second become one update. */
const overrides = { timings: TIMINGS };

type Orders = readonly [string, string, string, string];
type Play = (order: string) => Promise<unknown>;

/**
 * Returns the calls of a request. Warm: an earlier one has told the bot who is who. What happens within a second may take two
 * on a busy machine, and then another update: of three tries, one that keeps to `most` is enough.
 */
async function callsOf(
  { journal }: Pick<Harness, 'journal'>,
  play: Play,
  { orders: [first, ...others], most }: { orders: Orders; most: number },
): Promise<string[]> {
  await play(first);
  let names: string[] = [];
  for (const order of others) {
    const from = journal.entries().at(-1)?.n ?? 0;
    await play(order);
    const calls = journal.entries(({ n, from: by, to }) => n > from && by === 'bot' && to === 'slack');
    names = calls.map(({ name }) => name);
    if (names.length <= most) break;
  }
  return names;
}

const ORDERS = ['A-1001', 'A-1002', 'A-1003', 'A-1004'] as const;
const REVIEWED = ['A-2001', 'A-2002', 'A-2003', 'A-2004'] as const;

test('a cancellation that is done at once', async () => {
  const harness = await startHarness({ overrides });
  const play = async (order: string) => {
    await harness.cancelOrder(order);
    await harness.reply(order, /is cancelled/);
    await harness.shows(order, /is cancelled/);
  };
  const calls = await callsOf(harness, play, { orders: ORDERS, most: 5 });
  expect(calls, calls.join(' ')).toHaveLength(5);
});

test('a cancellation that is reviewed', async () => {
  const harness = await startHarness({ overrides });
  const play = async (order: string) => {
    await harness.cancelOrder(order);
    await harness.reply(order, /reviewing/);
    harness.service.approve(order);
    await harness.reply(order, /is cancelled/);
    await harness.shows(order, /is cancelled/);
  };
  const calls = await callsOf(harness, play, { orders: REVIEWED, most: 6 });
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
  const calls = await callsOf(harness, play, { orders: ORDERS, most });
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(most);
  expect(calls).not.toContain('chat.getPermalink');
});
