import { describe, expect, test } from 'vitest';
import type { Delivery, UpdateResult } from '../../../src/outbox/delivery.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { isNote, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { withNote, withQuestionsOutdated } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { nextEffect } from '../../support/requests/advance-request.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0 } from '../../support/requests/records.ts';

const messageKey = 'reason_wanted:1';
const POSTED: Delivery = { status: 'posted', channel: 'D1', ts: '2.0' };

const withoutNotes = (record: RequestRecord): RequestRecord => ({
  ...record,
  messages: record.messages.filter((message) => !isNote(message)),
});

/** The question for a reason; the reason has been given since. */
function answered(delivery: Delivery): RequestRecord {
  const vote = { type: 'decided' as const, choice: 'no' as const, by: ['UANA'] };
  const declined = withoutNotes(decided(waitingRecord(), vote, T0, 'It ships today'));
  const asked = withNote(declined, { type: 'reason_wanted' }, T0);
  const told = withDelivery({ ...asked, revision: asked.revision + 1 }, messageKey, () => delivery);
  return withQuestionsOutdated(told, T0);
}

/** The next effect on the question; everything else is held back. */
const next = (record: RequestRecord, now = T0) =>
  nextEffect(record, now, (effect) => 'messageKey' in effect && effect.messageKey === messageKey);

function edited(record: RequestRecord, result: UpdateResult): RequestRecord {
  const claim = { effect: 'update' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
  return applyUpdate(record, messageKey, result, {
    claim,
    rendered: record.revision,
    now: T0,
    timings: TIMINGS,
  });
}

const UPDATE = { type: 'effect', effect: { type: 'update', messageKey } };

describe('a question that was answered', () => {
  test('is changed once', () => {
    const record = answered(POSTED);
    expect(next(record)).toEqual(UPDATE);
    expect(next(edited(record, { type: 'posted' }))).toMatchObject({ type: 'wait', until: undefined });
  });

  test('is changed later where Slack fails, or does not say, or asks to wait, or refuses', () => {
    for (const [result, ms] of [
      [{ type: 'later', code: 'internal_error' }, 1000],
      [{ type: 'doubtful', code: 'timeout' }, 1000],
      [{ type: 'later', code: 'ratelimited', retryAfterMs: 30_000 }, 30_000],
      [{ type: 'kept', code: 'edit_window_closed' }, 1000],
    ] as const) {
      const record = edited(answered(POSTED), result);
      expect(next(record)).toEqual({ type: 'wait', until: T0 + ms });
      expect(next(record, T0 + ms)).toEqual(UPDATE);
    }
  });

  test('is left alone where Slack says that it is gone', () => {
    const record = edited(answered(POSTED), { type: 'gone', code: 'message_not_found' });
    expect(next(record)).toMatchObject({ type: 'wait', until: undefined });
  });

  test('is looked for first where it may have been posted, and is no longer posted where it was not', () => {
    const times = { tries: 1, notBefore: T0 };
    const doubtful = answered({ status: 'doubtful', since: T0, until: T0, ...times });
    expect(next(doubtful)).toEqual({ type: 'effect', effect: { type: 'find', messageKey } });
    expect(next(answered({ status: 'owed', ...times }))).toMatchObject({ type: 'wait', until: undefined });
  });
});
