/** What a person reads whose act on a request came too late, or met another request. */
import { expect, test } from 'vitest';
import { slotTakenText, tooLateText } from '../../../src/slack/features/result-text.ts';
import { calling, queued } from '../../support/requests/records.ts';

const { record } = calling();
const AGAIN = 'press Withdraw again';

test('says when to withdraw again, if the call was just under way', () => {
  expect(tooLateText(record, { action: 'withdraw', state: 'calling' })).toContain(AGAIN);
});

test.each([
  { action: 'withdraw', state: 'canceled' },
  { action: 'retry', state: 'calling' },
] as const)('says nothing of it to $action in state $state', (late) => {
  expect(tooLateText(record, late)).not.toContain(AGAIN);
});

test('does not say that a request whose card has no link is in its channel: it may not be posted yet', () => {
  const text = slotTakenText(queued(), 'A-1001', undefined);
  expect(text).toContain('\nThe other request was made in <#C1>.\n');
  expect(text).toMatch(/Nothing is sent until the card of this request is posted in <#C1>\.$/);
});
