/** What the fields of forms show, within what Slack takes, and how they read what is written. */
import { expect, test } from 'vitest';
import { option, text } from '../../../src/slack/blocks/fields.ts';

test('a text that is too long for its field is shown as far as it fits, and any other as it is', () => {
  const shown = (max?: number) =>
    text('id', { label: 'Id', ...(max === undefined ? {} : { max }) }).block('abcdefgh');
  expect(shown(5)).toMatchObject({ element: { max_length: 5, initial_value: 'abcde' } });
  expect(shown(8)).toMatchObject({ element: { max_length: 8, initial_value: 'abcdefgh' } });
  expect(shown()).toMatchObject({ element: { initial_value: 'abcdefgh' } });
  expect(JSON.stringify(shown())).not.toContain('max_length');
});

test.each([
  ['\u200f', ''],
  [' \u200b\n\u2060\ufeff\u0007 ', ''],
  [' \u200fA\u200d ', '\u200fA\u200d'],
])('%j is read as %j: a text of invisible characters alone is none', (value, read) => {
  expect(text('id', { label: 'Id' }).state.parse({ value })).toBe(read);
});

test('an option whose name would be shown as nothing has another label, as Slack takes no empty one', () => {
  expect(option('x', '\u200f').text.text).toBe('…');
  expect(option('x', '\u200fA').text.text).toBe('A');
});
