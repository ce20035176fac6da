import { expect, test } from 'vitest';
import { troubleText, withoutCode } from '../../../page/client/api.ts';

test.each([
  ['operation_timeout', '/cancel-order failed. Countermand did not answer in time. Try again.'],
  ['dispatch_failed', '/cancel-order failed. Slack had trouble reaching Countermand. Try again.'],
  ['invalid_blocks', `/cancel-order failed. ${troubleText('any_other_code')}`],
])('a command that failed with %s is told in a sentence', (code, sentence) => {
  expect(withoutCode(`/cancel-order failed with the error "${code}"`)).toBe(sentence);
  expect(sentence).not.toContain(code);
});

test('what else the app says privately stays as it is', () => {
  expect(withoutCode('Order A-1001 is cancelled.')).toBe('Order A-1001 is cancelled.');
});
