/** The people whom a request names as its approvers: those who may decide about it. */
import { expect, test } from 'vitest';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { approvalMessage, card } from '../../../src/slack/messages/content/card.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { REQUEST, T0 } from '../../support/requests/records.ts';

const { requester } = REQUEST;

const waiting = (people: string[], shownIn: Policy['shownIn'] = 'where_requested') =>
  waitingRecord({ ...POLICY, shownIn, approvers: { type: 'people', people } });

const reminded = (record: RequestRecord): string[] => {
  const noted = withNote(record, { type: 'reminder' }, T0);
  return notesOf(noted).map((note) => noteMessage(noted, note).text);
};

test('leave out the requester, who cannot vote', () => {
  const people = ['UCARA', requester, 'UDEV'];
  const here = waiting(people);
  const texts = [card(here).text, approvalMessage(waiting(people, 'approvals_channel'), undefined).text];
  expect(texts).toEqual(Array(2).fill(expect.stringContaining('Waiting for <@UCARA> and <@UDEV> (0 of')));
  expect(reminded(here)).toEqual([expect.stringMatching(/^<@UCARA> and <@UDEV>: /)]);
});

test('leave out who wants the request sent again, unless they had approved it before', () => {
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

test('are named though none of them can vote, where there is nobody else to name', () => {
  expect(card(waiting([requester])).text).toContain(`Waiting for <@${requester}> (`);
});
