/** A card that Slack does not update, because its channel is archived or the bot is no member any more. */
import { expect, test } from 'vitest';
import type { UpdateResult } from '../../../src/outbox/delivery.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { CARD, cardOf, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { nextEffect } from '../../support/requests/advance-request.ts';
import { answered, event, queued, said, T0 } from '../../support/requests/records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ARCHIVED = { type: 'out_of_reach', code: 'is_archived' } as const;

const posted = (record: RequestRecord) =>
  withDelivery(record, CARD, () => ({ status: 'posted', channel: 'C1', ts: '1.0' }));

function updated(record: RequestRecord, result: UpdateResult, now: number): RequestRecord {
  const claim = {
    effect: 'update' as const,
    messageKey: CARD,
    owner: 'o',
    startedAt: now,
    expiresAt: now + 1,
  };
  return applyUpdate(record, CARD, result, { claim, rendered: record.revision, now, timings: TIMINGS });
}

const next = (record: RequestRecord, now: number) =>
  nextEffect(record, now, (effect) => 'messageKey' in effect && effect.messageKey === CARD);
const UPDATE = { type: 'effect', effect: { type: 'update', messageKey: CARD } };

test('ends the request as long as nothing was sent', () => {
  expect(updated(posted(queued()), ARCHIVED, T0)).toMatchObject({ state: 'not_sent' });
});

test('is updated each hour once it was sent, and at once when it changes; the reply goes to the thread', () => {
  const reviewed = updated(posted(answered(said('pending', T0))), ARCHIVED, T0);
  expect(cardOf(reviewed).delivery).toMatchObject({ status: 'posted' });
  expect(next(reviewed, T0 + HOUR - 1)).toMatchObject({ type: 'wait', until: T0 + HOUR });
  expect(next(reviewed, T0 + HOUR)).toEqual(UPDATE);
  const denied = applyEvent(reviewed, event({ status: 'denied', updatedAt: T0 + 5 }), T0 + 6).record;
  expect(denied.messages.at(-1)).toMatchObject({ type: 'reply', to: 'thread' });
  expect(next(denied, T0 + TIMINGS.apartMs)).toEqual(UPDATE);
});

test('is given up a week after the end of its request, or as soon as it is deleted', () => {
  const reviewed = posted(answered(said('pending', T0)));
  const ended = posted(answered(said('canceled', T0)));
  const fate = (record: RequestRecord) => cardOf(record).delivery.status;
  expect(fate(updated(reviewed, ARCHIVED, T0 + 80 * DAY))).toBe('posted');
  expect(fate(updated(ended, ARCHIVED, T0 + 6 * DAY))).toBe('posted');
  expect(fate(updated(ended, ARCHIVED, T0 + 8 * DAY))).toBe('given_up');
  expect(fate(updated(reviewed, { type: 'gone', code: 'message_not_found' }, T0))).toBe('given_up');
});
