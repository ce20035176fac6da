import { describe, expect, test } from 'vitest';
import { validateMessageBlocks, validateModal } from '../../../slack/blocks/validate.ts';
import { actions, button, input, modal, option, section, text } from '../../support/slack-harness.ts';

const complaints = (blocks: unknown) => {
  const validated = validateMessageBlocks(blocks);
  return validated.ok ? [] : validated.messages;
};
const modalComplaints = (changes: object) => {
  const validated = validateModal(modal(changes));
  return validated.ok ? [] : validated.messages;
};
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const select = (more: object) => actions({ type: 'static_select', action_id: 'choice', ...more });
const richText = (...elements: object[]) => ({ type: 'rich_text', elements });

describe('messages that Slack takes', () => {
  test.each([
    ['every kind of text', [section('a'), { type: 'header', text: text('b') }, { type: 'divider' }]],
    ['fields alone', [{ type: 'section', fields: [text('a'), { type: 'mrkdwn', text: 'b' }] }]],
    ['an accessory', [section('a', { accessory: button('go') })]],
    [
      'context with an image',
      [{ type: 'context', elements: [text('a'), { type: 'image', image_url: 'https://a', alt_text: 'b' }] }],
    ],
    [
      'rich text',
      [
        richText(
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'a', style: { bold: true } }] },
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U1' }] }],
          },
        ),
      ],
    ],
    ['a table', [{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }, richText()]] }]],
    ['fifty blocks', many(50, () => ({ type: 'divider' }))],
    ['the same action_id in two blocks', [section('a', { accessory: button('go') }), actions(button('go'))]],
  ])('%s', (_, blocks) => {
    expect(complaints(blocks)).toEqual([]);
  });

  test('get the ids that the app left out', () => {
    const validated = validateMessageBlocks([
      { type: 'actions', elements: [{ type: 'button', text: text('Go') }] },
    ]);
    expect(validated).toMatchObject({
      ok: true,
      value: [
        {
          block_id: expect.any(String),
          elements: [{ action_id: expect.any(String), text: { emoji: true } }],
        },
      ],
    });
  });
});

describe('messages that Slack refuses', () => {
  test.each([
    [many(51, () => ({ type: 'divider' })), 'no more than 50 items allowed [json-pointer:/blocks]'],
    [[section('a'.repeat(3_001))], 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
    [[section('')], 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    [[{ type: 'section' }], 'must define either `text` or `fields` [json-pointer:/blocks/0]'],
    [
      [{ type: 'section', fields: many(11, () => text('a')) }],
      'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
    ],
    [
      [{ type: 'section', fields: [text('a'.repeat(2_001))] }],
      'must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]',
    ],
    [
      [{ type: 'header', text: text('a'.repeat(151)) }],
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ],
    [[{ type: 'header' }], 'missing required field: text [json-pointer:/blocks/0]'],
    [[{ type: 'banner' }], 'unsupported type: banner [json-pointer:/blocks/0/type]'],
    [[{ text: text('a') }], 'missing required field: type [json-pointer:/blocks/0]'],
    [[{ type: 'divider', colour: 'red' }], 'invalid additional property: colour [json-pointer:/blocks/0]'],
    [['divider'], 'must provide an object [json-pointer:/blocks/0]'],
    [
      [{ type: 'context', elements: many(11, () => text('a')) }],
      'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
    ],
    [
      [actions(...many(26, (n) => button(`b${n}`)))],
      'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
    ],
    [
      [actions(button('go', 'a'.repeat(76)))],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
    ],
    [
      [actions(button('go', 'Go', { value: 'a'.repeat(2_001) }))],
      'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]',
    ],
    [
      [actions(button('go', 'Go', { style: 'warning' }))],
      'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]',
    ],
    [
      [actions(button('go'), button('go'))],
      '`action_id` "go" already exists for another element [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      [section('a', { block_id: 'x' }), section('b', { block_id: 'x' })],
      'block_id "x" already exists [json-pointer:/blocks/1/block_id]',
    ],
    [
      [select({ options: many(101, (n) => option('a', `${n}`)) })],
      'no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]',
    ],
    [
      [select({ options: [option('a'.repeat(76), 'a')] })],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]',
    ],
    [[select({})], 'missing required field: options [json-pointer:/blocks/0/elements/0]'],
    [
      [select({ options: [option('a', 'a')], initial_option: option('b', 'b') })],
      'initial option is not one of the options [json-pointer:/blocks/0/elements/0]',
    ],
    [
      [{ type: 'table', rows: many(101, () => [{ type: 'raw_text', text: 'a' }]) }],
      'no more than 100 items allowed [json-pointer:/blocks/0/rows]',
    ],
    [
      [{ type: 'table', rows: [many(21, () => ({ type: 'raw_text', text: 'a' }))] }],
      'no more than 20 items allowed [json-pointer:/blocks/0/rows/0]',
    ],
    [
      [richText({ type: 'rich_text_song', elements: [] })],
      'unsupported type: rich_text_song [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      [richText({ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] })],
      'must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]',
    ],
    [
      [{ type: 'actions', elements: [{ type: 'plain_text_input', action_id: 'a' }] }],
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
    ],
  ])('%#: %j', (blocks, complaint) => {
    expect(complaints(blocks)).toContain(complaint);
  });

  test('blocks that are no list have a code of their own', () => {
    expect(validateMessageBlocks({ type: 'section' })).toMatchObject({ error: 'invalid_blocks_format' });
  });

  test('so has too much text in all', () => {
    const blocks = many(5, () => section('a'.repeat(2_700)));
    expect(validateMessageBlocks(blocks)).toMatchObject({ error: 'msg_blocks_too_long' });
  });
});

describe('modals that Slack refuses', () => {
  test.each([
    [{ title: undefined }, 'missing required field: title [json-pointer:/view]'],
    [{ submit: text('a'.repeat(25)) }, 'must be less than 25 characters [json-pointer:/view/submit/text]'],
    [{ close: text('a'.repeat(25)) }, 'must be less than 25 characters [json-pointer:/view/close/text]'],
    [{ submit: undefined }, 'must define `submit` to use an `input` block in modals [json-pointer:/view]'],
    [
      { private_metadata: 'a'.repeat(3_001) },
      'must be less than 3001 characters [json-pointer:/view/private_metadata]',
    ],
    [{ callback_id: 'a'.repeat(256) }, 'must be less than 256 characters [json-pointer:/view/callback_id]'],
    [
      { blocks: many(101, () => ({ type: 'divider' })) },
      'no more than 100 items allowed [json-pointer:/view/blocks]',
    ],
    [{ submit_disabled: true }, 'invalid additional property: submit_disabled [json-pointer:/view]'],
    [
      { blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] }] },
      'unsupported type: table [json-pointer:/view/blocks/0/type]',
    ],
    [
      { blocks: [input('a', button('go'))] },
      'unsupported type: button [json-pointer:/view/blocks/0/element/type]',
    ],
    [
      { blocks: [input('a', { type: 'plain_text_input', max_length: 3_001 })] },
      'must be less than 3001 [json-pointer:/view/blocks/0/element/max_length]',
    ],
    [
      { blocks: many(2, (n) => input(`b${n}`, { type: 'plain_text_input', focus_on_load: true })) },
      'only one element can have focus_on_load [json-pointer:/view/blocks]',
    ],
  ])('%#: %j', (changes, complaint) => {
    expect(modalComplaints(changes)).toContain(complaint);
  });
});
