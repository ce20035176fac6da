/** Property: Slack accepts the approval messages of any request, votes and reasons. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateMessageBlocks, validateModal } from '../../../sandbox/slack/blocks/validate.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import {
  ApproversProblem,
  PEOPLE_MAX,
  type Policy,
  VoterProblem,
} from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { STATE_NAMES } from '../../../src/requests/model/states.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import type { Message } from '../../../src/slack/blocks/text.ts';
import { DECLINE_REASON_MAX, declineModal } from '../../../src/slack/features/approval.ts';
import { draftOf, policyModal } from '../../../src/slack/features/settings/policy-form.ts';
import { settingsModal } from '../../../src/slack/features/settings/settings-modal.ts';
import { statusMessage } from '../../../src/slack/features/status.ts';
import { approvalMessage, card } from '../../../src/slack/messages/content/card.ts';
import { noteMessage, reply } from '../../../src/slack/messages/content/render.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { CLICK, REQUEST, T0 } from '../../support/requests/records.ts';

const user = fc.stringMatching(/^U[A-Z0-9]{8,10}$/);
const said = (maxLength: number) =>
  fc.oneof(
    fc.constantFrom('<!channel>', '<@U1>', '&'.repeat(maxLength), '😀'.repeat(maxLength / 2)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
  );

const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  approvers: fc.oneof(
    fc.constant({ type: 'group' as const, group: 'S012345678' }),
    fc.constant({ type: 'channel' as const }),
    fc
      .array(user, { minLength: 1, maxLength: PEOPLE_MAX })
      .map((people) => ({ type: 'people' as const, people })),
  ),
  channel: fc.constant('C012345678'),
  shownIn: fc.constantFrom('approvals_channel' as const, 'where_requested' as const),
  quorum: fc.integer({ min: 1, max: 5 }),
  emoji: fc.constant(POLICY.emoji),
  expiresAfterMs: fc.constantFrom(900_000, 28_800_000, 12_345),
  reminds: fc.boolean(),
  mayWithdraw: fc.boolean(),
  setBy: user,
});

const earlier = fc.array(
  fc.record({
    id: fc.constant(REQUEST.id),
    kind: fc.constantFrom(...KIND_NAMES),
    target: fc.constantFrom(REQUEST.target, 'a-1001', '<!channel>'),
    state: fc.constantFrom(...STATE_NAMES),
    requester: user,
    createdAt: fc.constant(T0),
  }),
  { maxLength: 3 },
);

/** Awaiting, approved, declined with a reason or without, expired or withdrawn. */
const anyRecord: fc.Arbitrary<RequestRecord> = fc
  .record({
    policy: anyPolicy,
    earlier,
    kind: fc.constantFrom(...KIND_NAMES),
    target: said(128),
    reason: said(1_000),
    by: fc.array(user, { minLength: 1, maxLength: 5 }),
    why: fc.option(said(DECLINE_REASON_MAX), { nil: undefined }),
    fate: fc.constantFrom('awaiting', 'yes', 'no', 'expire', 'withdraw', 'problem'),
    problem: fc.constantFrom(...ApproversProblem.options),
  })
  .map(({ policy, earlier, kind, target, reason, by, why, fate, problem }) => {
    const record = newRecord({ ...REQUEST, kind, target, reason }, T0, { policy, earlier });
    if (fate === 'yes' || fate === 'no')
      return decided(record, { type: 'decided', choice: fate, by }, T0, why);
    if (fate === 'expire') return transition(record, { type: 'expire' }, T0) ?? record;
    if (fate === 'withdraw')
      return transition(record, { type: 'person', by: 'U1', action: 'withdraw' }, T0) ?? record;
    return fate === 'problem' ? withProblem(record, problem, T0) : record;
  });

const allNotes = (record: RequestRecord, problem: ApproversProblem): RequestRecord =>
  [
    { type: 'reminder' as const },
    { type: 'reason_wanted' as const },
    { type: 'reason' as const },
    { type: 'alarm' as const, problem },
  ].reduce((noted, about) => withNote(noted, about, T0), record);

const mustBeTaken = ({ blocks, text }: Message): void => {
  expect(validateMessageBlocks(blocks)).toMatchObject({ ok: true });
  expect(text.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual(4_000);
};

test('cards, what approvers see, replies and notes are messages that Slack takes', () => {
  fc.assert(
    fc.property(anyRecord, fc.constantFrom(...ApproversProblem.options), (given, problem) => {
      const record = allNotes(given, problem);
      mustBeTaken(card(record));
      mustBeTaken(approvalMessage(record, 'https://acme.slack.com/archives/C1/p1'));
      for (const step of record.steps) if (replyOf(record, step)) mustBeTaken(reply(record, step));
      for (const note of notesOf(record)) mustBeTaken(noteMessage(record, note));
      mustBeTaken(statusMessage({ record, showsReason: true, link: undefined }));
    }),
  );
});

/** The texts in which Slack obeys control sequences. */
function mrkdwnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnIn)];
}

test('nothing that a person typed can mention anybody', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      for (const message of [card(record), approvalMessage(record, undefined)]) {
        for (const text of [message.text, ...mrkdwnIn(message.blocks)])
          expect(text).not.toContain('<!channel>');
      }
    }),
  );
});

test('the forms of policies and denials are views that Slack takes', () => {
  fc.assert(
    fc.property(anyPolicy, fc.constantFrom(...KIND_NAMES), said(128), (policy, kind, what) => {
      const form = { kind, shown: 1, beneath: 1 };
      const views = [
        policyModal(form, draftOf(policy), { group: { id: 'S1', name: 'Approvers' } }),
        policyModal(form, undefined),
        settingsModal({ settings: { policies: { [kind]: policy } }, version: 1 }),
        declineModal(CLICK, newRecord({ ...REQUEST, kind, target: what }, T0)),
      ];
      for (const view of views) expect(validateModal(view).ok).toBe(true);
    }),
  );
});

test('whoever may not vote reads a sentence of their own', () => {
  const texts = VoterProblem.options.map((problem) =>
    voteFeedback({ type: 'refused', problem, policy: POLICY, source: 'button' }),
  );
  expect(new Set(texts).size).toBe(VoterProblem.options.length);
  for (const text of texts) expect(text).toMatch(/^Your vote (does not count|was not counted)/);
});

test('a note about an approval is never an empty message: for a request that has none, it is a fault', () => {
  const record = withNote(newRecord(REQUEST, T0), { type: 'reminder' }, T0);
  for (const note of notesOf(record)) expect(() => noteMessage(record, note)).toThrow(/approval/);
  expect(notesOf(record)).toHaveLength(1);
});
