import { describe, expect, test } from 'vitest';
import { chosenChoices, chosenValues, offeredChoices } from '../../../page/client/blocks/chosen.ts';
import { InputElement } from '../../../slack/blocks/elements.ts';
import { type Option, PlainOption } from '../../../slack/blocks/text.ts';
import { text } from '../../support/slack-harness.ts';

const option = (value: string): Option => PlainOption.parse({ text: text(value.toUpperCase()), value });
const OPTIONS = ['a', 'b', 'c'].map(option);
const element = (type: string, more: object = {}) => InputElement.parse({ type, action_id: 'it', ...more });

/** The type of an element, the field of its initial value, and the field of the value that its surface holds. */
test.each([
  ['plain_text_input', { initial_value: 'a' }, { value: 'b' }],
  ['radio_buttons', { initial_option: option('a'), options: OPTIONS }, { selected_option: option('b') }],
  ['static_select', { initial_option: option('a'), options: OPTIONS }, { selected_option: option('b') }],
  ['checkboxes', { initial_options: [option('a')], options: OPTIONS }, { selected_options: [option('b')] }],
  ['users_select', { initial_user: 'a' }, { selected_user: 'b' }],
  ['multi_users_select', { initial_users: ['a'] }, { selected_users: ['b'] }],
])('in %s the value that is held is chosen, else the declared one, else none', (type, declared, held) => {
  expect(chosenValues(element(type, declared), undefined)).toEqual(['a']);
  expect(chosenValues(element(type, declared), { type, ...held })).toEqual(['b']);
  const [field = ''] = Object.keys(held);
  expect(chosenValues(element(type, declared), { type, [field]: null })).toEqual([]);
});

describe('the choices that are chosen', () => {
  test('have the labels of the element’s own options, and their descriptions', () => {
    const described = { ...option('a'), description: text('The first') };
    const its = element('radio_buttons', { options: [described, option('b')], initial_option: described });
    expect(chosenChoices(its, undefined, [])).toEqual([{ value: 'a', label: 'A', description: 'The first' }]);
  });

  test('have the labels that Slack offers, else those of the app, else their values', () => {
    const users = { type: 'multi_users_select', selected_users: ['U02', 'U03'] };
    const offered = [{ value: 'U02', label: 'Ben Brandt' }];
    expect(chosenChoices(element('multi_users_select'), users, offered)).toEqual([
      ...offered,
      { value: 'U03', label: 'U03' },
    ]);
    const external = { type: 'external_select', selected_option: option('z') };
    expect(chosenChoices(element('external_select'), external, [])).toEqual([{ value: 'z', label: 'Z' }]);
  });
});

describe('a select offers', () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));

  test('its own options', () => {
    expect(offeredChoices(element('static_select', { options: OPTIONS }), {}, 'block/it')).toEqual(choices);
  });

  test('what Slack offers in its place, and nothing at once if the app is asked', () => {
    const offers = { 'block/it': choices, 'block/other': [] };
    expect(offeredChoices(element('users_select'), offers, 'block/it')).toEqual(choices);
    expect(offeredChoices(element('external_select'), {}, 'block/it')).toEqual([]);
  });
});
