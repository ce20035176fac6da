/** Notices to admins that Slack may refuse for days: what they say is as true then as at first. */
import { expect, test } from 'vitest';
import { type Notice, newAdminsNotice, newPolicyNotice } from '../../../src/requests/model/notices/notice.ts';
import { noticeMessage } from '../../../src/slack/messages/content/notice.ts';
import { T0 } from '../../support/requests/records.ts';

const textOf = (notice: Notice) => noticeMessage(notice).text.replaceAll(/<!date[^>]*>/g, 'TIME');

test.each([
  [1, 1, 'made 1 request within an hour* (TIME), and reached the limit of 1 for each person.'],
  [3, 3, 'made 3 requests within an hour* (TIME), and reached the limit of 3 for each person.'],
  [
    1_200,
    1_000,
    'made 1,200 requests within an hour* (TIME), and reached the limit of 1,000 for each person.',
  ],
])('admins are told that a person who made %i requests met a limit of %i', (made, limit, what) => {
  const about = { type: 'limit_met' as const, workspace: 'T1', person: 'U1', made, limit, since: T0 };
  const text = textOf(newAdminsNotice({ ...about, connectedBy: 'UOLGA' }, T0));
  expect(text).toContain(`:warning: *<@U1> ${what} I refuse requests that exceed the limit. If`);
});

test.each([
  [1, '1 approval'],
  [2, '2 approvals'],
])('the admin who set a policy is told that too few were left for a quorum of %i', (quorum, approvals) => {
  const about = { workspace: 'T1', kind: 'cancel_order' as const, quorum, to: 'UOLGA' };
  expect(textOf(newPolicyNotice(about, T0))).toBe(
    `:warning: *Cancel an order*: its approvers changed (TIME), and too few were left to give ${approvals}. If that is still so, add people who can approve: open requests keep these approvers, and expire unless enough of them approve. For new requests, choose other approvers with \`/countermand settings\`.`,
  );
});

test('the admin who set a policy is told that its user group was gone', () => {
  const about = { workspace: 'T1', kind: 'cancel_order' as const, quorum: 1, goneGroup: 'S1', to: 'UOLGA' };
  expect(textOf(newPolicyNotice(about, T0))).toBe(
    ':warning: *Cancel an order*: the user group of its approvers, <!subteam^S1>, was gone or could not be read (TIME), so nobody could approve. If that is still so, enable the user group again: open requests keep these approvers, and expire unless enough of them approve. For new requests, choose other approvers with `/countermand settings`.',
  );
});

test('admins are told that events had no valid signature', () => {
  const about = { type: 'events_refused' as const, workspace: 'T1', generation: 'g1', since: T0 };
  expect(textOf(newAdminsNotice({ ...about, connectedBy: 'UOLGA' }, T0))).toContain(
    '*Events of the order service had no valid signature* (TIME), so I refused them, and outcomes may not have reached their threads.',
  );
});
