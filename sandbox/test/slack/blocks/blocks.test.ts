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
    ['every kind of text', [section('a'), { type: 'header', text: text('b') }]],
    ['an accessory', [section('a', { accessory: button('go') })]],
    ['context', [{ type: 'context', elements: [text('a'), { type: 'mrkdwn', text: 'b' }] }]],
    [
      'rich text',
      [
        richText(
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'a', style: { bold: true } }] },
          { type: 'rich_text_quote', elements: [{ type: 'user', user_id: 'U1' }] },
        ),
      ],
    ],
    ['fifty blocks', many(50, () => section('a'))],
    ['the same action_id in two blocks', [section('a', { accessory: button('go') }), actions(button('go'))]],
  ])('%s', (_, blocks) => {
    expect(complaints(blocks)).toEqual([]);
  });

  test('get ids where the app left them out', () => {
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

describe('Slack refuses in a message', () => {
  test.for<[less: number, pointer: string, block: (long: string) => object]>([
    [3_001, '/text/text', (long) => section(long)],
    [151, '/text/text', (long) => ({ type: 'header', text: text(long) })],
    [76, '/elements/0/text/text', (long) => actions(button('go', long))],
    [2_001, '/elements/0/value', (long) => actions(button('go', 'Go', { value: long }))],
    [76, '/elements/0/options/0/text/text', (long) => select({ options: [option(long, 'a')] })],
  ])('a text of %i characters in %s', ([less, pointer, block]) => {
    expect(complaints([block('a'.repeat(less - 1))])).toEqual([]);
    expect(complaints([block('a'.repeat(less))])).toEqual([
      `must be less than ${less} characters [json-pointer:/blocks/0${pointer}]`,
    ]);
  });

  test.for<[most: number, pointer: string, blocks: (count: number) => object[]]>([
    [50, '', (count) => many(count, () => section('a'))],
    [10, '/0/elements', (count) => [{ type: 'context', elements: many(count, () => text('a')) }]],
    [25, '/0/elements', (count) => [actions(...many(count, (n) => button(`b${n}`)))]],
    [100, '/0/elements/0/options', (count) => [select({ options: many(count, (n) => option('a', `${n}`)) })]],
  ])('more than %i items in %s', ([most, pointer, blocks]) => {
    expect(complaints(blocks(most))).toEqual([]);
    expect(complaints(blocks(most + 1))).toEqual([
      `no more than ${most} items allowed [json-pointer:/blocks${pointer}]`,
    ]);
  });

  test.for<[pointer: string, complaint: string, ...blocks: unknown[]]>([
    ['/0/text/text', 'must be more than 0 characters', section('')],
    ['/0', 'missing required field: text', { type: 'section' }],
    ['/0', 'invalid additional property: fields', section('a', { fields: [text('b')] })],
    ['/0/type', 'unsupported type: banner', { type: 'banner' }],
    ['/0', 'missing required field: type', { text: text('a') }],
    ['/0', 'must provide an object', 'section'],
    ['/0/elements/0/style', 'must be a valid enum value', actions(button('go', 'Go', { style: 'warning' }))],
    [
      '/0/elements/1/action_id',
      '`action_id` "go" already exists for another element',
      actions(button('go'), button('go')),
    ],
    [
      '/1/block_id',
      'block_id "x" already exists',
      section('a', { block_id: 'x' }),
      section('b', { block_id: 'x' }),
    ],
    [
      '/0/elements/0/confirm/text/type',
      'must be a valid enum value',
      actions(
        button('go', 'Go', {
          confirm: {
            title: text('Sure?'),
            text: { type: 'mrkdwn', text: '*Sure*?' },
            confirm: text('Yes'),
            deny: text('No'),
          },
        }),
      ),
    ],
    ['/0/elements/0', 'missing required field: options', select({})],
    [
      '/0/elements/0',
      'initial option is not one of the options',
      select({ options: [option('a', 'a')], initial_option: option('b', 'b') }),
    ],
    [
      '/0/elements/0/type',
      'unsupported type: rich_text_song',
      richText({ type: 'rich_text_song', elements: [] }),
    ],
    [
      '/0/elements/0/elements/0/text',
      'must be more than 0 characters',
      richText({ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }),
    ],
    ['/0/elements/0/type', 'unsupported type: plain_text_input', actions({ type: 'plain_text_input' })],
  ])('at %s: %s', ([pointer, complaint, ...blocks]) => {
    expect(complaints(blocks)).toContain(`${complaint} [json-pointer:/blocks${pointer}]`);
  });

  test('blocks that are no list, or too much text in all, with codes of their own', () => {
    expect(validateMessageBlocks({ type: 'section' })).toMatchObject({ error: 'invalid_blocks_format' });
    const blocks = many(5, () => section('a'.repeat(2_700)));
    expect(validateMessageBlocks(blocks)).toMatchObject({ error: 'msg_blocks_too_long' });
  });
});

describe('Slack refuses in a modal', () => {
  test.for([
    ['/submit/text', 25, (long: string) => ({ submit: text(long) })],
    ['/close/text', 25, (long: string) => ({ close: text(long) })],
    ['/private_metadata', 3_001, (long: string) => ({ private_metadata: long })],
    ['/callback_id', 256, (long: string) => ({ callback_id: long })],
  ] as const)('a text in %s of %i characters', ([pointer, less, changes]) => {
    expect(modalComplaints(changes('a'.repeat(less - 1)))).toEqual([]);
    expect(modalComplaints(changes('a'.repeat(less)))).toEqual([
      `must be less than ${less} characters [json-pointer:/view${pointer}]`,
    ]);
  });

  test.for<[pointer: string, complaint: string, changes: object]>([
    ['', 'missing required field: title', { title: undefined }],
    ['', 'must define `submit` to use an `input` block in modals', { submit: undefined }],
    ['/blocks', 'no more than 100 items allowed', { blocks: many(101, () => section('a')) }],
    ['', 'invalid additional property: submit_disabled', { submit_disabled: true }],
    ['/blocks/0/type', 'unsupported type: table', { blocks: [{ type: 'table', rows: [] }] }],
    ['/blocks/0/element/type', 'unsupported type: button', { blocks: [input('a', button('go'))] }],
    [
      '/blocks/0/element/max_length',
      'must be less than 3001',
      { blocks: [input('a', { type: 'plain_text_input', max_length: 3_001 })] },
    ],
    [
      '/blocks',
      'only one element can have focus_on_load',
      { blocks: many(2, (n) => input(`b${n}`, { type: 'plain_text_input', focus_on_load: true })) },
    ],
  ])('at %s: %s', ([pointer, complaint, changes]) => {
    expect(modalComplaints(changes)).toContain(`${complaint} [json-pointer:/view${pointer}]`);
  });
});
