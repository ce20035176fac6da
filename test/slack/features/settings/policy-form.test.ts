import { expect, test } from 'vitest';
import { draftOf, policyModal } from '../../../../src/slack/features/settings/policy-form.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';

test('the form mentions approvers outside of the channel, unless the approvers are its members', () => {
  const shown = (draft: Partial<ReturnType<typeof draftOf>>) =>
    JSON.stringify(policyModal({ kind: 'cancel_order' }, { ...draftOf(POLICY), ...draft }));
  const told = 'Approvers who are not in that channel are not notified';
  expect(shown({ approvers: 'group', shownIn: 'approvals_channel' })).toContain(told);
  expect(shown({ approvers: 'channel', shownIn: 'where_requested' })).toContain(told);
  expect(shown({ approvers: 'channel', shownIn: 'approvals_channel' })).not.toContain(told);
});
