import { describe, expect, test } from 'vitest';
import { isAnotherId, parseMention } from '../../../src/slack/features/read-mention.ts';

test.each([
  ['cancel A-1042.', 'A-1042'],
  ['cancel A&amp;B-1', 'A&B-1'],
  ['cancel `A-1042`', 'A-1042'],
  ['cancel *A-1042*', 'A-1042'],
  ['cancel #1042', '#1042'],
  ['cancel “A-1042”', 'A-1042'],
  ['cancel (A-1042)', 'A-1042'],
  ['cancel A(10)-42', 'A(10)-42'],
  ['cancel &lt;A-1042&gt;.', 'A-1042'],
  ['cancel the order A-1042', 'A-1042'],
  ['cancel order A', 'A'],
  ['please cancel my order A-1042, it is late', 'A-1042'],
  ['cancel <tel:4155550134|(415) 555-0134>', '415'],
  ['cancel <tel:4155550134|415-555-0134>', '415-555-0134'],
  ['cancel <http://a-1.shop|a-1.shop>', 'a-1.shop'],
  ['cancel <https://shop.example/A-1?a&amp;b|order A-1>', '<https://shop.example/A-1?a&b|order'],
  [', cancel A-1001', 'A-1001'],
  [': cancel A-1001', 'A-1001'],
  ['please, cancel A-1001', 'A-1001'],
  ['can you cancel A-1042?', 'A-1042'],
  ['Hi, could you please cancel order A-1042?', 'A-1042'],
  ['we would like to cancel the order A-1042', 'A-1042'],
  ['Cancel order: A-1001!', 'A-1001'],
  ['cancel, please: the order no. A-1001', 'A-1001'],
  ['cancel order number A-1001', 'A-1001'],
  ['cancel order # 1042 .', '1042'],
  ['*cancel order A-1001*', 'A-1001'],
  ['_cancel A-1001_', 'A-1001'],
  ['(cancel order A-1001)', 'A-1001'],
  ['*cancel* order A_1', 'A_1'],
  ['*cancel order* A_1', 'A_1'],
  ['&gt; cancel order A-1001', 'A-1001'],
  ['&gt;cancel A-1001', 'A-1001'],
  ['\n&gt; cancel order\n&gt; A-1001', 'A-1001'],
  ['```\ncancel order A-1001\n```', 'A-1001'],
  [':wave::skin-tone-2: cancel order :arrow_right: A-1001 :pray:', 'A-1001'],
  ['cancel the order with the number A-1001', 'A-1001'],
  ['cancel order № 1042', '1042'],
  ['cancel orders A-1001 and A-1002', 'A-1001'],
  ['cancel order:A-1001', 'A-1001'],
  ['cancel:A-1001', 'A-1001'],
  ['please cancel the order no.A-1001', 'A-1001'],
  ['cancel order Nr:4711', '4711'],
  ['cancel order id:<tel:4155550134|415-555-0134>', '415-555-0134'],
  ['cancel PO:1001', 'PO:1001'],
  ['cancel order:\n1. A-1001\n2. A-1002', 'A-1001'],
  ['cancel order:\n&gt; 1) A-1001', 'A-1001'],
  ['cancel order\n12.', '12'],
])('a message "%s" is about %s, as its person typed it', (text, target) => {
  expect(parseMention(`<@U0COUNTERMAND> ${text}`)).toMatchObject({ kind: 'cancel_order', target });
});

describe('behind the id', () => {
  const uuids = ['0b9f3c1e-7a52-4d1f-9a3e-1c2d3e4f5a6b', '7c1d2e3f-aa52-4bcd-8e3e-9c2d3e4f5a61'];
  const names = (text: string, settings: Parameters<typeof isAnotherId>[1]): string => {
    const asked = parseMention(`<@U0COUNTERMAND> ${text}`);
    return asked ? `${asked.target}${isAnotherId(asked, settings) ? ' and another' : ''}` : 'nothing';
  };

  test.each([
    'cancel A-1001 and A-1002',
    'cancel A-1001 A-1002 please',
    'cancel A-1001, A-1002 were ordered twice',
    'cancel orders A-1001 A-1002 A-1003 thanks',
    'cancel A-1001 also A-1004',
    'cancel my last orders A-1001 and a-1002',
    'cancel both A-1001 and A-1002',
    'cancel all orders A-1001, A-1002',
    'cancel A-1001 and my other order A-1002',
    'cancel order no. A-1001 and no. A-1002',
    'cancel A-1001 with A-1002',
  ])('another id, with and without a pattern: “%s”', (text) => {
    expect(names(text, {})).toBe('A-1001 and another');
    expect(names(text, { orderIdPattern: 'A-####' })).toBe('A-1001 and another');
  });

  test.each([
    ['cancel 1042 and 1043', '1042 and another'],
    ['cancel #1042, #1043', '#1042 and another'],
    ['cancel (A-1001, A-1002)', 'A-1001 and another'],
    ['cancel *A-1001 and A-1002*', '*A-1001 and another'],
    ['cancel 999 and 1000', '999 and another'],
    ['cancel A-1 and A-1002', 'A-1 and another'],
    ['cancel EU1001 and US999', 'EU1001 and another'],
    [`cancel ${uuids[0]}, ${uuids[1]}`, `${uuids[0]} and another`],
    ['cancel gid123abc, gid9f8e', 'gid123abc and another'],
    ['send offers 17 and 18', '17 and another'],
    ['cancel offer O-1 and O-22', 'O-1 and another'],
    ['cancel A-1001 &amp; A-1002', 'A-1001 and another'],
    ['cancel A-1001 + A-1002', 'A-1001 and another'],
    ['cancel order A-1001 and order: A-1002!', 'A-1001 and another'],
    ['cancel A-1001 (and A-1002).', 'A-1001 and another'],
    ['cancel A-1001 (A-1002)', 'A-1001 and another'],
    ['cancel orders:\n1. A-1001\n2. A-22', 'A-1001 and another'],
    ['cancel offer O-1 and offer O-2', 'O-1 and another'],
    ['cancel order A-1\ncancel order A-2', 'A-1 and another'],
    ['1. cancel order A-1\n2. cancel order A-2', 'A-1 and another'],
    ['cancel order A-1\nPlease cancel my order A-2, too', 'A-1 and another'],
    ['cancel order A-1 and cancel order A-2', 'A-1 and another'],
    ['cancel order A-1 and also A-2', 'A-1 and another'],
    ['cancel order A-1, please, and order no. A-2', 'A-1 and another'],
    ['cancel order A-1 and my order A-2', 'A-1 and another'],
    ['cancel order A-1\nand the order A-2', 'A-1 and another'],
    ['send offer O-1, and please send O-2', 'O-1 and another'],
    ['cancel offers O-1, or offers O-2', 'O-1 and another'],
    ['cancel orders A-1 and orders A-22', 'A-1 and another'],
    [
      'cancel <https://shop.example/orders/1>, <https://shop.example/orders/2>',
      'https://shop.example/orders/1 and another',
    ],
    ['cancel A-1\nA-2\nThank you', 'A-1 and another'],
  ])('another id, by the form of the first one: “%s”', (text, expected) => {
    expect(names(text, {})).toBe(expected);
  });

  test('another id, by the address of the workspace', () => {
    const settings = { orderAddress: 'https://shop.example/orders/{id}' };
    expect(names('cancel 7 and <https://shop.example/orders/abc1|abc1>', settings)).toBe('7 and another');
    expect(names('cancel abc1, <https://shop.example/orders/abc1|abc1>', settings)).toBe('abc1');
  });

  test.each([
    ['cancel A-1001 A-1001', 'A-1001'],
    ['cancel A-1001, a-1001', 'A-1001'],
    ['cancel #1042, 1042', '#1042'],
    ['cancel A-1001, 2 pieces', 'A-1001'],
    ['cancel A-1001 2024 model', 'A-1001'],
    ['cancel A-1001 covid-19 closure', 'A-1001'],
    ['cancel A-1001 T-shirt2 damaged', 'A-1001'],
    ['cancel A-1001 and https://tickets.example/T-9', 'A-1001'],
    ['cancel 1042, 12 pieces', '1042'],
    ['cancel my last order A-1001', 'A-1001'],
    ['cancel duplicate order A-1001', 'A-1001'],
    ['cancel her order A-1001', 'A-1001'],
    ['cancel A-1001 I want 3 instead', 'A-1001'],
    ['cancel 4711 for 77', '4711'],
    ['cancel everything except A-1001', 'everything'],
    ['cancel everything and A-1001', 'everything'],
    ['cancel A-1001, yes, A-1001, for customer 77', 'A-1001'],
    ['cancel order A-1001, as A-1002 was', 'A-1001'],
    ['cancel order A-1001 at once', 'A-1001'],
    ['cancel order 4711 ordered 3 days ago', '4711'],
    ['cancel 4711 for customer 77', '4711'],
    ['cancel 4711 for order 77', '4711'],
    ['cancel 4711 and hold it for 2 days', '4711'],
    ['cancel 4711 a 2nd time', '4711'],
    ['cancel order 4711 and ship it in 2 days', '4711'],
    ['cancel 4711, he ordered 2 of them', '4711'],
    ['cancel 4711 from 2026', '4711'],
    ['cancel A-1001 see T-9', 'A-1001'],
    ['cancel A-1042, we need 2 weeks', 'A-1042'],
    ['cancel A-1042 please, I need it 2 days earlier', 'A-1042'],
    ['cancel order A-1042, the 2 items are damaged', 'A-1042'],
    ['cancel A-1042, this 2nd time', 'A-1042'],
    ['cancel A-1042 I want 3 instead', 'A-1042'],
    ['cancel A-1042 and send 2 others', 'A-1042'],
    ['cancel A-1042, my nr 555 123', 'A-1042'],
    ['cancel <https://shop.example/A-1|order A-1>', '<https://shop.example/A-1|order'],
    ['cancel', ''],
  ])('no other id: “%s”', (text, expected) => {
    expect(names(text, {})).toBe(expected);
  });

  test('no other id, where the pattern says that the word is none', () => {
    expect(names('cancel 1042 and 77', { orderIdPattern: '####' })).toBe('1042');
    expect(names('cancel A-1001, 2024', { orderIdPattern: 'A-####' })).toBe('A-1001');
  });
});

test('punctuation right behind the mention does not belong to the question', () => {
  expect(parseMention('<@U0COUNTERMAND>:send offer O-1')).toEqual({ kind: 'send_offer', target: 'O-1' });
});

test.each([
  ['cancel the offer O-1', 'cancel_offer'],
  ['cancel offer:O-1', 'cancel_offer'],
  ['send offer:O-1', 'send_offer'],
])('“%s” is about an offer', (text, kind) => {
  expect(parseMention(`<@U0COUNTERMAND> ${text}`)).toEqual({ kind, target: 'O-1' });
});

test.each([
  'cancel order number',
  'cancel the order, please!',
  'cancel this order please',
  'cancel it',
  'cancel :pray:',
])('a message "%s" names no id', (text) => {
  expect(parseMention(text)).toEqual({ kind: 'cancel_order', target: '' });
});

// The bot would stand still meanwhile, for all workspaces.
test.each([
  ['that could be emoji', `cancel A-1001 ${':-:'.repeat(1_000)}a`, 'A-1001'],
  ['before a number', `cancel A-1001${'\n'.repeat(40_000)}${' '.repeat(40_000)}1`, 'A-1001'],
  ['before an id', `cancel ${'_'.repeat(40_000)}A-1001`, '_'.repeat(600)],
])('a long row of marks %s takes no time that grows out of bounds', (_, text, target) => {
  expect(parseMention(text)).toMatchObject({ kind: 'cancel_order', target });
});

test('a quoted message that asks for nothing is not read as a command', () => {
  expect(parseMention('&gt; when do you cancel A-1001?')).toBeUndefined();
});
