/** What the bot says in Slack, printed in a terminal. */
import { expect, test } from 'vitest';
import { plainText, typed } from '../../src/cli/terminal.ts';

test.each([
  ['<@U1> voted to approve (:white_check_mark:)', 'U1 voted to approve (:white_check_mark:)'],
  ['Their vote (:+1::skin-tone-3:) counts', 'Their vote (:+1::skin-tone-3:) counts'],
  ['Cancel order A-1 · :mag: In review', 'Cancel order A-1 · In review'],
  [':warning: *Two* :x: lines', 'Two lines'],
  ['See <https://x.example/p1|its thread>', 'See its thread (https://x.example/p1)'],
  ['In <#C1>, for <!subteam^S1>', 'In C1, for S1'],
])('"%s" is printed as "%s"', (said, printed) => {
  expect(plainText(said)).toBe(printed);
});

test('control characters that somebody typed hide nothing of the text, and reverse none of it', () => {
  expect(plainText(':x: It said “a\0 b \0 c” (:x:)')).toBe('It said “a\uFFFD b \uFFFD c” (:x:)');
  expect(typed('a\u202eb\tc')).toBe('a\uFFFDb\uFFFDc');
});
