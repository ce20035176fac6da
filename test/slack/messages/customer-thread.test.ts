/** Replies and notes in the thread of a customer, where the card is a reply, too, and other requests may be told of. */
import { expect, test } from 'vitest';
import type { NoteContent, RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { noteMessage, reply } from '../../../src/slack/messages/content/render.ts';
import { plainTitleOf, targetOf } from '../../../src/slack/messages/sentences/request-words.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, T0, withRepliesTo } from '../../support/requests/records.ts';
import { anyRecords, DECLINED } from '../../support/typed/renderings.ts';

const fromMessage = (record: RequestRecord): RequestRecord => ({ ...record, thread: '1.000001' });

const repliesOf = (record: RequestRecord): string[] =>
  record.steps
    .filter((step) => replyOf(record, step))
    .map((step) => reply(withRepliesTo(record, 'thread'), step).text);

test('a reply says which request it is about, and none does under its own card', async () => {
  for (const record of (await anyRecords()).values()) {
    for (const text of repliesOf(fromMessage(record)))
      expect(text).toMatch(new RegExp(targetOf(record), 'i'));
    for (const text of repliesOf(record)) expect(text).not.toContain(`*${plainTitleOf(record)}*`);
  }
});

test('an outcome, which begins with its order, does not name it twice', () => {
  const told = (record: RequestRecord) => repliesOf(fromMessage(record)).at(-1);
  expect(told(answered({ type: 'said', status: 'canceled' }))).toMatch(/^<@U1>: Order A-1001 is cancelled/);
  expect(told(DECLINED)).toMatch(/^<@U1>: \*Cancel order A-1001\*: <@UCARA> declined the request/);
});

test.each([
  [{ type: 'reminder' }, waitingRecord(POLICY)],
  [{ type: 'approval_requested_again' }, waitingRecord(POLICY)],
  [{ type: 'admin_unreachable' }, waitingRecord(SHOWN_APART)],
  [{ type: 'reason' }, DECLINED],
] satisfies [NoteContent, RequestRecord][])('a note does, too: %o', (content, record) => {
  const said = (about: RequestRecord) =>
    notesOf(withNote(about, content, T0)).map((note) => noteMessage(about, note).text);
  expect(said(fromMessage(record))).toEqual([expect.stringMatching(/: \*Cancel order A-1001\*: /)]);
  expect(said(record)).toEqual([expect.not.stringContaining('Cancel order A-1001')]);
});

test('under the message in the approvals channel, the approvers are asked as ever: that thread has one request', () => {
  const record = fromMessage(waitingRecord(SHOWN_APART));
  const [note] = notesOf(withNote(record, { type: 'reminder' }, T0));
  expect(note && noteMessage(record, note).text).toMatch(/: This request still needs approval/);
});
