import { expect, test } from 'vitest';
import { type AuditEntry, TERMINAL } from '../../../../src/requests/model/audit-entry.ts';
import { actText } from '../../../../src/slack/features/home/admin-view.ts';

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
  expect(sent('test')).toMatch(/ · the operator sent a test event$/);
  expect(sent('A_1001 approved')).toMatch(
    / · the operator sent an event in place of the order service: A_1001 approved$/,
  );
});

test.each([
  ['cancel_order', 'under_review', 'approved', 'In review → Cancelled'],
  ['cancel_order', 'approved', 'denied', 'Cancelled → Not cancelled'],
  ['cancel_offer', 'unknown', 'canceled', 'Outcome unknown → Cancelled'],
  ['send_offer', 'unknown', 'sent', 'Outcome unknown → Sent'],
  ['send_offer', 'sent', 'failed', 'Sent → Failed'],
] as const)('what became of a request (%s: %s → %s) has the words of its card', (kind, from, to, said) => {
  const request = { id: 'r', kind, target: 'A-1' };
  const by = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'] };
  expect(actText({ ...by, act: 'recorded', request, from, to })).toMatch(new RegExp(` \\(${said}\\)$`));
});

test('a request that is retried is not said to be sent, because approval may be needed first', () => {
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1' } as const;
  const entry = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'], act: 'retried' } as const;
  const text = actText({ ...entry, request, from: 'failed', to: 'awaiting_approval' });
  expect(text).toMatch(/ retried “Cancel order A-1” \(Failed → Awaiting approval\)$/);
});
