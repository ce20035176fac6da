/** Adds notes to a record, and keeps the problem of its approvers. */

import { newUpkeep } from '../../../outbox/upkeep.ts';
import { type ApproversProblem, CLEARED_BY, type Evidence } from '../approvals/problems.ts';
import { notesOf } from '../facts/messages.ts';
import { newNote } from '../message.ts';
import type { NoteContent } from '../notes.ts';
import type { RequestRecord } from '../record.ts';

/** Adds a note to the record. */
export const withNote = (record: RequestRecord, content: NoteContent, now: number): RequestRecord => ({
  ...record,
  messages: [...record.messages, newNote(content, notesOf(record).length + 1, now)],
});

/** Owes an update of all notes of a type: before this revision of the record they said something else. */
export function withNotesOutdated(
  record: RequestRecord,
  type: NoteContent['type'],
  now: number,
): RequestRecord {
  const upkeep = { ...newUpkeep(now), revision: record.revision };
  const messages = record.messages.map((message) =>
    message.type === type ? { ...message, upkeep } : message,
  );
  return { ...record, messages };
}

/** Sets or clears the current problem of the approvers. An admin is told each problem once. */
export function withProblem(
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (!approval || approval.problem === problem) return record;
  const { problem: _before, ...rest } = approval;
  const next = {
    ...record,
    revision: record.revision + 1,
    approval: { ...rest, ...(problem ? { problem } : {}) },
  };
  const isKnown = record.messages.some(
    (message) => message.type === 'alarm' && message.problem === problem && message.at >= approval.since,
  );
  return problem && !isKnown ? withNote(next, { type: 'alarm', problem }, now) : next;
}

/** Clears the approver problem if this evidence shows that it is fixed. */
export function withEvidence(record: RequestRecord, evidence: Evidence, now: number): RequestRecord {
  const { problem } = record.approval ?? {};
  return problem && CLEARED_BY[problem].includes(evidence) ? withProblem(record, undefined, now) : record;
}
