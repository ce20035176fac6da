/** The only links that are made of what somebody typed: none breaks out, and none makes another one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import { addressOf, ticketAddress } from '../../../src/requests/use-cases/addresses.ts';
import { recordableActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { section } from '../../../src/slack/blocks/text.ts';
import { outcomeModal } from '../../../src/slack/features/record-outcome.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import {
  linksText,
  quote,
  requestedBy,
  shortQuote,
  targetText,
} from '../../../src/slack/messages/sentences/request-words.ts';
import { anyText } from '../../support/any-text.ts';
import { answered, queued } from '../../support/requests/records.ts';
import { HOSTILE } from '../../support/typed/hostile.ts';

const ADDRESSES = {
  orderAddress: 'https://shop.example.com/orders/{id}?a=1&b=`|*x*',
  ticketHosts: ['desk.example.com'],
};

/** Characters that mean something to Slack or in an address, in any order. */
const MARKUP = fc.string({ unit: fc.constantFrom(...'<>|&*_~`:!@#^%?=\\"\' A1'), maxLength: 20 });
const TYPED = fc.oneof(MARKUP, anyText({ maxLength: 20 }), fc.constantFrom(...HOSTILE));

const linksIn = (shown: unknown) => drawnIn(shown).filter(({ kind }) => kind.startsWith('link to '));
const othersIn = (shown: unknown) =>
  drawnIn(shown)
    .filter(({ kind }) => !kind.startsWith('link to '))
    .map(({ text }) => text)
    .join('');

/** Two spellings of one address: a few characters that Slack would read are percent-encoded. */
const plainly = (address: string | undefined) =>
  address?.replace(/[|`*~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

describe('an id', () => {
  test('is one link with the id as its text, whatever it is, and nothing else becomes one', () => {
    fc.assert(
      fc.property(TYPED, (target) => {
        const address = addressOf({ kind: 'cancel_order', target }, ADDRESSES);
        const shown = section(`Before ${targetText({ kind: 'cancel_order', target }, ADDRESSES)} after.`);
        expect(linksIn(shown)).toEqual(
          address === undefined ? [] : [{ kind: `link to ${plainly(address)}`, text: target }],
        );
        if (address !== undefined) expect(othersIn(shown)).toBe('Before  after.');
      }),
      { numRuns: 500 },
    );
  });
});

test('the form to record an outcome links the order that has to be looked up', () => {
  const record = answered({ type: 'no_answer', why: 'timeout' });
  const addresses = { orderAddress: 'https://shop.example.com/o/{id}' };
  expect(linksIn(outcomeModal(record, recordableActions(record), undefined, addresses))).toEqual([
    { kind: 'link to https://shop.example.com/o/A-1001', text: 'A-1001' },
  ]);
});

describe('the link of a ticket', () => {
  test('leads to a listed host, or is left out', () => {
    const typed = fc.oneof(
      TYPED,
      TYPED.map((end) => `https://desk.example.com/${end}`),
      TYPED.map((end) => `https://desk.example.com${end}`),
      TYPED.map((end) => `https://${end}desk.example.com`),
    );
    fc.assert(
      fc.property(typed, (ticket) => {
        const read = ticketAddress(ticket, ADDRESSES);
        const links = linksText({ ...queued(), ticket }, { ticketHosts: ADDRESSES.ticketHosts });
        const shown = section(`Before ${links} after.`);
        const drawn = linksIn(shown);
        expect(drawn).toEqual(
          'address' in read ? [{ kind: `link to ${plainly(read.address)}`, text: 'Open the ticket' }] : [],
        );
        for (const { kind } of drawn)
          expect(new URL(kind.slice('link to '.length)).host).toBe('desk.example.com');
        expect(othersIn(shown)).toBe('Before  after.');
      }),
      { numRuns: 500 },
    );
  });

  test('stands on the card while its host is on the list, and in no channel that another company reads', () => {
    const record = { ...queued(), ticket: 'https://desk.example.com/t/1' };
    const links = (...shown: Parameters<typeof card>) => linksIn(card(...shown)).map(({ text }) => text);
    expect(links(record, ADDRESSES)).toEqual(['Look at order A-1001', 'Open the ticket']);
    expect(links(record, { ...ADDRESSES, ticketHosts: ['other.example.com'] })).toEqual([
      'Look at order A-1001',
    ]);
    expect(links(record)).toEqual([]);
    expect(links({ ...record, inSharedChannel: true }, ADDRESSES)).toEqual([]);
  });
});

test.each([quote, shortQuote])(
  'a reason of invisible characters alone is not shown: Slack takes no empty text',
  (shown) => {
    expect(shown({ reason: ' \u200f\u200b ', requester: 'UANA' })).toEqual([]);
    expect(shown({ reason: '\u200fA', requester: 'UANA' })).toHaveLength(1);
  },
);

test('the link to the message that a request is made from is one link, whatever its stored address has behind it', () => {
  fc.assert(
    fc.property(MARKUP, (end) => {
      const message = `https://acme.slack.com/archives/C1/p11?thread_ts=1.1&cid=C1${end}`;
      const links = linksIn(section(requestedBy({ ...queued(), message })));
      expect(links).toEqual([{ kind: `link to ${plainly(message)}`, text: 'this message' }]);
    }),
    { numRuns: 500 },
  );
});
