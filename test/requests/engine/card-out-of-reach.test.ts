/** A card, or an approval message, that Slack does not update: its channel is archived, or the bot is no member any more. */
import { describe, expect, test } from 'vitest';
import type { UpdateResult } from '../../../src/outbox/delivery.ts';
import { type Upkeep, updateAtOf } from '../../../src/outbox/message.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import { applyConfirmation } from '../../../src/requests/engine/confirm-votes.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { CARD, cardOf, messageNamed, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { placeRefused } from '../../../src/slack/messages/sentences/waiting-or-ended-texts.ts';
import { nextEffect } from '../../support/requests/advance-request.ts';
import { SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, event, queued, said, T0 } from '../../support/requests/records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ARCHIVED = { type: 'out_of_reach', code: 'is_archived' } as const;

const posted = (record: RequestRecord) =>
  withDelivery(record, CARD, () => ({ status: 'posted', channel: 'C1', ts: '1.0' }));

function updated(
  record: RequestRecord,
  result: UpdateResult,
  now: number,
  messageKey: string = CARD,
): RequestRecord {
  const claim = {
    effect: 'update' as const,
    messageKey,
    owner: 'o',
    startedAt: now,
    expiresAt: now + 1,
  };
  return applyUpdate(record, messageKey, result, { claim, rendered: record.revision, now, timings: TIMINGS });
}

const next = (record: RequestRecord, now: number) =>
  nextEffect(record, now, (effect) => 'messageKey' in effect && effect.messageKey === CARD);
const UPDATE = { type: 'effect', effect: { type: 'update', messageKey: CARD } };

describe('a card that Slack does not update before the call', () => {
  const ended = () => updated(posted(queued()), ARCHIVED, T0);

  test('ends the request, and the requester reads so directly', () => {
    expect(ended()).toMatchObject({ state: 'not_sent' });
    expect(ended().messages.at(-1)).toMatchObject({ type: 'reply', to: 'requester' });
  });

  test('shows that it has ended, at once or as soon as its channel is back', () => {
    expect(next(ended(), T0 + TIMINGS.apartMs)).toEqual(UPDATE);
    const again = updated(ended(), ARCHIVED, T0 + TIMINGS.apartMs);
    expect(again.steps).toHaveLength(ended().steps.length);
    expect(next(again, T0 + TIMINGS.apartMs + HOUR)).toEqual(UPDATE);
    const back = updated(again, { type: 'posted' }, T0 + TIMINGS.apartMs + HOUR);
    expect(next(back, T0 + DAY)).not.toEqual(UPDATE);
  });

  test('stays, too, where that is found as the votes on it are read, unless it was deleted', () => {
    const lost = (code: string, type: 'gone' | 'out_of_reach') => {
      const { state, ...record } = applyConfirmation(posted(waitingRecord()), [], { type, code }, T0 + 1);
      return [state, cardOf({ state, ...record }).delivery.status, record.messages.at(-1)?.to];
    };
    expect(lost('channel_not_found', 'out_of_reach')).toEqual(['not_sent', 'posted', 'requester']);
    expect(lost('message_not_found', 'gone')).toEqual(['not_sent', 'given_up', 'requester']);
  });

  test('is asked for in another channel, where one is archived', () => {
    expect(placeRefused(ended())).toBe('is_archived');
    expect(placeRefused(posted(queued()))).toBeUndefined();
  });
});

test('an approval message that is out of reach is updated each hour, up to a week after the end', () => {
  const apart = waitingRecord(SHOWN_APART);
  const at = { status: 'posted', channel: 'C2', ts: '2.0' } as const;
  const shown = withDelivery(posted(apart), 'approval:1', () => at);
  const archived = { type: 'out_of_reach', code: 'channel_archived' } as const;
  const withdrawn = transition(shown, { type: 'person', by: 'U1', action: 'withdraw' }, T0) as RequestRecord;
  const fate = (record: RequestRecord, now: number) => {
    const left = updated(record, archived, now, 'approval:1');
    return [left.state, messageNamed(left, 'approval:1').delivery.status];
  };
  expect(fate(withdrawn, T0 + DAY)).toEqual(['withdrawn', 'posted']);
  expect(fate(withdrawn, T0 + 8 * DAY)).toEqual(['withdrawn', 'given_up']);
  expect(fate(shown, T0 + DAY)).toEqual(['awaiting_approval', 'posted']);
  const nextAt = (record: RequestRecord) =>
    updateAtOf(messageNamed(record, 'approval:1').upkeep as Upkeep, record.revision);
  expect(nextAt(updated(withdrawn, archived, T0 + DAY, 'approval:1'))).toBe(T0 + DAY + HOUR);
  // The first one finds a problem of the approvers, which is a change: the second one is of that.
  const found = updated(shown, archived, T0, 'approval:1');
  const waits = updated(found, archived, T0 + 1_000, 'approval:1');
  expect(waits.approval?.problem).toBe('channel_archived');
  expect(nextAt(waits)).toBe(T0 + 1_000 + HOUR);
  expect(nextAt({ ...waits, revision: waits.revision + 1 })).toBe(T0 + 1_000 + TIMINGS.apartMs);
});

test('a card that Slack does not update is tried each hour once the request was sent, and at once when it changes; the reply goes to the thread', () => {
  const reviewed = updated(posted(answered(said('pending', T0))), ARCHIVED, T0);
  expect(cardOf(reviewed).delivery).toMatchObject({ status: 'posted' });
  expect(next(reviewed, T0 + HOUR - 1)).toMatchObject({ type: 'wait', until: T0 + HOUR });
  expect(next(reviewed, T0 + HOUR)).toEqual(UPDATE);
  const denied = applyEvent(reviewed, event({ status: 'denied', updatedAt: T0 + 5 }), T0 + 6).record;
  expect(denied.messages.at(-1)).toMatchObject({ type: 'reply', to: 'thread' });
  expect(next(denied, T0 + TIMINGS.apartMs)).toEqual(UPDATE);
});

test('a card that Slack does not update is given up a week after the end of its request, or as soon as it is deleted', () => {
  const reviewed = posted(answered(said('pending', T0)));
  const ended = posted(answered(said('canceled', T0)));
  const fate = (record: RequestRecord) => cardOf(record).delivery.status;
  expect(fate(updated(reviewed, ARCHIVED, T0 + 80 * DAY))).toBe('posted');
  expect(fate(updated(ended, ARCHIVED, T0 + 6 * DAY))).toBe('posted');
  expect(fate(updated(ended, ARCHIVED, T0 + 8 * DAY))).toBe('given_up');
  expect(fate(updated(reviewed, { type: 'gone', code: 'message_not_found' }, T0))).toBe('given_up');
});
