/** The line of a card or approval message that says how to vote fits the line above it, which says what is wrong. */
import { expect, test } from 'vitest';
import type { Approval } from '../../../src/requests/model/approval.ts';
import type { ApproversProblem } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { howToVote } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0 } from '../../support/requests/records.ts';

const USUAL = 'eact with :white_check_mark: to approve or :x: to decline, or use the buttons.';

function told(problem?: ApproversProblem, more: Partial<RequestRecord> = {}): string {
  const record = { ...waitingRecord({ ...POLICY, quorum: 1 }), ...more };
  return howToVote(record, { ...(record.approval as Approval), ...(problem && { problem }) });
}

test.each([undefined, 'too_few', 'approvers_unreadable'] as const)('votes count at once: %s', (problem) => {
  expect(told(problem)).toBe(`R${USUAL}`);
});

test.each(['group_unreadable', 'channel_archived', 'channel_shared'] as const)(
  'votes count once that is fixed: %s',
  (problem) => {
    expect(told(problem)).toBe(`Once that is fixed, r${USUAL}`);
  },
);

test('while reactions cannot be read, an approval by button counts, and any decline', () => {
  expect(told('reactions_unreadable')).toBe(
    'Use the button to approve: a reaction counts only once I can read it. One with :x: declines at once.',
  );
});

test('nobody is asked to vote before sending is resumed', () => {
  const paused = { by: 'UADMIN', at: T0 };
  expect(told(undefined, { paused })).toBe(`Once an admin has resumed sending, r${USUAL}`);
});
