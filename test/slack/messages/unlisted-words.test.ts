/** The texts after the order service has answered with a status that the interface does not list. */
import { expect, test } from 'vitest';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { answered, event, said, T0 } from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';

const WORD = { status: 'accepted', word: 'cancelled' } as const;

/** The card after an answer, and after an event that came later. */
const cardAfter = (answer: Parameters<typeof answered>[0], then: Parameters<typeof event>[0]) =>
  shownIn(
    card(
      applyEvent(answered(answer), event({ createdAt: T0, updatedAt: T0 + 5_000, ...then }), T0 + 6_000)
        .record,
    ),
  );

test('a request that was under review is not said to be reviewed, nor the order not to be cancelled', () => {
  const shown = cardAfter(said('pending', T0), WORD);
  expect(shown).toContain('its event does not say what became of it');
  expect(shown).toContain('reports the status `cancelled`');
  expect(shown).not.toMatch(/not cancelled|reviewing|In review/);
});

test.each([
  ['denied', 'decided against it'],
  ['approved', 'cancelled the order'],
  ['canceled', 'cancelled the order'],
] as const)('a request that was %s: that is past, and no claim about the order', (status, deed) => {
  const shown = cardAfter(said(status, T0), WORD);
  expect(shown).toContain(`The order service ${deed}, but a newer event from the order service does not say`);
  expect(shown).toContain(':inbox_tray: Accepted');
  expect(shown).not.toMatch(/A-1001 is (not )?cancelled|· (Not c|C)ancelled|: (Not c|C)ancelled/);
});

test('a word that a decision follows says nothing any more', () => {
  const called = applyEvent(
    answered(said('pending', T0)),
    event({ ...WORD, updatedAt: T0 + 5_000 }),
    T0,
  ).record;
  const decided = applyEvent(called, event({ status: 'approved', updatedAt: T0 + 6_000 }), T0).record;
  expect(shownIn(card(decided))).toContain('A-1001* · :white_check_mark: Cancelled');
});

test('a review that is announced after an answer without a status takes the place of that', () => {
  const shown = cardAfter(said('accepted', T0), { topic: 'created', status: 'pending' });
  expect(shown).toContain('· In review');
  expect(shown).not.toContain('does not say');
});
