/** The notes that fall due by themselves, or are no longer wanted. */
import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../src/outbox/delivery.ts';
import { withVote } from '../../../src/requests/model/acts.ts';
import type { Note, NoteContent, RequestRecord } from '../../../src/requests/model/record.ts';
import {
  cardOf,
  notesOf,
  repliesOf,
  withDelivery,
  withMessage,
} from '../../../src/requests/model/record-messages.ts';
import {
  fallbackOf,
  isStillWanted,
  notesDue,
  threadOf,
  withNote,
  withProblem,
} from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition, withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, queued, said, T0, withCard } from '../../support/requests/records.ts';

const AGAIN_AT = T0 + 60 * 60_000;

/** A request that is sent again with a new card, because the former one was deleted. */
function retried(failed: RequestRecord): RequestRecord {
  const deleted = withCardGivenUp(failed, 'message_not_found');
  return transition(deleted, { type: 'person', by: 'U1', action: 'retry' }, AGAIN_AT) as RequestRecord;
}

const FAILED = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });
const DELAYED = { note: { type: 'card_delayed' } };
const due = (record: RequestRecord) => notesDue(record, TIMINGS);
const told = (record: RequestRecord, at: number) => withNote(record, { type: 'card_delayed' }, at);

describe('the note that Slack does not take the card of a request', () => {
  test('is due some seconds after the request, once', () => {
    expect(due(queued())).toEqual([{ ...DELAYED, at: T0 + TIMINGS.delayedMs }]);
    expect(due(told(queued(), T0 + TIMINGS.delayedMs))).toEqual([]);
  });

  test.each([
    ['was not told of the first one', FAILED],
    ['was told of the first one', told(FAILED, T0 + TIMINGS.delayedMs)],
  ])('is due some seconds after a new card was owed, where the requester %s', (_how, failed) => {
    const again = retried(failed);
    expect(due(again)).toEqual([{ ...DELAYED, at: AGAIN_AT + TIMINGS.delayedMs }]);
    expect(due(told(again, AGAIN_AT + TIMINGS.delayedMs))).toEqual([]);
  });
});

test('a note to the approvers is wanted while their votes are awaited, in the round in which it was owed', () => {
  const record = withNote(waitingRecord(), { type: 'misplaced_vote', voter: 'U2' }, T0);
  const [note] = notesOf(record);
  if (!note || !record.approval) throw new Error('There is no note.');
  const ended = transition(record, { type: 'person', by: 'U1', action: 'withdraw' }, T0 + 1) as RequestRecord;
  const inNextRound = { ...record, approval: { ...record.approval, since: T0 + 1 } };
  expect([record, ended, inNextRound].map((each) => isStillWanted(each, note))).toEqual([true, false, false]);
});

describe('the reminder', () => {
  const posted = withCard(waitingRecord(POLICY), {
    delivery: { status: 'posted', channel: 'C1', ts: '1.0' },
  });
  const voted = (record: RequestRecord, ...voters: string[]) =>
    voters.reduce((next, by) => {
      const cast = { by, choice: 'yes', source: 'button', added: true, moment: undefined, round: 1 } as const;
      return next.approval ? withVote(next, next.approval, cast, T0 + 1) : next;
    }, record);
  const isDue = (record: RequestRecord) => due(record).some(({ note }) => note.type === 'reminder');

  test('waits until there is a message to react to', () => {
    expect(isDue(waitingRecord(POLICY))).toBe(false);
    const inDoubt = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
    expect(isDue(withCard(waitingRecord(POLICY), { delivery: inDoubt }))).toBe(false);
  });

  test('falls due while votes are missing, also where nobody can vote for a while', () => {
    const held = withProblem(posted, 'group_unreadable', T0);
    expect([posted, voted(posted, 'UANA'), held].map(isDue)).toEqual([true, true, true]);
  });

  test('does not while no vote can make up the quorum, nor while the votes that do are confirmed', () => {
    const tooFew = withProblem(voted(posted, 'UANA'), 'too_few', T0);
    expect([tooFew, voted(posted, 'UANA', 'UBEN')].map(isDue)).toEqual([false, false]);
    expect(isDue(withProblem(tooFew, undefined, T0))).toBe(true);
  });
});

describe('the alarm to an admin', () => {
  const HOUR_MS = 60 * 60_000;
  const PROBLEM = 'group_unreadable';
  const found = withProblem(waitingRecord(), PROBLEM, T0);
  const [alarm] = notesOf(found);
  const posted = withDelivery(found, alarm?.key ?? '', () => ({
    status: 'posted',
    channel: 'D1',
    ts: '1.0',
  }));
  const returned = (record: RequestRecord, at: number) =>
    withProblem(withProblem(record, undefined, T0 + 1), PROBLEM, at);
  const alarms = (record: RequestRecord) => notesOf(record).map(({ type, at }) => [type, at - T0]);

  test.each([
    ['is owed again where a problem returns after hours', posted, 2 * HOUR_MS, [0, 2 * HOUR_MS]],
    ['is not, where it comes and goes within an hour', posted, HOUR_MS / 2, [0]],
    ['is not, while the former one is still to be posted', found, 2 * HOUR_MS, [0]],
  ])('%s', (_what, record, after, at) => {
    expect(alarms(returned(record, T0 + after))).toEqual(at.map((each) => ['alarm', each]));
  });
});

test('approvers are not asked again while too few people could approve', () => {
  const record = withNote(waitingRecord(), { type: 'approval_requested_again' }, T0);
  const [note] = notesOf(record);
  const isWanted = (each: RequestRecord) => note && isStillWanted(each, note);
  expect(isWanted(record)).toBe(true);
  expect(isWanted(withProblem(record, 'too_few', T0))).toBe(false);
  expect(isWanted(withProblem(record, 'group_unreadable', T0))).toBe(true);
});

test('a note that Slack refuses goes elsewhere once', () => {
  const noteOf = (content: NoteContent) =>
    notesOf(withNote(answered(said('canceled')), content, T0)).at(-1) as Note;
  const reason = noteOf({ type: 'reason' });
  expect([fallbackOf(reason), fallbackOf({ ...reason, to: 'requester' })]).toEqual(['requester', undefined]);
  expect(fallbackOf(noteOf({ type: 'card_delayed' }))).toBeUndefined();
});

describe('the note that a message is in doubt', () => {
  const DOUBTFUL = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
  const inDoubt = (record: RequestRecord, about: string) =>
    withNote(
      withDelivery(record, about, () => DOUBTFUL),
      { type: 'unclear', about },
      T0,
    );
  const isWanted = (record: RequestRecord) => isStillWanted(record, notesOf(record).at(-1) as Note);
  const apart = waitingRecord(SHOWN_APART);
  const withdraw = { type: 'person', by: 'U1', action: 'withdraw' } as const;
  const ended = transition(apart, withdraw, T0 + 1) as RequestRecord;

  test.each([
    ['the card of an open request', true, inDoubt(queued(), 'card')],
    ['the card of a request that has ended', false, inDoubt(ended, 'card')],
    ['the approval message while approvers vote', true, inDoubt(apart, 'approval:1')],
    ['the approval message of a request that has ended', false, inDoubt(ended, 'approval:1')],
    ['a reply, also of a request that has ended', true, inDoubt(ended, 'reply:2')],
  ])('about %s is wanted: %s', (_which, wanted, record) => {
    expect(isWanted(record)).toBe(wanted);
  });

  test('is not wanted once the doubt is over', () => {
    const posted = { status: 'posted', channel: 'C1', ts: '1.0' } as const;
    expect(isWanted(withDelivery(inDoubt(queued(), 'card'), 'card', () => posted))).toBe(false);
  });
});

test('only a reply in the thread has a thread, in which its copies are looked for', () => {
  const record = answered(said('canceled'));
  const key = repliesOf(record).at(-1)?.key ?? '';
  const sentTo = (to: Destination) =>
    threadOf(
      withMessage(record, key, (message) => ({ ...message, to })),
      key,
    );
  expect((['thread', 'requester', 'channel'] as const).map(sentTo)).toEqual([
    cardOf(record).location?.ts,
    undefined,
    undefined,
  ]);
  expect(cardOf(record).location?.ts).toBeDefined();
});
