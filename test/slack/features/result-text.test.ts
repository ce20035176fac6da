/** What a person reads whose act on a request came too late. */
import { expect, test } from 'vitest';
import { tooLateText } from '../../../src/slack/features/result-text.ts';
import { calling } from '../../support/requests/records.ts';

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
