/**
 * What is said of a Retry, and by whom it is wanted: it is a second sending only if a call may have been received before, and
 * after an unknown outcome somebody has recorded something.
 */
import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyExpiredClaim } from '../../../src/requests/engine/effects.ts';
import { newApproval } from '../../../src/requests/model/approval.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { timeline } from '../../../src/slack/features/timeline.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { awaiting } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { WHY_NOT } from '../../../src/slack/messages/sentences/approvers-problems.ts';
import { retryQuestion } from '../../../src/slack/messages/sentences/request-words.ts';
import { replyText } from '../../../src/slack/messages/sentences/sentences.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, calling, T0 } from '../../support/requests/records.ts';

const AT = T0 + 90_000;

/** A request whose call Countermand was interrupted at, before it wrote anything. */
function neverSent(): RequestRecord {
  const { record, claim } = calling();
  const unknown = applyExpiredClaim(record, claim, TIMINGS, T0 + 61_000).record;
  return applyCallResult(unknown, { type: 'not_received', why: 'interrupted' }, 1, T0 + 80_000).record;
}

const sent = () => answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });

/** The request, as somebody wants it sent and it needs approval. */
function wanted(before: RequestRecord) {
  const moved = transition(before, { type: 'approval_requested_again', by: 'UDEV' }, AT) as RequestRecord;
  const approval = newApproval({ policy: POLICY, earlier: [] }, AT);
  return { ...moved, approval };
}

/** The note that asks the approvers. */
function noteTo(record: RequestRecord): string {
  const [note] = notesOf(withNote(record, { type: 'approval_requested_again' }, AT)).slice(-1);
  if (!note) throw new Error('no note');
  return noteMessage(record, note).text;
}

describe.each([
  ['that was never received', neverSent, ''],
  ['that was received', sent, ' again'],
])('a Retry of a request %s', (_what, before, again) => {
  const record = wanted(before());

  test('is told to its approvers as a first or a second sending', () => {
    expect(noteTo(record)).toContain(
      `: <@UDEV> wants to send this request${again}, and it needs your approval`,
    );
  });

  test('for which there are too few approvers says so', () => {
    expect(awaiting(withProblem(record, 'too_few', AT))).toContain(
      `besides the requester and <@UDEV>, who wants the request sent${again}.`,
    );
  });

  test('does not count the vote of whoever wants it', () => {
    const { policy } = record.approval;
    const text = voteFeedback({ type: 'refused', problem: 'own_retry', policy, source: 'button', record });
    expect(text).toContain(`because you asked for this request to be sent${again}. `);
  });
});

test('a request whose outcome was unknown is told to its approvers, in its thread and in its history as recorded as not received', () => {
  const record = wanted(answered({ type: 'no_answer', why: 'cut' }));
  const said = (which: string) =>
    `<@UDEV> recorded that ${which} was not received, and wants to send it again`;
  expect(noteTo(record)).toContain(`: ${said('this request')}, and it needs your approval`);
  expect(replyText(record, currentStep(record))).toBe(`${said('the request')}, and it needs approval.`);
  expect(timeline(record).join()).toContain(`${said('the request')}: approval is needed`);
});

test('the question before a Retry does not say that the approvers decide where a former approval may count', () => {
  expect(retryQuestion(sent()).text).toContain('If this needs a new approval, the approvers decide first.');
});

test('the history, which does not tell them apart, says nothing of a second sending', () => {
  expect(WHY_NOT.own_retry).not.toContain('again');
});
