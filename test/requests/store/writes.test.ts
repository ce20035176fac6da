import { expect, test } from 'vitest';
import type { Answer } from '../../../src/requests/model/cause.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { owesOutcome } from '../../../src/requests/store/subjects.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { answered, calling, queued, said, T0 } from '../../support/requests/records.ts';
import { sqliteStore } from '../../support/storage/stores.ts';

const sentAgain = (answer: Answer): RequestRecord => {
  const unknown = answered(answer);
  return transition(unknown, { type: 'person', by: 'U1', action: 'not_received' }, T0) ?? unknown;
};

test.each([
  ['is queued', queued(), false],
  ['is being called', calling().record, true],
  ['is under review', answered(said('pending')), true],
  [
    'is under review, reopened while another one holds its target',
    { ...answered(said('pending')), holdsSlot: false },
    true,
  ],
  ['got no answer', answered({ type: 'no_answer', why: 'cut' }), true],
  ['is sent again after a call that got no answer', sentAgain({ type: 'no_answer', why: 'cut' }), true],
  [
    'is sent again after a call that was not received',
    answered({ type: 'not_received', why: 'unreachable' }),
    false,
  ],
  ['was approved', answered(said('approved')), false],
  // The service announces nothing of offers.
  [
    'is about an offer, and got no answer',
    { ...answered({ type: 'no_answer', why: 'cut' }), kind: 'send_offer' as const },
    false,
  ],
])('where a request %s, whether the service owes an outcome', async (_name, record, pending) => {
  const { store } = sqliteStore(() => T0);
  await store.create(requestEntry(record, TIMINGS));
  expect(await owesOutcome(store, 'T1')).toBe(pending);
  expect(await owesOutcome(store, 'T2')).toBe(false);
});
