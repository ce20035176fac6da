/** What the fields of forms show, within what Slack takes. */
import { expect, test } from 'vitest';
import { text } from '../../../src/slack/blocks/fields.ts';

test('a text that is too long for its field is shown as far as it fits, and any other as it is', () => {
  const shown = (max?: number) =>
    text('id', { label: 'Id', ...(max === undefined ? {} : { max }) }).block('abcdefgh');
  expect(shown(5)).toMatchObject({ element: { max_length: 5, initial_value: 'abcde' } });
  expect(shown(8)).toMatchObject({ element: { max_length: 8, initial_value: 'abcdefgh' } });
  expect(shown()).toMatchObject({ element: { initial_value: 'abcdefgh' } });
  expect(JSON.stringify(shown())).not.toContain('max_length');
});
