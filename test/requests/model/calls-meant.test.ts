/** Which call of a request an event is about: by the service's times, which may be late, and of another clock. */
import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { answered, event, said, T0 } from '../../support/requests/records.ts';

const LOST: Answer = { type: 'no_answer', why: 'timeout' };
const SECOND = 60;
const at = (seconds: number): number => T0 + seconds * 1_000;

/** The first call timed out, a person had it sent again after so many seconds, and that got this answer. */
function sentAgain(answer: Answer, begun = SECOND): RequestRecord {
  const act = { type: 'person', by: 'U1', action: 'not_received' } as const;
  const again = transition(answered(LOST), act, at(begun));
  if (!again) throw new Error('It cannot be sent again.');
  const by = { owner: 'o', startedAt: at(begun), expiresAt: at(begun + 60) };
  const { claim: _over, ...next } = applyCallResult(
    claimEffect(again, { type: 'call' }, by),
    answer,
    2,
    at(begun + 1),
  ).record;
  return next;
}

type Status = 'approved' | 'denied' | 'pending' | 'accepted';
type Seconds = { created: number; updated: number };

function told(record: RequestRecord, status: Status, { created, updated }: Seconds): RequestRecord {
  const times = { createdAt: at(created), updatedAt: at(updated), arrivedAt: at(updated + 0.5) };
  const word = status === 'accepted' ? { word: 'ESCALATED' } : {};
  return applyEvent(record, event({ status, ...word, ...times }), at(updated + 0.5)).record;
}

/** The service took the first call after so many seconds, which is why that timed out. */
const TAKEN = 8;

describe('an event about the first call, whose time the service never told,', () => {
  test.each(['denied', 'pending'] as const)(
    'does not take back that the second one was approved: %s',
    (status) => {
      const approved = sentAgain(said('approved', at(SECOND + 0.3)));
      expect(told(approved, status, { created: TAKEN, updated: 150 }).state).toBe('approved');
    },
  );

  test('does not take back that an event approved the second one', () => {
    const review = sentAgain(said('pending', at(SECOND + 0.3)));
    const approved = told(review, 'approved', { created: SECOND + 0.3, updated: 140 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: TAKEN, updated: 150 }).state).toBe('approved');
  });

  test('is known by the clock of the service, which the second call shows', () => {
    const ahead = 240;
    const approved = sentAgain(said('approved', at(SECOND + ahead)));
    const denied = told(approved, 'denied', { created: TAKEN + ahead, updated: 150 + ahead });
    expect(denied.state).toBe('approved');
  });

  test('gives its time to that call: the next one about the other call leaves it', () => {
    const approved = told(sentAgain(LOST), 'approved', { created: TAKEN, updated: 90 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: SECOND + 5, updated: 150 }).state).toBe('approved');
  });
});

describe('two events with one time of creation are about one call', () => {
  test('a denial takes back the approval, once a late answer has told which call that was', () => {
    const approved = told(sentAgain(LOST), 'approved', { created: TAKEN, updated: 90 });
    const late = applyCallResult(approved, said('pending', at(TAKEN)), 1, at(100)).record;
    expect(told(late, 'denied', { created: TAKEN, updated: 150 }).state).toBe('denied');
  });

  test('a late answer of the first call gives it the event that was taken for one about the second call', () => {
    const ahead = SECOND;
    const review = told(sentAgain(LOST), 'pending', { created: ahead, updated: ahead + 20 });
    const late = applyCallResult(review, said('approved', at(ahead)), 1, at(130)).record;
    expect([review.state, late.state]).toEqual(['under_review', 'under_review']);
    const approved = told(late, 'approved', { created: ahead, updated: ahead + 80 });
    expect(told(approved, 'denied', { created: SECOND + ahead, updated: ahead + 90 }).state).toBe('approved');
  });

  test('also where the clock of the service is behind', () => {
    const approved = told(sentAgain(LOST, 103), 'approved', { created: 73.5, updated: 74 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: 73.5, updated: 94 }).state).toBe('denied');
  });
});

describe('a denial of the first call', () => {
  test('does not end the review of the second one', () => {
    const review = sentAgain(said('pending', at(SECOND)));
    expect(told(review, 'denied', { created: 0, updated: 90 }).state).toBe('under_review');
  });

  test('does not end the wait for what becomes of the second one, which the service took', () => {
    const taken = sentAgain(said('accepted', at(SECOND)));
    const denied = told(taken, 'denied', { created: 0, updated: 90 });
    expect(denied.state).toBe('under_review');
    expect(told(denied, 'denied', { created: SECOND, updated: 100 }).state).toBe('denied');
  });

  test('does not end that wait either where only an unlisted word tells of the second one', () => {
    const taken = told(sentAgain(LOST), 'accepted', { created: SECOND, updated: 80 });
    expect(told(taken, 'denied', { created: 0, updated: 90 })).toMatchObject({
      state: 'under_review',
      word: 'ESCALATED',
    });
  });

  test('leaves the outcome unknown where it takes back an approval, and the service took the second one', () => {
    const approved = told(sentAgain(said('accepted', at(SECOND))), 'approved', { created: 0, updated: 90 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: 0, updated: 100 }).state).toBe('unknown');
  });

  test('leaves alone what a person has recorded since the service took the second one', () => {
    const act = { type: 'person', by: 'U1', action: 'approved' } as const;
    const recorded = transition(sentAgain(said('accepted', at(SECOND))), act, at(80));
    if (!recorded) throw new Error('Nothing was recorded.');
    const denied = told(recorded, 'denied', { created: 0, updated: 90 });
    expect([denied.state, denied.steps.length]).toEqual(['approved', recorded.steps.length]);
  });

  test('does not end that review either where it takes back an approval', () => {
    const review = sentAgain(said('pending', at(SECOND)));
    const approved = told(review, 'approved', { created: 0, updated: 20 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: 0, updated: 30 }).state).toBe('under_review');
  });
});

describe('what is known of one call holds against older words about the other', () => {
  test('an event that is older than the last one about the second call', () => {
    const denied = told(sentAgain(said('pending', at(SECOND))), 'denied', { created: SECOND, updated: 150 });
    expect(told(denied, 'pending', { created: TAKEN, updated: 140 }).state).toBe('denied');
  });

  test('a late answer to the first call, once the second one was answered', () => {
    const review = sentAgain(said('pending', at(SECOND)));
    const late = applyCallResult(review, said('denied', at(TAKEN)), 1, at(100)).record;
    expect(late.state).toBe('under_review');
  });

  test('a late answer, behind an event that names no time', () => {
    const denied = applyEvent(answered(LOST), event({ status: 'denied' }), at(50)).record;
    expect(denied.state).toBe('denied');
    expect(applyCallResult(denied, said('pending', at(0)), 1, at(100)).record.state).toBe('denied');
  });

  test('but not an approval that was taken back before the second call: the denial of that call ends the request', () => {
    const approved = told(sentAgain(LOST), 'approved', { created: 0, updated: 20 });
    const unknown = told(approved, 'denied', { created: 0, updated: 30 });
    expect([approved.state, unknown.state]).toEqual(['approved', 'unknown']);
    expect(applyCallResult(unknown, said('denied', at(SECOND)), 2, at(100)).record.state).toBe('denied');
  });

  test('also if a failover has undone the call', () => {
    const review = sentAgain(said('pending', at(SECOND)));
    const withUndone = { ...review, call: { ...review.call, undone: [{ at: at(30) }] } };
    const approved = told(withUndone, 'approved', { created: 30, updated: 90 });
    expect(approved.state).toBe('approved');
    expect(told(approved, 'denied', { created: SECOND, updated: 100 }).state).toBe('approved');
  });
});

describe('an approval that names no time', () => {
  const untimed = (record: RequestRecord) =>
    applyEvent(record, event({ status: 'approved' }), at(140)).record;
  const reopened = { created: SECOND + 0.3, updated: 150 };

  test.each([
    ['that the service answered', said('pending', at(SECOND + 0.3))],
    ['that has no answer yet', LOST],
  ])('is about the last call, %s, not about one that a person says was not received', (_which, answer) => {
    const approved = untimed(sentAgain(answer));
    expect(approved.state).toBe('approved');
    expect(told(approved, 'pending', reopened).state).toBe('under_review');
  });

  test('is about the first call if it says that the order was cancelled before the second one', () => {
    const before = event({ status: 'approved', updatedAt: at(SECOND / 2), arrivedAt: at(140) });
    const approved = applyEvent(sentAgain(said('pending', at(SECOND + 0.3))), before, at(140)).record;
    expect(approved.state).toBe('approved');
    expect(told(approved, 'pending', reopened).state).toBe('approved');
  });
});

test('a denial of the second call ends its review, though the first one was never decided', () => {
  const review = told(sentAgain(LOST), 'pending', { created: 0, updated: 70 });
  const both = told(review, 'pending', { created: SECOND, updated: 80 });
  expect(told(both, 'denied', { created: SECOND, updated: 90 }).state).toBe('denied');
});

test('an unlisted word about the approved call leaves it open, in whatever order the denial of the other one comes', () => {
  const approved = told(sentAgain(LOST), 'approved', { created: 0, updated: 90 });
  const word = { created: 0, updated: 100 };
  const denial = { created: SECOND, updated: 110 };
  const orders = [
    told(told(approved, 'accepted', word), 'denied', denial),
    told(told(approved, 'denied', denial), 'accepted', word),
  ];
  for (const end of orders) expect(end).toMatchObject({ state: 'approved', word: 'ESCALATED' });
});

describe('an event that names the time of no call', () => {
  const approved = told(answered(said('pending', at(0.3))), 'approved', { created: 0.3, updated: 60 });

  test('is about a request made elsewhere, once an event has named the time of the call', () => {
    expect(approved.state).toBe('approved');
    for (const status of ['denied', 'pending'] as const)
      expect(told(approved, status, { created: 3_600, updated: 3_700 }).state).toBe('approved');
  });

  test('cancels the order all the same: that the call was denied does not take that back', () => {
    const review = told(answered(said('pending', at(0.3))), 'pending', { created: 0.3, updated: 50 });
    const elsewhere = told(review, 'approved', { created: 3_600, updated: 3_700 });
    expect(elsewhere.state).toBe('approved');
    expect(told(elsewhere, 'denied', { created: 0.3, updated: 3_800 }).state).toBe('approved');
    expect(told(elsewhere, 'denied', { created: 3_600, updated: 3_800 }).state).toBe('denied');
  });

  test('is about the call, where none has: the service may name another time in its events', () => {
    const answeredApproved = answered(said('approved', at(0.3)));
    expect(told(answeredApproved, 'denied', { created: 3_600, updated: 3_700 }).state).toBe('denied');
  });
});
