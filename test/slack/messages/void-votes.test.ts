/** What a card says of votes that were void when they were counted. */
import { expect, test } from 'vitest';
import { BUTTON, type Vote, withEntry } from '../../../src/requests/model/approval.ts';
import { awaiting } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { WHY_NOT } from '../../../src/slack/messages/sentences/approvers-problems.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0 } from '../../support/requests/records.ts';

test.each(Object.entries(WHY_NOT))(
  'the reason why a vote did not count (%s) stays true if its voter gets the right to vote later',
  (_problem, why) => {
    expect(why).not.toMatch(/\b(?:is|are|has|have|may|belong)\b/);
  },
);

type Cast = Pick<Vote, 'source' | 'addedAt' | 'removedAt'>;

/** The card of a request whose approver has lost the right to vote, which makes each vote void as of its own moment. */
function shown(...votes: Cast[]): string {
  const record = waitingRecord();
  if (!record.approval) throw new Error('needs approval');
  const voter = { by: 'UDEV', choice: 'yes' as const };
  const cast = votes.map((vote) => ({ ...voter, ...vote }));
  const approval = votes.reduce(
    (next, { source }) =>
      withEntry(next, { ...voter, source, at: T0, type: 'void', problem: 'not_approver' }),
    { ...record.approval, votes: cast },
  );
  return awaiting({ ...record, approval });
}

const reaction = (removedAt = 1): Cast => ({ source: POLICY.emoji.yes, addedAt: 1, removedAt });
const button: Cast = { source: BUTTON, addedAt: 2, removedAt: 2 };

test.each([
  ['a reaction', [reaction()], true],
  ['a reaction and, later, the button', [reaction(), button], true],
  ['a reaction that was removed since', [reaction(3)], false],
  ['the button', [button], false],
])(
  'a card tells of a void vote by %s, and how to react again only while a reaction is there',
  (_by, votes, isTold) => {
    const text = shown(...votes);
    expect(text).toContain("<@UDEV>'s vote no longer counts: they were not an approver.");
    expect(text.includes('To react again, they must remove their reaction first.')).toBe(isTold);
  },
);
