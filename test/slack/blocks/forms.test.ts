/** Forms declared as data: how they are drawn and read, and what a click on a request keeps. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { option, select, text } from '../../../src/slack/blocks/fields.ts';
import {
  asJson,
  button,
  buttonRow,
  CLICKED,
  form,
  plainModal,
  readRef,
  refOf,
  validMoment,
  withBlocks,
  withErrors,
} from '../../../src/slack/blocks/forms.ts';
import { section } from '../../../src/slack/blocks/text.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';

const FIELDS = {
  order: text('order_id', { label: 'Order', wrong: (value) => (value === '' ? 'Type an id.' : undefined) }),
  colour: select('colour_id', { label: 'Colour', options: { red: 'Red', blue: 'Blue' } }),
};
const FORM = form('callback', FIELDS, asJson(z.object({ shown: z.number() })));
const BLOCKS = [FIELDS.order.block(), FIELDS.colour.block()];

const values = {
  order_id: { order_id: { value: ' A-1 ' } },
  colour_id: { colour_id: { selected_option: option('blue', 'Blue') } },
};

describe('a form', () => {
  const view = FORM.view({ title: 'A title', submit: 'Send', blocks: BLOCKS }, { shown: 7 });

  test('is drawn with what it is about, and a button to close it', () => {
    expect(view).toMatchObject({
      type: 'modal',
      callback_id: 'callback',
      private_metadata: '{"shown":7}',
      title: { text: 'A title' },
      submit: { text: 'Send' },
      close: { text: 'Close' },
      blocks: BLOCKS,
    });
    const closed = FORM.view(
      { title: 'A title', submit: 'Send', close: 'Keep it', blocks: [] },
      { shown: 7 },
    );
    expect(closed.close?.text).toBe('Keep it');
  });

  test('without anything to be about has no metadata', () => {
    expect(
      form('callback', {}).view({ title: 'A', submit: 'B', blocks: [] }, undefined).private_metadata,
    ).toBe('');
  });

  test('is read by the names of its fields', () => {
    const read = FORM.read({ private_metadata: '{"shown":7}', state: { values } });
    expect(read).toEqual({ values: { order: 'A-1', colour: 'blue' }, about: { shown: 7 } });
    expect(FORM.readAbout('{"shown":8}')).toEqual({ shown: 8 });
  });

  test.each([
    ['a field is missing', { order_id: values.order_id }, '{"shown":7}'],
    [
      'an option was never offered',
      { ...values, colour_id: { colour_id: { selected_option: option('green', 'G') } } },
      '{"shown":7}',
    ],
    ['the metadata is of another form', values, '{"other":7}'],
    ['the metadata is no JSON', values, 'seven'],
  ])('that is another one is a fault: %s', (_what, given, private_metadata) => {
    expect(() => FORM.read({ private_metadata, state: { values: given } })).toThrow();
  });

  test('may say what it is about if its metadata is unreadable', () => {
    const lenient = form('callback', {}, asJson(z.object({ shown: z.number() }), { shown: 0 }));
    expect(['{"shown":7}', '{}', 'seven'].map(lenient.readAbout)).toEqual([
      { shown: 7 },
      { shown: 0 },
      { shown: 0 },
    ]);
  });

  test('shows each mistake at its field, and nothing at the others', () => {
    expect(FORM.mistakes({ order: '', colour: 'red' })).toEqual({ order_id: 'Type an id.' });
    expect(FORM.mistakes({ order: 'A', colour: 'red' })).toEqual({});
    expect(FORM.at({ colour: 'No.', order: undefined })).toEqual({ colour_id: 'No.' });
  });

  test('that is drawn again has each mistake beneath its field', () => {
    const drawn = withErrors(view, { order_id: 'Type an id.' });
    expect(drawn.blocks).toEqual([BLOCKS[0], section(':warning: Type an id.'), BLOCKS[1]]);
    expect(withErrors(view, {})).toEqual(view);
  });

  test('with other blocks keeps everything else, and gets no button that it did not have', () => {
    const blocks = [section('Other')];
    expect(withBlocks({ ...view, callback_id: 'callback', private_metadata: 'm' }, blocks)).toEqual({
      ...view,
      private_metadata: 'm',
      blocks,
    });
    const { title } = view;
    const bare = { callback_id: 'c', private_metadata: 'm', title, submit: null, close: null, blocks: [] };
    expect(withBlocks(bare, blocks)).toEqual({
      type: 'modal',
      callback_id: 'c',
      private_metadata: 'm',
      title,
      blocks,
    });
  });
});

test('a modal without a form has nothing to submit', () => {
  expect(plainModal('A title', [])).toEqual({
    type: 'modal',
    title: { type: 'plain_text', text: 'A title', emoji: false },
    close: { type: 'plain_text', text: 'Close', emoji: false },
    blocks: [],
  });
});

test('a button has only what it is given', () => {
  expect(button('act', 'Act')).toEqual({
    type: 'button',
    action_id: 'act',
    text: { type: 'plain_text', text: 'Act', emoji: false },
  });
  const confirm = { title: 'Sure?', text: 'It is gone then.', yes: 'Do it', no: 'Keep it' };
  expect(button('act', 'Act', { value: '', style: 'danger', spoken: 'Act on A-1', confirm })).toMatchObject({
    value: '',
    style: 'danger',
    accessibility_label: 'Act on A-1',
    confirm: {
      title: { text: 'Sure?' },
      text: { text: 'It is gone then.' },
      confirm: { text: 'Do it' },
      deny: { text: 'Keep it' },
    },
  });
});

test('no buttons make no row, because Slack takes no empty one', () => {
  expect(buttonRow([])).toEqual([]);
  expect(buttonRow([button('act', 'Act')])).toMatchObject([
    { type: 'actions', elements: [{ action_id: 'act' }] },
  ]);
});

describe('a reference to a request', () => {
  const record = waitingRecord();

  test('holds what the person saw of it', () => {
    expect(readRef(refOf(record))).toEqual({
      id: record.id,
      seen: { call: 0, round: 1, state: 'awaiting_approval' },
    });
  });

  test('is kept by a form with the moment of the click, if Slack told it', () => {
    const ref = readRef(refOf(record));
    for (const moment of [1_700_000_000_123_456, undefined])
      expect(CLICKED.read(CLICKED.write({ ref, moment }))).toEqual({ ref, moment });
  });

  test.each(['', 'nothing', 'a b c', '::::'])(
    'that is not ours (%j) names no request, and throws nothing',
    (text) => {
      const { ref, moment } = CLICKED.read(text);
      expect(ref.id).not.toBe(record.id);
      expect(moment).toBeUndefined();
    },
  );
});

test.each([
  [1, 1],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [Number.MAX_SAFE_INTEGER + 1, undefined],
  [0, undefined],
  [-1, undefined],
  [0.5, undefined],
  [Number.NaN, undefined],
])('%d is the moment of a click: %s', (number, moment) => {
  expect(validMoment(number)).toBe(moment);
});
