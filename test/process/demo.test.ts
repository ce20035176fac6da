import { expect, test } from 'vitest';
import { startBot } from '../../sandbox/lib/bot-process.ts';

test('the demo plays the main job, and every thread reads as it should', async () => {
  const demo = startBot('sandbox/demo/main.ts', {});
  expect(await demo.ended, demo.output()).toBe(0);
  for (const outcome of [
    'from a customer’s message',
    'confirmed it after a review',
    'may or may not',
    'is sent to the customer',
    'Dev Das declined the request',
  ]) {
    expect(demo.output()).toContain(outcome);
  }
  // Each card names the state that its thread tells last.
  const cards = demo.output().matchAll(/^ *Countermand: \W*(?:Send|Cancel) .*? · (?::\w+: )?([\w ]+)/gim);
  expect([...cards].map(([, state]) => state?.trim())).toEqual([
    'Cancelled',
    'Cancelled',
    'Cancelled',
    'Sent',
    // As an approver is asked.
    'AWAITING APPROVAL',
    'Cancelled',
    'Declined',
  ]);
});
