/** The note by which the requester reads why their request was declined, where that was said later. */
import { expect, test } from 'vitest';
import type { PostResult } from '../../../src/outbox/delivery.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import type { Note, RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { placeOf, withNote } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { giveReason } from '../../../src/requests/use-cases/approvals/give-reason.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { REQUEST, T0, withCard } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const POSTED = { delivery: { status: 'posted', channel: 'C1', ts: '1.0' } } as const;

function declined(): RequestRecord {
  const shown = withCard(waitingRecord(), POSTED);
  return decided(shown, { type: 'decided', choice: 'no', by: ['UCARA'] }, T0);
}

function withReason(record: RequestRecord): RequestRecord {
  const { approval } = withNote(record, { type: 'reason' }, T0);
  const decision = { ...approval?.decision, reason: 'It ships today' };
  return {
    ...withNote(record, { type: 'reason' }, T0),
    approval: { ...approval, decision },
  } as RequestRecord;
}

const reasonIn = (record: RequestRecord) => notesOf(record).find(({ type }) => type === 'reason') as Note;

test('the reason for a decline is told in the thread', () => {
  const record = withReason(declined());
  expect(placeOf(record, reasonIn(record))).toMatchObject({ under: { type: 'card' } });
  expect(noteMessage(record, reasonIn(record)).text).toMatch(/^<@U1>: <@UCARA> added a reason/);
});

test('the reason for a decline goes to the requester directly, with the name of the request, if the card was deleted', async () => {
  const { deps, seed, read } = createWorkspace({ company: { people: { UCARA: {} } } });
  await seed(withCardGivenUp(declined(), 'message_not_found'));
  await giveReason(deps, { workspace: 'T1', id: REQUEST.id, by: 'UCARA', reason: 'It ships today' });
  const record = await read(REQUEST);
  expect(placeOf(record, reasonIn(record))).toEqual({ person: 'U1' });
  expect(noteMessage({ ...record, inSharedChannel: true }, reasonIn(record)).text).toBe(
    '*Cancel order A-1001*: <@UCARA> added a reason for declining your request: “It ships today”',
  );
});

test('whoever may add a reason reads that it goes to the requester directly, if the card was deleted', () => {
  const asked = withNote(withCardGivenUp(declined(), 'message_not_found'), { type: 'reason_wanted' }, T0);
  const [note] = notesOf(asked);
  expect(noteMessage(asked, note as Note).text).toMatch(/You can add a reason: I send it to <@U1>\.$/);
});

test('the reason for a decline goes to the requester directly if the thread takes no reply, and nowhere else', () => {
  const record = withReason(declined());
  const { key } = reasonIn(record);
  const refused: PostResult = { type: 'refused', code: 'is_archived' };
  const claim = { effect: 'post' as const, messageKey: key, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
  const post = (current: RequestRecord) =>
    applyPosting(current, key, refused, { claim, rendered: 1, now: T0, timings: TIMINGS });
  const direct = post(record);
  expect(reasonIn(direct).delivery.status).toBe('owed');
  expect(placeOf(direct, reasonIn(direct))).toEqual({ person: 'U1' });
  expect(reasonIn(post(direct)).delivery.status).toBe('given_up');
});
