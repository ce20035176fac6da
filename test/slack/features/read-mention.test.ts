import { expect, test } from 'vitest';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { idOf, readCommand } from '../../../src/slack/features/read-mention.ts';
import { KIND_COPY } from '../../../src/slack/messages/sentences/request-words.ts';

/** The form that a text asks for, where no pattern of ids is set. */
function parsed(text: string) {
  const command = readCommand(text);
  return command && { kind: command.kind, target: idOf(command, {}) };
}

test.each(KIND_NAMES)('what the help says to write for %s is understood', (kind) => {
  expect(parsed(`${KIND_COPY[kind].verb} X-1`)).toEqual({ kind, target: 'X-1' });
});

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
  ['cancel order 4711 from PO-77', '4711'],
  ['cancel A-1042, the customer has an offer', 'A-1042'],
  ['cancel <https://offer.example/A-1042>', 'A-1042'],
  ['cancel <https://shop.example/A-1042|this order> of <@U1|ana7> in <#C1|desk2>', 'A-1042'],
  ['cancel (4711, 4712)', '4711'],
  ['(cancel order 4711)', '4711'],
  ['*cancel order 4711*.', '4711'],
  ["cancel A-1042's order", 'A-1042'],
  ['please cancel my order A-1042, it is late', 'A-1042'],
  ['cancel <tel:4155550134|(415) 555-0134>', '415'],
  ['cancel <tel:4155550134|415-555-0134>', '415-555-0134'],
  ['cancel <http://a-1.shop|a-1.shop>', 'a-1.shop'],
  ['cancel <https://shop.example/A-1?a&amp;b|order A-1>', 'A-1'],
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
  ['cancel both A-1001 and A-1002', 'A-1001'],
  ['cancel (A-1001, A-1002)', 'A-1001'],
  ['cancel A-1\nA-2\nThank you', 'A-1'],
  ['cancel everything except A-1001', 'A-1001'],
  ['cancel order:A-1001', 'A-1001'],
  ['cancel:A-1001', 'A-1001'],
  ['please cancel the order no.A-1001', 'A-1001'],
  ['cancel order Nr:4711', '4711'],
  ['cancel order id:<tel:4155550134|415-555-0134>', '415-555-0134'],
  ['cancel PO:1001', 'PO:1001'],
  ['cancel order:\n1. A-1001\n2. A-1002', 'A-1001'],
  ['cancel order:\n&gt; 1) A-1001', 'A-1001'],
  ['cancel order\n12.', '12'],
  ['cancel A-1042(2)', 'A-1042(2)'],
  ['cancel A-1042/7', 'A-1042/7'],
  ['cancel EU:A-1042', 'EU:A-1042'],
  ['cancel R&amp;D-1001', 'R&D-1001'],
  ['cancel A-1,A-2', 'A-1'],
  ['cancel <https://desk.example/ZD-881|A-1001>', 'A-1001'],
  ['cancel https://shop.example/A-1042', 'A-1042'],
  ['cancel <http://shop.example/orders/A-1042|shop.example/orders/A-1042>', 'A-1042'],
  ['cancel order:<https://shop.example/A-1042|A-1042>', 'A-1042'],
  ['cancel &lt;4711&gt;', '4711'],
  ['cancel &lt;A-1042(2)&gt;', 'A-1042(2)'],
  ['cancel \u200eA-10\u00ad01\u200b', 'A-1001'],
  ['\u200ecancel\u2060\norder:\u200eA-1001', 'A-1001'],
])('a message "%s" is about %s, as its person typed it', (text, target) => {
  expect(parsed(`<@U0COUNTERMAND> ${text}`)).toMatchObject({ kind: 'cancel_order', target });
});

test.each([
  ['cancel order A-1042(2)', 'A-*', 'A-1042(2)'],
  ['cancel the order ABC-DEFG, please', '@@@-@@@@', 'ABC-DEFG'],
  ['cancel 2 orders, #A-1001 first', 'A-####', 'A-1001'],
  ['cancel A-100', 'A-####', 'A-100'],
  ['cancel #a-1001', 'A-####', 'A-1001'],
  ['cancel 2 orders: <https://shop.example/A-1001>', 'A-####', 'A-1001'],
  ['cancel the order, please', 'ORD*', ''],
  ['cancel <https://desk.example/A-1002|order a-1001>', 'A-####', 'A-1001'],
])('“%s” is read by the pattern %s', (text, orderIdPattern, target) => {
  const command = readCommand(text);
  expect(command && idOf(command, { orderIdPattern })).toBe(target);
});

test('an id in an address of the workspace needs no digit', () => {
  const command = readCommand('cancel 1 order: <https://shop.example/orders/ABC|this one>');
  const settings = { orderAddress: 'https://shop.example/orders/{id}' };
  expect(command && idOf(command, settings)).toBe('ABC');
});

test('punctuation right behind the mention does not belong to the question', () => {
  expect(parsed('<@U0COUNTERMAND>:send offer O-1')).toEqual({ kind: 'send_offer', target: 'O-1' });
});

test.each([
  ['cancel the offer O-1', 'cancel_offer'],
  ['cancel offer:O-1', 'cancel_offer'],
  ['cancel _offer_ O-1', 'cancel_offer'],
  ['send offer:O-1', 'send_offer'],
])('“%s” is about an offer', (text, kind) => {
  expect(parsed(`<@U0COUNTERMAND> ${text}`)).toEqual({ kind, target: 'O-1' });
});

test.each([
  'cancel order number',
  'cancel the order, please!',
  'cancel this order please',
  'cancel it',
  'cancel :pray:',
])('a message "%s" names no id', (text) => {
  expect(parsed(text)).toEqual({ kind: 'cancel_order', target: '' });
});

// The bot would stand still meanwhile, for all workspaces.
test.each([
  ['that could be emoji', `cancel A-1001 ${':-:'.repeat(1_000)}a`, 'A-1001'],
  ['before a number', `cancel A-1001${'\n'.repeat(40_000)}${' '.repeat(40_000)}1`, 'A-1001'],
  ['before an id', `cancel ${'_'.repeat(1_500)}A-1001`, 'A-1001'],
  ['in a word', `cancel ${'_*'.repeat(900)}1_*1`, '1_*1'],
  ['of links', `cancel A-1 ${'<1|'.repeat(13_000)}`, 'A-1'],
  ['of brackets', `cancel ${'('.repeat(1_500)}1`, ''],
  ['of words before the verb', `${'i '.repeat(900)}cancel`, ''],
])('a long row of marks %s takes no time that grows out of bounds', (_, text, target) => {
  expect(parsed(text)).toMatchObject({ kind: 'cancel_order', target });
});

test.each([
  '&gt; when do you cancel A-1001?',
  'cancellation of A-1001',
  'не cancel A-1001',
  'please send A-1001',
])('a message that asks for nothing is not read as a command: %s', (text) => {
  expect(readCommand(text)).toBeUndefined();
});
