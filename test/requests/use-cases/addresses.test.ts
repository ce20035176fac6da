import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Addresses,
  addressOf,
  idMeant,
  idsInMessage,
  templateProblem,
  ticketAddress,
} from '../../../src/requests/use-cases/addresses.ts';
import { targetProblem } from '../../../src/requests/use-cases/input.ts';
import { anyText } from '../../support/any-text.ts';

const ADDRESSES: Addresses = {
  orderAddress: 'https://shop.example.com/orders/{id}',
  offerAddress: 'https://shop.example.com:8443/o-{id}.html?tab=all#top',
  ticketHosts: ['desk.example.com', 'tickets.example.com:8443'],
};

const order = (target: string) => addressOf({ kind: 'cancel_order', target }, ADDRESSES);

describe('the template of an address', () => {
  test.each([
    ['https://shop.example.com/orders/{id}', undefined],
    ['https://shop.example.com/{id}/items?view=1#top', undefined],
    ['https://shop.example.com/orders', 'no_id'],
    ['https://shop.example.com/{id}/{id}', 'no_id'],
    ['https://shop.example.com/orders?id={id}', 'no_id'],
    ['https://shop.example.com/#/orders/{id}', 'no_id'],
    ['https://{id}.example.com/', 'no_id'],
    ['http://shop.example.com/{id}', 'not_https'],
    ['javascript:alert({id})', 'not_https'],
    ['https://ana:secret@shop.example.com/{id}', 'has_credentials'],
    ['https://shop.example.com@evil.example/{id}', 'has_credentials'],
    ['shop.example.com/{id}', 'not_an_address'],
    ['https://shop.example.com/{id} or more', 'not_an_address'],
    [`https://shop.example.com/${'x'.repeat(500)}/{id}`, 'not_an_address'],
  ])('%s: %s', (typed, problem) => {
    expect(templateProblem(typed)).toBe(problem);
  });
});

describe('the address of an order or offer', () => {
  test('has the id as one part of its path', () => {
    expect(order('A-1001')).toBe('https://shop.example.com/orders/A-1001');
    expect(order('A 1?x=#&')).toBe('https://shop.example.com/orders/A%201%3Fx%3D%23%26');
    expect(addressOf({ kind: 'send_offer', target: 'O-1' }, ADDRESSES)).toBe(
      'https://shop.example.com:8443/o-O-1.html?tab=all#top',
    );
  });

  test('is not known without a template, or with one that is not valid', () => {
    expect(addressOf({ kind: 'cancel_order', target: 'A-1' }, {})).toBeUndefined();
    expect(
      addressOf({ kind: 'cancel_order', target: 'A-1' }, { orderAddress: 'http://x.example/{id}' }),
    ).toBeUndefined();
  });

  test('is left out if it would be too long to be shown', () => {
    expect(order('\u{1F4E6}'.repeat(60))).toHaveLength('https://shop.example.com/orders/'.length + 60 * 12);
    const orderAddress = `https://shop.example.com/${'x'.repeat(460)}/{id}`;
    const made = (target: string) => addressOf({ kind: 'cancel_order', target }, { orderAddress });
    expect(made(`${'\u{1F4E6}'.repeat(42)}1234567890`)).toHaveLength(1_000);
    expect(made(`${'\u{1F4E6}'.repeat(42)}12345678901`)).toBeUndefined();
  });

  test('keeps its host and the other parts of its path, whatever the id', () => {
    const ids = fc.oneof(
      anyText({ maxLength: 20 }),
      fc.constantFrom('..', '.', '%2e%2E', '../x', 'a/../b', '@evil.example'),
    );
    fc.assert(
      fc.property(ids, (target) => {
        const address = order(target);
        if (targetProblem(target)) {
          expect(address).toBeUndefined();
          return;
        }
        const { origin, pathname, search, hash } = new URL(address ?? '');
        const [, first, id = '', ...more] = pathname.split('/');
        expect({ origin, first, id: decodeURIComponent(id), more, search, hash }).toEqual({
          origin: 'https://shop.example.com',
          first: 'orders',
          id: target,
          more: [],
          search: '',
          hash: '',
        });
      }),
    );
  });
});

describe('what a person means by an id', () => {
  const meant = (typed: string) => idMeant('cancel_order', typed, ADDRESSES);

  test.each([
    ['https://shop.example.com/orders/A-1001', 'A-1001'],
    ['https://SHOP.example.com/orders/A%201/?tab=items#top', 'A 1'],
    ['<https://shop.example.com/orders/A-1001>', 'A-1001'],
    ['<https://shop.example.com/orders/A-1001?a=1&amp;b=2|the order>', 'A-1001'],
    ['A-1001', 'A-1001'],
    ['https://shop.example.com/orders/', 'https://shop.example.com/orders/'],
    ['https://shop.example.com/orders/A-1/items', 'https://shop.example.com/orders/A-1/items'],
    ['https://shop.example.com/orders/..%2Fadmin', 'https://shop.example.com/orders/..%2Fadmin'],
    ['https://shop.example.com/orders/%E0%A4%A', 'https://shop.example.com/orders/%E0%A4%A'],
    ['https://evil.example/orders/A-1001', 'https://evil.example/orders/A-1001'],
    ['https://shop.example.com@evil.example/orders/A-1', 'https://shop.example.com@evil.example/orders/A-1'],
    ['http://shop.example.com/orders/A-1001', 'http://shop.example.com/orders/A-1001'],
  ])('%s: %s', (typed, id) => {
    expect(meant(typed)).toBe(id);
  });

  test('is a number without its sign where ids of orders look so, and an offer keeps it', () => {
    const settings = { ...ADDRESSES, orderIdPattern: '####' };
    expect(idMeant('cancel_order', ' “#1042”,', settings)).toBe('1042');
    expect(idMeant('send_offer', '#1042', settings)).toBe('#1042');
  });

  test('is in an address with the query of the template, where that has one', () => {
    const read = (address: string) => idMeant('send_offer', address, ADDRESSES);
    expect(read('https://shop.example.com:8443/o-7.html?tab=all')).toBe('7');
    const other = 'https://shop.example.com:8443/o-7.html?tab=drafts';
    expect(read(other)).toBe(other);
  });

  test('is the id of whatever address the template makes, for orders and for offers', () => {
    const ids = anyText({ maxLength: 20 }).filter((id) => id === id.trim() && !targetProblem(id));
    fc.assert(
      fc.property(ids, fc.constantFrom('cancel_order' as const, 'send_offer' as const), (target, kind) => {
        const address = addressOf({ kind, target }, ADDRESSES) ?? '';
        expect(idMeant(kind, address, ADDRESSES)).toBe(target);
      }),
    );
  });

  test('is found in a message, beside other ids, each once', () => {
    const text =
      'About <https://shop.example.com/orders/77|my order>, A-1001 and https://shop.example.com/orders/A-1001.';
    expect(idsInMessage('cancel_order', text, ADDRESSES)).toEqual(['77', 'A-1001']);
    expect(idsInMessage('cancel_order', text, { ...ADDRESSES, orderIdPattern: 'B-#' })).toEqual([
      '77',
      'A-1001',
    ]);
    expect(idsInMessage('cancel_order', 'https://evil.example/orders/77', ADDRESSES)).toEqual([]);
  });

  test.each(['\u200e', '\u200b', '\u2060', '\u00ad', '\u202a'])(
    'is found beside an invisible character (%j), with which it was copied, or with one inside',
    (mark) => {
      const text = `Please cancel ${mark}A-1001${mark}, but keep\nA-10${mark}00`;
      for (const orderIdPattern of [undefined, 'A-####'])
        expect(idsInMessage('cancel_order', text, { orderIdPattern })).toEqual(['A-1001', 'A-1000']);
      const address = `https://shop.example.com/orders/77${mark}`;
      expect(idsInMessage('cancel_order', address, ADDRESSES)).toEqual(['77']);
    },
  );

  test('are few, however many a message holds', () => {
    const ids = Array.from({ length: 60 }, (_, n) => `A-${n}`);
    expect(idsInMessage('cancel_order', ids.join(' '), ADDRESSES)).toEqual(ids.slice(0, 20));
  });

  test('is not the beginning of one where a long text is cut', () => {
    const start = 'A-7 '.padEnd(40_000 - 5);
    expect(idsInMessage('cancel_order', `${start}A-1001`, ADDRESSES)).toEqual(['A-7']);
    const address = 'https://shop.example.com/orders/1001';
    const cut = 'A-7 '.padEnd(40_000 - address.length + 2);
    expect(idsInMessage('cancel_order', `${cut}${address}`, ADDRESSES)).toEqual(['A-7']);
  });

  test('as many as a form has room for', () => {
    const address = (n: number) => `https://shop.example.com/orders/${n}${'%22'.repeat(80)}`;
    const ids = idsInMessage(
      'cancel_order',
      Array.from({ length: 20 }, (_, n) => address(n)).join(' '),
      ADDRESSES,
    );
    expect(ids.length).toBeGreaterThan(5);
    expect(JSON.stringify(ids).length).toBeLessThanOrEqual(2_001);
  });
});

describe('the address of a ticket', () => {
  test.each([
    ['https://desk.example.com/t/1?x=1#2', { address: 'https://desk.example.com/t/1?x=1#2' }],
    ['https://DESK.example.com/t/1', { address: 'https://desk.example.com/t/1' }],
    ['https://tickets.example.com:8443/1', { address: 'https://tickets.example.com:8443/1' }],
    ['https://tickets.example.com/1', { problem: 'other_host' }],
    ['https://desk.example.com.evil.example/t/1', { problem: 'other_host' }],
    ['https://evil.example/desk.example.com', { problem: 'other_host' }],
    ['https://evil.example\\@desk.example.com/', { problem: 'other_host' }],
    ['https://desk.example.com@evil.example/', { problem: 'has_credentials' }],
    ['https://:secret@desk.example.com/', { problem: 'has_credentials' }],
    ['http://desk.example.com/t/1', { problem: 'not_https' }],
    ['javascript:alert(1)//desk.example.com', { problem: 'not_https' }],
    ['desk.example.com/t/1', { problem: 'not_an_address' }],
    [`https://desk.example.com/${'x'.repeat(500)}`, { problem: 'too_long' }],
    // The card would not show the address that is stored, because that is longer.
    [`https://desk.example.com/${'ü'.repeat(80)}`, { problem: 'too_long' }],
  ])('%s', (typed, expected) => {
    expect(ticketAddress(typed, ADDRESSES)).toEqual(expected);
  });
});
