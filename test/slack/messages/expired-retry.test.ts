/** What is said of a Retry that expired, because too few people besides those who want it could approve it. */
import { expect, test } from 'vitest';
import { newApproval } from '../../../src/requests/model/approval.ts';
import { TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { withProblem } from '../../../src/requests/model/record-notes.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { awaiting } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { sentence } from '../../../src/slack/messages/sentences/sentences.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, REQUEST, T0 } from '../../support/requests/records.ts';

/** @returns the sentences before and after the Retry of this person expires */
function told(by: string): [waiting: string, expired: string] {
  const refused = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });
  const again = transition(refused, { type: 'approval_requested_again', by }, T0) as RequestRecord;
  const approval = newApproval({ policy: POLICY, earlier: [] }, T0);
  const record = withProblem({ ...again, approval }, 'too_few', T0);
  const ended = transition(record, { type: 'expire' }, T0 + 1) as RequestRecord;
  return [awaiting(record), sentence(ended, currentStep(ended))];
}

test('leads to a new request first, if somebody else pressed Retry, who may be able to approve that', () => {
  const [waiting, expired] = told('UDEV');
  expect(waiting).toContain('There are not enough approvers besides the requester and <@UDEV>');
  expect(expired).toMatch(
    /Request it again with \S+, or ask an admin if there are still not enough approvers\.$/,
  );
});

test.each([
  ['the requester', REQUEST.requester],
  ['the operator', TERMINAL],
])('leads to an admin, if %s had it sent again, because a new request has the same approvers', (_who, by) => {
  const [waiting, expired] = told(by);
  expect(waiting).toContain('There are not enough approvers besides the requester. ');
  expect(expired).toContain(
    'There were not enough approvers besides the requester: ask an admin to fix that before you request it again',
  );
});
