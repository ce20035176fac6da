import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyVote,
  BUTTON,
  counted,
  type Vote,
  type VoteChange,
  type VoteEntry,
  verdict,
  votesGone,
  withEntry,
} from '../../../src/requests/model/approval.ts';
import { pendingEffects } from '../../../src/requests/model/pending-effects.ts';
import { choiceOf } from '../../../src/requests/model/policy.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { REQUEST, T0, withCard } from '../../support/requests/records.ts';

const people = ['UANA', 'UBEN', 'UCLEO'];

const anyChange: fc.Arbitrary<VoteChange> = fc
  .record({
    by: fc.constantFrom(...people),
    source: fc.constantFrom('white_check_mark', 'x', BUTTON),
    choice: fc.constantFrom('yes' as const, 'no' as const),
    added: fc.boolean(),
    moment: fc.integer({ min: 1, max: 50 }),
  })
  .map((change) => ({ ...change, choice: change.source === 'x' ? 'no' : 'yes' }));

/** No two things happen in Slack at one moment. */
const anyChanges = fc.uniqueArray(anyChange, { selector: ({ moment }) => moment, maxLength: 12 });

test('a history keeps three hundred entries: of more it loses refusals first, and counts what it has lost', () => {
  const entry = (type: VoteEntry['type'], by: string) => ({
    type,
    by,
    source: BUTTON,
    choice: 'yes' as const,
    at: 1,
  });
  const types = Array.from({ length: 300 }, (_, n) => (n === 5 ? ('refused' as const) : ('voted' as const)));
  const none = { history: [], forgotten: 0 };
  const full = types.reduce<{ history: VoteEntry[]; forgotten: number }>(
    (history, type, n) => withEntry(history, entry(type, `U${n}`)),
    none,
  );
  expect([full.history.length, full.forgotten]).toEqual([300, 0]);
  const one = withEntry(full, entry('voted', 'UNEW'));
  expect([one.history.length, one.forgotten]).toEqual([300, 1]);
  expect(one.history.some(({ type }) => type === 'refused')).toBe(false);
  expect(withEntry(one, entry('voted', 'UNEXT')).history[0]).toMatchObject({ by: 'U1' });
});

const said = (changes: readonly VoteChange[]) => changes.reduce<Vote[]>(applyVote, []);
const shown = (votes: Vote[], countedFrom = 0) =>
  counted({ votes, countedFrom }).map(({ by, choice }) => `${by} ${choice}`);

const vote = (by: string, source: string, moment: number): VoteChange => ({
  by,
  source,
  choice: source === 'x' ? 'no' : 'yes',
  added: true,
  moment,
});
const takenBack = (change: VoteChange, moment: number): VoteChange => ({ ...change, added: false, moment });
const approvalMessage = (changes: readonly VoteChange[], quorum = 1) => ({
  votes: said(changes),
  policy: { quorum },
  countedFrom: 0,
});

describe('votes', () => {
  test('come to the same in whatever order, and however often, Slack tells of them', () => {
    const reported = anyChanges.chain((changes) =>
      fc.tuple(
        fc.constant(changes),
        fc.shuffledSubarray([...changes, ...changes, ...changes], {
          minLength: changes.length * 3,
          maxLength: changes.length * 3,
        }),
      ),
    );
    fc.assert(
      fc.property(reported, ([changes, shuffled]) => {
        const inOrder = [...changes].sort((a, b) => a.moment - b.moment);
        expect(shown(said(shuffled))).toEqual(shown(said(inOrder)));
      }),
    );
  });

  test('are one to a person', () => {
    fc.assert(
      fc.property(anyChanges, (changes) => {
        const voters = shown(said(changes)).map((line) => line.split(' ')[0]);
        expect(new Set(voters).size).toBe(voters.length);
      }),
    );
  });

  test('that are older than what is known change nothing', () => {
    const votes = said([vote('UANA', 'x', 5)]);
    expect(applyVote(votes, vote('UANA', 'x', 5))).toBe(votes);
    expect(applyVote(votes, vote('UANA', 'x', 4))).toBe(votes);
  });

  test('are replaced by a later one of the same person', () => {
    expect(shown(said([vote('UANA', 'white_check_mark', 1), vote('UANA', 'x', 2)]))).toEqual(['UANA no']);
  });

  test('are taken back by the emoji that made them alone', () => {
    const reaction = vote('UANA', 'white_check_mark', 1);
    expect(shown(said([reaction, takenBack(reaction, 3)]))).toEqual([]);
    expect(shown(said([reaction, vote('UANA', BUTTON, 2), takenBack(reaction, 3)]))).toEqual(['UANA yes']);
  });

  test('of a former round do not count', () => {
    const votes = said([vote('UANA', BUTTON, 10), vote('UBEN', BUTTON, 11)]);
    expect(shown(votes, 10)).toEqual(['UBEN yes']);
  });

  test('by reaction are known to be gone by what stands on the message', () => {
    const votes = said([vote('UANA', 'x', 1), vote('UBEN', 'x', 2), vote('UCLEO', BUTTON, 3)]);
    const gone = (countedFrom: number) =>
      votesGone({ votes, countedFrom }, [{ emoji: 'x', users: ['UBEN'] }]).map(({ by }) => by);
    expect(gone(0)).toEqual(['UANA']);
    // The card of a former round may have been deleted, and nobody has taken a vote back then.
    expect(gone(1)).toEqual([]);
  });
});

describe('a verdict', () => {
  test.each([
    ['open without votes', [], 1, { type: 'open' }],
    ['open short of the quorum', [vote('UANA', BUTTON, 1)], 2, { type: 'open' }],
    [
      'to be confirmed once as many as are needed have approved, however they did',
      [vote('UANA', BUTTON, 1), vote('UBEN', 'white_check_mark', 2)],
      2,
      { type: 'to_confirm' },
    ],
    [
      'no by one decline, by button or reaction, beside enough approvals',
      [vote('UANA', BUTTON, 1), vote('UBEN', 'x', 2)],
      1,
      { type: 'decided', choice: 'no', by: ['UBEN'] },
    ],
  ] as const)('is %s', (_name, changes, quorum, expected) => {
    expect(verdict(approvalMessage(changes, quorum))).toEqual(expected);
  });

  test('is yes by confirmed votes alone, the first of them', () => {
    const votes = [vote('UANA', BUTTON, 2), vote('UBEN', BUTTON, 1), vote('UCLEO', BUTTON, 3)];
    const without = (left: string) => verdict(approvalMessage(votes, 2), ({ by }) => by !== left);
    expect(without('UCLEO')).toEqual({ type: 'decided', choice: 'yes', by: ['UBEN', 'UANA'] });
    expect(without('UBEN')).toEqual({ type: 'decided', choice: 'yes', by: ['UANA', 'UCLEO'] });
    expect(verdict(approvalMessage(votes, 2), ({ by }) => by === 'UBEN')).toEqual({ type: 'to_confirm' });
  });

  test('is yes only by as many different people as are needed', () => {
    fc.assert(
      fc.property(anyChanges, fc.integer({ min: 1, max: 3 }), (changes, quorum) => {
        const found = verdict(approvalMessage(changes, quorum), () => true);
        if (found.type !== 'decided') return;
        expect(new Set(found.by).size).toBe(found.choice === 'yes' ? quorum : 1);
      }),
    );
  });
});

test.each([
  ['white_check_mark', 'yes'],
  ['x', 'no'],
  ['white_check_mark::skin-tone-3', 'yes'],
  ['white_check_mark::skin-tone-2-5', 'yes'],
  ['tada', undefined],
  ['white_check_mark::skin-tone-9', undefined],
])('the emoji %s votes %s', (emoji, choice) => {
  expect(choiceOf(POLICY, emoji)).toBe(choice);
});

test('an admin hears of votes that were not confirmed within half a minute', () => {
  const delivery = { status: 'posted', channel: REQUEST.channel, ts: '1.0' } as const;
  const { approval, ...rest } = withCard(waitingRecord(), { delivery });
  if (!approval) throw new Error('no approval');
  const owing = { ...approval, confirmation: { since: T0, tries: 1, notBefore: T0 + 90_000 } };
  const reports = pendingEffects({ ...rest, approval: owing }, TIMINGS).filter(
    ({ effect }) => effect.type === 'report_unconfirmed',
  );
  expect(reports.map(({ at }) => at - T0)).toEqual([30_000]);
});
