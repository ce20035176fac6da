/** What the fields of forms show, within what Slack takes, and how they read what is written. */
import { describe, expect, test } from 'vitest';
import {
  channel,
  chosenIn,
  option,
  people,
  radios,
  searched,
  select,
  selectOf,
  sometimes,
  text,
  tick,
  ticks,
} from '../../../src/slack/blocks/fields.ts';
import { form } from '../../../src/slack/blocks/forms.ts';

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

test.each([
  ['5 characters', 5, 10],
  ['no most of its own', undefined, 6_000],
])(
  'no more of a text is read than Slack lets people write, emoji counted once, in a field of %s',
  (_of, max, most) => {
    const { state } = text('id', { label: 'Id', ...(max === undefined ? {} : { max }) });
    expect(state.parse({ value: '😀'.repeat(most / 2) })).toBe('😀'.repeat(most / 2));
    expect(state.parse({ value: 'x'.repeat(100_000) })).toHaveLength(most);
  },
);

test('an option whose name would be shown as nothing has another label, as Slack takes no empty one', () => {
  expect(option('x', '\u200f').text.text).toBe('…');
  expect(option('x', '\u200fA').text.text).toBe('A');
});

const COLOURS = { red: 'Red', blue: ['Blue', 'As the sky'] } as const;
const [RED, BLUE] = [option('red', 'Red'), option('blue', ['Blue', 'As the sky'])];
const OTHER = { value: 'green', text: { type: 'plain_text', text: 'Green' } };

test('only what is declared of a field is in its block', () => {
  const bare = text('id', { label: 'Id' }).block();
  expect(bare).toEqual({
    type: 'input',
    block_id: 'id',
    label: { type: 'plain_text', text: 'Id', emoji: false },
    element: { type: 'plain_text_input', action_id: 'id' },
  });
  const more = text('id', { label: 'Id', hint: 'A hint', optional: true, dispatches: true, focus: true });
  expect(more.block()).toMatchObject({
    hint: { text: 'A hint' },
    optional: true,
    dispatch_action: true,
    element: { focus_on_load: true },
  });
  // Whoever comes back to what they have written is not thrown to its beginning.
  expect(more.block('written')).toMatchObject({ element: { focus_on_load: false } });
});

describe('a field that is not always shown', () => {
  const named = sometimes(text('id', { label: 'Id', wrong: (value) => `${value} is wrong` }));

  test('has no value if its block is absent, and its text otherwise', () => {
    const { read } = form('name', { named });
    const valueIn = (values: object) => read({ private_metadata: '', state: { values } }).values;
    expect(valueIn({})).toEqual({ named: undefined });
    expect(valueIn({ id: { id: { value: 'A' } } })).toEqual({ named: 'A' });
  });

  test('is wrong only if it was shown', () => {
    expect([named.wrong(undefined), named.wrong('A')]).toEqual([undefined, 'A is wrong']);
  });
});

test.each([
  ['a drop-down', select, 'static_select', RED],
  ['radio buttons', radios, 'radio_buttons', undefined],
] as const)('%s: one of the options, and no other', (_what, create, type, first) => {
  const { block, state } = create('id', { label: 'Colour', options: COLOURS });
  expect(block()).toMatchObject({ element: { type, options: [RED, BLUE] } });
  const initial = (shown?: 'red' | 'blue') =>
    (block(shown).element as { initial_option?: object }).initial_option;
  expect([initial(), initial('blue')]).toEqual([first, BLUE]);
  expect(state.parse({ selected_option: BLUE })).toBe('blue');
  for (const selected_option of [OTHER, null])
    expect(state.safeParse({ selected_option }).success).toBe(false);
});

test('ticks: any of the options, and no other', () => {
  const { block, state } = ticks('id', { label: 'Colours', options: COLOURS });
  const initial = (shown?: ('red' | 'blue')[]) =>
    (block(shown).element as { initial_options?: object[] }).initial_options;
  // Slack takes no empty list.
  expect([initial(), initial([]), initial(['blue'])]).toEqual([undefined, undefined, [BLUE]]);
  expect(block().optional).toBe(true);
  expect(state.parse({ selected_options: [BLUE, RED] })).toEqual(['blue', 'red']);
  expect(state.parse({ selected_options: null })).toEqual([]);
  expect(state.safeParse({ selected_options: [OTHER] }).success).toBe(false);
});

test('one tick is a yes or a no', () => {
  const { block, state } = tick('id', { label: 'Agreed', option: 'Yes' });
  const initial = (shown: boolean) =>
    (block(shown).element as { initial_options?: object[] }).initial_options;
  const yes = option('id', 'Yes');
  expect([initial(false), initial(true)]).toEqual([undefined, [yes]]);
  expect([[], [yes]].map((selected_options) => state.parse({ selected_options }))).toEqual([false, true]);
});

test('a choice among options that differ begins with the one that is filled in, if that is still an option', () => {
  const { block, state } = selectOf('id', { label: 'Colour', options: [RED, BLUE], placeholder: 'Any' });
  const initial = (shown?: string) => (block(shown).element as { initial_option?: object }).initial_option;
  expect([initial(), initial('blue'), initial('green')]).toEqual([undefined, BLUE, undefined]);
  expect([{ selected_option: BLUE }, { selected_option: null }].map((each) => state.parse(each))).toEqual([
    'blue',
    '',
  ]);
  expect([chosenIn({ selected_option: RED }), chosenIn({})]).toEqual(['red', undefined]);
});

test('a choice that the bot searches for is filled in with an option, and may have none', () => {
  const { block, state } = searched('id', { label: 'Brand' });
  // Slack asks for options before anything is typed.
  expect(block().element).toEqual({ type: 'external_select', action_id: 'id', min_query_length: 0 });
  expect(block(BLUE).element).toMatchObject({ initial_option: BLUE });
  expect([{ selected_option: BLUE }, {}].map((each) => state.parse(each))).toEqual(['blue', undefined]);
});

test('channels that are shared with another company can be chosen only where that is declared, and bots never', () => {
  const of = (more: object) =>
    channel('id', { label: 'Channel', include: ['public'], ...more }).block().element;
  expect(of({})).toEqual({
    type: 'conversations_select',
    action_id: 'id',
    filter: { include: ['public'], exclude_external_shared_channels: true, exclude_bot_users: true },
  });
  expect(of({ shared: true, current: true })).toEqual({
    type: 'conversations_select',
    action_id: 'id',
    filter: { include: ['public'], exclude_bot_users: true },
    default_to_current_conversation: true,
  });
  const { block, state } = channel('id', { label: 'Channel', include: ['public'] });
  expect(block('C1').element).toMatchObject({ initial_conversation: 'C1' });
  expect(
    [{ selected_conversation: 'C1' }, { selected_conversation: null }].map((each) => state.parse(each)),
  ).toEqual(['C1', undefined]);
});

test('at most so many people can be chosen, and nobody is chosen beforehand unless filled in', () => {
  const { block, state } = people('id', { label: 'People', max: 3 });
  expect(block([]).element).toEqual({ type: 'multi_users_select', action_id: 'id', max_selected_items: 3 });
  expect(block(['U1']).element).toMatchObject({ initial_users: ['U1'] });
  expect([{ selected_users: ['U1'] }, {}].map((each) => state.parse(each))).toEqual([['U1'], []]);
});
