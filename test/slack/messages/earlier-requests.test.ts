/** The text about earlier requests for the same order, for approvers. */
import { expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { newApproval } from '../../../src/requests/model/approval.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { toEarlier } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { time } from '../../../src/slack/blocks/text.ts';
import { earlierRequests } from '../../../src/slack/messages/content/card.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, REQUEST, said, T0 } from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';

const lost = () => answered({ type: 'no_answer', why: 'timeout' });
const recorded = () =>
  transition(lost(), { type: 'person', by: 'UANA', action: 'approved' }, T0 + 1) as RequestRecord;

test.each([
  ['recorded by a person', recorded(), /:white_check_mark: Cancelled · recorded by <@UANA> ·/],
  ['taken by the service, which said no more', answered(said('accepted')), /:inbox_tray: Accepted ·/],
  [
    'decided by the service, which leaves it open since',
    { ...answered(said('approved')), word: 'on_hold' },
    /:inbox_tray: Accepted ·/,
  ],
  [
    'never received',
    applyCallResult(lost(), { type: 'not_received', why: 'unreachable' }, 1, T0).record,
    /:x: Not received ·/,
  ],
  [
    'refused',
    answered({ type: 'refused', httpStatus: 409, details: [] }),
    /:x: Refused by the order service ·/,
  ],
])('an earlier request that was %s reads so', (_name, record, text) => {
  const later = newRecord({ ...REQUEST, id: 'later' }, T0 + 2, {
    policy: POLICY,
    earlier: [toEarlier(record)],
  });
  expect(shownIn({ text: '', blocks: earlierRequests(later) })).toMatch(text);
});

test('the list says of when it is: it is not updated, and an earlier request may be reopened or corrected', () => {
  const earlier = [toEarlier(lost())];
  const first = newRecord({ ...REQUEST, id: 'later' }, T0 + 60_000, { policy: POLICY, earlier });
  const shown = (record: RequestRecord) => shownIn({ text: '', blocks: earlierRequests(record) });
  expect(shown(first)).toContain(`Earlier requests for this order, as of ${time(T0 + 60_000)}:`);
  const askedAgain = newApproval({ policy: POLICY, earlier }, T0 + 120_000);
  expect(shown({ ...first, approval: askedAgain })).toContain(`as of ${time(T0 + 120_000)}:`);
});
