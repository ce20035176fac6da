import { describe, expect, test } from 'vitest';
import {
  chosenChoices,
  chosenValues,
  offeredChoices,
} from '../../../../../page/client/blocks/elements/chosen.ts';
import { InputElement } from '../../../../../slack/blocks/elements.ts';
import { type Option, PlainOption } from '../../../../../slack/blocks/text.ts';
import type { StateValue } from '../../../../../slack/world/types.ts';
import { text } from '../../../../support/slack-harness.ts';

const option = (value: string): Option => PlainOption.parse({ text: text(value.toUpperCase()), value });
const OPTIONS = ['a', 'b', 'c'].map(option);
const element = (type: string, more: object = {}) => InputElement.parse({ type, action_id: 'it', ...more });
const withOptions = (type: string, more: object = {}) => element(type, { options: OPTIONS, ...more });

/** An element with an initial value; the value that it then holds; and the short form of both. */
const CASES: [ReturnType<typeof element>, StateValue, string[], string[]][] = [
  [
    element('plain_text_input', { initial_value: 'before' }),
    { type: 'plain_text_input', value: 'after' },
    ['before'],
    ['after'],
  ],
  ...['static_select', 'radio_buttons'].map((type): (typeof CASES)[number] => [
    withOptions(type, { initial_option: option('a') }),
    { type, selected_option: option('b') },
    ['a'],
    ['b'],
  ]),
  [
    element('external_select', { initial_option: option('a') }),
    { type: 'external_select', selected_option: option('z') },
    ['a'],
    ['z'],
  ],
  ...['multi_static_select', 'checkboxes'].map((type): (typeof CASES)[number] => [
    withOptions(type, { initial_options: [option('a'), option('c')] }),
    { type, selected_options: [option('b'), option('c')] },
    ['a', 'c'],
    ['b', 'c'],
  ]),
  [
    element('multi_external_select', { initial_options: [option('a')] }),
    { type: 'multi_external_select', selected_options: [option('y'), option('z')] },
    ['a'],
    ['y', 'z'],
  ],
  ...(['conversation', 'channel', 'user'] as const).flatMap((kind): typeof CASES => [
    [
      element(`${kind}s_select`, { [`initial_${kind}`]: 'X01' }),
      { type: `${kind}s_select`, [`selected_${kind}`]: 'X02' },
      ['X01'],
      ['X02'],
    ],
    [
      element(`multi_${kind}s_select`, { [`initial_${kind}s`]: ['X01', 'X02'] }),
      { type: `multi_${kind}s_select`, [`selected_${kind}s`]: ['X03', 'X02'] },
      ['X01', 'X02'],
      ['X03', 'X02'],
    ],
  ]),
];

describe.each(CASES.map(([its, ...rest]) => [its.type, its, ...rest] as const))(
  'in %s',
  (_type, its, held, declared, entered) => {
    test('is chosen what it holds', () => {
      expect(chosenValues(its, held)).toEqual(entered);
    });

    test('is chosen what it declares, where nothing is held', () => {
      expect(chosenValues(its, undefined)).toEqual(declared);
    });

    test('is nothing chosen that was taken away', () => {
      const emptied = Object.entries(held).map(([key, value]) => [
        key,
        key === 'type' ? value : Array.isArray(value) ? [] : null,
      ]);
      expect(chosenValues(its, Object.fromEntries(emptied))).toEqual([]);
    });
  },
);

test('an element that declares nothing has nothing chosen', () => {
  expect(chosenValues(withOptions('static_select'), undefined)).toEqual([]);
  expect(chosenValues(element('plain_text_input'), undefined)).toEqual([]);
});

describe('the choices that are chosen', () => {
  test('have the labels of the element’s own options, and their descriptions', () => {
    const described = { ...option('a'), description: text('The first') };
    const its = element('radio_buttons', { options: [described, option('b')], initial_option: described });
    expect(chosenChoices(its, undefined, [])).toEqual([{ value: 'a', label: 'A', description: 'The first' }]);
  });

  test('have the labels that Slack offers', () => {
    const held = { type: 'multi_users_select', selected_users: ['U02', 'U01'] };
    const offered = [
      { value: 'U01', label: 'Ana Alvarez' },
      { value: 'U02', label: 'Ben Brandt' },
    ];
    expect(chosenChoices(element('multi_users_select'), held, offered)).toEqual(offered.toReversed());
  });

  test('have the labels that the app once gave, where it is asked for them', () => {
    const held = { type: 'external_select', selected_option: option('z') };
    expect(chosenChoices(element('external_select'), held, [])).toEqual([{ value: 'z', label: 'Z' }]);
    const declared = element('multi_external_select', { initial_options: [option('y')] });
    expect(chosenChoices(declared, undefined, [])).toEqual([{ value: 'y', label: 'Y' }]);
  });

  test('stand for themselves where nobody knows a label', () => {
    const held = { type: 'conversations_select', selected_conversation: 'C0GONE' };
    expect(chosenChoices(element('conversations_select'), held, [])).toEqual([
      { value: 'C0GONE', label: 'C0GONE' },
    ]);
  });
});

describe('what a select offers', () => {
  const choices = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
    { value: 'c', label: 'C' },
  ];

  test.each(['static_select', 'multi_static_select', 'radio_buttons', 'checkboxes'])(
    '%s: its own options',
    (type) => {
      expect(offeredChoices(withOptions(type), {}, 'block/it')).toEqual(choices);
    },
  );

  test.each(['static_select', 'multi_static_select'])('%s: its groups, under their headings', (type) => {
    const option_groups = [
      { label: text('First'), options: [option('a')] },
      { label: text('Others'), options: [option('b'), option('c')] },
    ];
    expect(offeredChoices(element(type, { option_groups }), {}, 'block/it')).toEqual([
      { label: 'First', options: choices.slice(0, 1) },
      { label: 'Others', options: choices.slice(1) },
    ]);
  });

  test.each(['users_select', 'multi_conversations_select', 'channels_select'])(
    '%s: what Slack offers in its place',
    (type) => {
      const offers = { 'block/it': choices, 'block/other': [] };
      expect(offeredChoices(element(type), offers, 'block/it')).toEqual(choices);
    },
  );

  test.each(['external_select', 'multi_external_select', 'plain_text_input'])(
    '%s: nothing at once',
    (type) => {
      expect(offeredChoices(element(type), {}, 'block/it')).toEqual([]);
    },
  );
});
