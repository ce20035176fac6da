import { expect, test } from 'vitest';
import { type Act, TERMINAL } from '../../../../src/requests/model/audit-entry.ts';
import { actText } from '../../../../src/slack/features/home/latest-acts.ts';

/** The act of the operator, without the time. */
const said = (act: Act, result: string | undefined, to?: string): string =>
  actText({ workspace: 'T1', id: 'a', version: 1, at: 0, by: [TERMINAL], act, to, result }).replace(
    /^.* · the operator /,
    '',
  );

const TEST = 'a test event';
const EVENT = 'the event “A_1001 approved” in place of the order service';

// Each act that runs within `recordAct`, with each result that it can have; undefined: it runs, or was cut short.
test.each<[Act, string | undefined, string, string?]>([
  ['revoked_token', 'revoked', 'revoked a token of the order service'],
  ['revoked_token', 'dead', 'tried to revoke a token of the order service: the token was revoked before'],
  ['revoked_token', 'unreachable', 'tried to revoke a token of the order service: the token was not revoked'],
  ['revoked_token', 'not_sent', 'tried to revoke a token of the order service: the token was not revoked'],
  [
    'revoked_token',
    'unknown',
    "tried to revoke a token of the order service: we don't know whether the token was revoked",
  ],
  [
    'revoked_token',
    'failed',
    "tried to revoke a token of the order service: we don't know whether the token was revoked",
  ],
  ['revoked_token', undefined, 'began to revoke a token of the order service: no result so far'],
  ['exported', 'exported', 'exported the requests (csv)', 'csv'],
  ['exported', 'failed', 'tried to export the requests (csv): that failed, perhaps midway', 'csv'],
  ['exported', undefined, 'began to export the requests (csv): no result so far', 'csv'],
  ['forgot_person', 'forgotten', 'removed a person from the records'],
  ['forgot_person', 'failed', 'tried to remove a person from the records: that failed, perhaps midway'],
  ['forgot_person', undefined, 'began to remove a person from the records: no result so far'],
  ['sent_event', 'taken', `sent ${TEST}`, 'test'],
  ['sent_event', 'refused', `tried to send ${TEST}: it was refused`, 'test'],
  ['sent_event', 'taken', `sent ${EVENT}`, 'A_1001 approved'],
  ['sent_event', 'refused', `tried to send ${EVENT}: it was refused`, 'A_1001 approved'],
  ['sent_event', 'unknown', `tried to send ${EVENT}: we don't know whether it was taken`, 'A_1001 approved'],
  [
    'sent_event',
    'not_the_bot',
    `tried to send ${EVENT}: something other than Countermand answered`,
    'A_1001 approved',
  ],
  ['sent_event', 'unreachable', `tried to send ${EVENT}: nothing answered`, 'A_1001 approved'],
  ['sent_event', 'failed', `tried to send ${EVENT}: that failed, perhaps midway`, 'A_1001 approved'],
  ['sent_event', undefined, `began to send ${EVENT}: no result so far`, 'A_1001 approved'],
  ['rotated_keys', 'complete', 'rotated the keys'],
  ['rotated_keys', 'incomplete', 'tried to rotate the keys: some secrets were not changed'],
  ['rotated_keys', 'failed', 'tried to rotate the keys: that failed, perhaps midway'],
  ['rotated_keys', undefined, 'began to rotate the keys: no result so far'],
  ['upgraded_storage', 'complete', 'upgraded the storage'],
  ['upgraded_storage', 'failed', 'tried to upgrade the storage: that failed, perhaps midway'],
  ['upgraded_storage', undefined, 'began to upgrade the storage: no result so far'],
  ['exported', 'of_a_later_version', 'tried to export the requests: the result is not known'],
])('an act is said to be done only with its success: %s, %s', (act, result, text, to) => {
  expect(said(act, result, to)).toBe(text);
});

test('data that are being removed are not said to be gone: the entry goes with the last of them', () => {
  expect(said('purged', undefined)).toBe('began to remove all data');
});

test('an uninstall has nobody who acted: Slack names nobody', () => {
  const entry = { workspace: 'T1', id: 'a', version: 1, at: 0, by: [], act: 'uninstalled' } as const;
  expect(actText(entry)).toMatch(/ · Countermand was uninstalled$/);
});

test.each([
  ['cancel_order', 'under_review', 'approved', 'In review → Cancelled'],
  ['cancel_order', 'approved', 'denied', 'Cancelled → Not cancelled'],
  ['cancel_offer', 'unknown', 'canceled', 'Outcome unknown → Cancelled'],
  ['send_offer', 'unknown', 'sent', 'Outcome unknown → Sent'],
  ['send_offer', 'sent', 'failed', 'Sent → Not received'],
] as const)('what became of a request (%s: %s → %s) has the words of its card', (kind, from, to, words) => {
  const request = { id: 'r', kind, target: 'A-1' };
  const by = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'] };
  expect(actText({ ...by, act: 'recorded', request, from, to })).toMatch(new RegExp(` \\(${words}\\)$`));
});

test.each([
  ['queued', 'approved “Cancel order A-1”, so it was queued'],
  ['declined', 'declined “Cancel order A-1”, so it has ended'],
])('a decision is told by its choice and its consequence: %s', (to, words) => {
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1' } as const;
  const entry = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'], act: 'decided' } as const;
  expect(actText({ ...entry, request, from: 'awaiting_approval', to })).toContain(`<@U1> ${words}`);
});

test.each([
  ['yes', 'approved “Cancel order A-1”'],
  ['no', 'declined “Cancel order A-1”'],
])('a vote is told by its choice alone: %s', (to, words) => {
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1' } as const;
  const entry = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'], act: 'voted' } as const;
  expect(actText({ ...entry, request, to })).toMatch(new RegExp(` <@U1> ${words}$`));
});

test('a request that is retried is not said to be sent, because approval may be needed first', () => {
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1' } as const;
  const entry = { workspace: 'T1', id: 'a', version: 1, at: 0, by: ['U1'], act: 'retried' } as const;
  const text = actText({ ...entry, request, from: 'failed', to: 'awaiting_approval' });
  expect(text).toMatch(/ retried “Cancel order A-1” \(→ Awaiting approval\)$/);
});
