import { expect, test } from 'vitest';
import { type AuditEntry, TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import { actText } from '../../../src/slack/features/home/admin-view.ts';

const sent = (to: string): string =>
  actText({
    workspace: 'T1',
    id: 'a',
    version: 1,
    at: 0,
    by: [TERMINAL],
    act: 'sent_event',
    to,
  } as AuditEntry);

test('the latest acts of the Home tab tell a test from an event that counts like one of the order service', () => {
  expect(sent('test')).toMatch(/ · the operator sent a test event/);
  expect(sent('A_1001 approved')).toMatch(
    / · the operator sent an event in place of the order service: A_1001 approved$/,
  );
});
