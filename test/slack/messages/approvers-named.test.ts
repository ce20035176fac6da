/** The people whom a request names as its approvers: those who may decide about it. */
import { expect, test } from 'vitest';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { approvalMessage, card } from '../../../src/slack/messages/content/card.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { mentionUndecided } from '../../../src/slack/messages/named-people.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { REQUEST, T0 } from '../../support/requests/records.ts';
import { COMPANY, type Company, directoryOfCompany } from '../../support/requests/workspace.ts';

const { requester } = REQUEST;

const waiting = (people: string[], shownIn: Policy['shownIn'] = 'where_requested') =>
  waitingRecord({ ...POLICY, shownIn, approvers: { type: 'people', people } });

const reminded = (record: RequestRecord, approvers?: string): string[] => {
  const noted = withNote(record, { type: 'reminder' }, T0);
  return notesOf(noted).map((note) => noteMessage(noted, note, { approvers }).text);
};

test('the named approvers leave out the requester, who cannot vote', () => {
  const people = ['UCARA', requester, 'UDEV'];
  const here = waiting(people);
  const texts = [card(here).text, approvalMessage(waiting(people, 'approvals_channel'), undefined).text];
  expect(texts).toEqual(Array(2).fill(expect.stringContaining('Waiting for <@UCARA> and <@UDEV> (0 of')));
  expect(reminded(here)).toEqual([expect.stringMatching(/^<@UCARA> and <@UDEV>: /)]);
});

test('the named approvers leave out whoever wants the request sent again, unless they had approved it before', () => {
  const record = waiting(['UCARA', 'UDEV']);
  const { approval, steps } = record;
  if (!approval) throw new Error('needs approval');
  const again = { type: 'approval_requested_again', by: 'UDEV' } as const;
  const wanted = { ...record, steps: [...steps, { n: 2, at: T0, state: record.state, cause: again }] };
  expect(card(wanted).text).toContain('Waiting for <@UCARA> (');
  const vote = { by: 'UDEV', source: 'button', choice: 'yes', addedAt: 1, removedAt: 0 } as const;
  const carried = { ...wanted, approval: { ...approval, votes: [vote], carried: 2 } };
  expect(card(carried).text).toContain('Waiting for <@UCARA> and <@UDEV> (');
});

test('approvers are named though none of them can vote, if there is nobody else to name', () => {
  expect(card(waiting([requester])).text).toContain(`Waiting for <@${requester}> (`);
});

const GONE = { type: 'group', group: 'S9' } as const;

test('a reminder mentions nobody if all approvers who can vote have voted', async () => {
  const waits = waiting(['UANA', 'UGONE']);
  const { approval } = waits;
  if (!approval) throw new Error('needs approval');
  const vote = { by: 'UANA', source: 'button', choice: 'yes', addedAt: 1, removedAt: 0 } as const;
  const record = { ...waits, approval: { ...approval, votes: [vote] } };
  const [note] = notesOf(withNote(record, { type: 'reminder' }, T0));
  const read = (company: Company) => note && mentionUndecided(directoryOfCompany(company), record, note);
  expect(reminded(record, await read(COMPANY))).toEqual([
    expect.stringMatching(/^This request still needs approval \(1 of 2: <@UANA>\)/),
  ]);
  expect(await read({ ...COMPANY, isAway: true })).toBeUndefined();
  const gone = { ...record, approval: { ...record.approval, policy: { ...POLICY, approvers: GONE } } };
  expect(note && (await mentionUndecided(directoryOfCompany(COMPANY), gone, note))).toBeUndefined();
});

test('a reminder tells the approvers why nobody can vote', () => {
  const held = withProblem(waiting(['UCARA']), 'reactions_unreadable', T0);
  expect(reminded(held).at(-1)).toMatch(
    /\(0 of 2\)\. I cannot read the reactions right now: approvers can use the buttons\. Expires/,
  );
});
