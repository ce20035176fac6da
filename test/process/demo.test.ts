import { expect, test } from 'vitest';
import { startBot } from '../../sandbox/lib/bot-process.ts';

test('the demo plays the main job, and every thread reads as it should', async () => {
  const demo = startBot('sandbox/demo/main.ts', {});
  expect(await demo.ended, demo.output()).toBe(0);
  for (const outcome of [
    'from a customer’s message',
    'cancelled at once',
    'confirmed it after a review',
    'decided against it after a review',
    'refused the request',
    'may or may not',
    'did not succeed',
    "refused this workspace's GraphQL token",
    'should look like A-####',
    'Order A-2003 is cancelled: the order service confirmed it after a review',
  ]) {
    expect(demo.output()).toContain(outcome);
  }
  // Each card names the state that its thread tells last.
  const cards = demo.output().matchAll(/^ *Countermand: \W*(?:Send|Cancel) .*? · (?::\w+: )?([\w ]+)/gim);
  expect([...cards].map(([, state]) => state?.trim())).toEqual([
    'Cancelled',
    'Cancelled',
    'Cancelled',
    'Not cancelled',
    'Refused by the order service',
    'Cancelled',
    'Sent',
    'Cancelled',
    'Refused by the order service',
    'Refused by the order service',
    'Cancelled',
    // As an approver is asked.
    'AWAITING APPROVAL',
    'Cancelled',
    'Declined',
  ]);
});
