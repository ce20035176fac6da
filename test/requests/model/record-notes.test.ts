/** The note by which the requester reads that Slack does not take the card of their request. */
import { expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesDue, withNote } from '../../../src/requests/model/record-notes.ts';
import { transition, withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { answered, queued, T0 } from '../../support/requests/records.ts';

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
