import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cast } from '../../../../src/requests/model/acts.ts';
import { type Approval, approvers, BUTTON } from '../../../../src/requests/model/approval.ts';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { notesOf } from '../../../../src/requests/model/record-messages.ts';
import { mayVote, takeBack, type Voted, vote } from '../../../../src/requests/use-cases/approvals/vote.ts';
import { card } from '../../../../src/slack/messages/content/card.ts';
import { voteAnswer, voteFeedback } from '../../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY, waitingRecord } from '../../../support/requests/approval-policy.ts';
import { REQUEST, T0 } from '../../../support/requests/records.ts';
import { type Company, createWorkspace, OUTSIDERS } from '../../../support/requests/workspace.ts';
import { inAnyVersion } from '../../../support/storage/versions.ts';

const REF = { workspace: 'T1', id: REQUEST.id };
const YES: Omit<Cast, 'by'> = { choice: 'yes', source: BUTTON, added: true };
/** The moment of a click, by Slack's clock. */
const CLICK = T0 * 1_000;
const NO: Omit<Cast, 'by'> = { ...YES, choice: 'no' };

async function setUp({
  policy = {},
  company = {},
  approval = {},
  isBeingConfirmed = false,
}: {
  isBeingConfirmed?: boolean;
  policy?: Partial<Policy>;
  company?: Partial<Company>;
  approval?: Partial<Approval>;
} = {}) {
  const { deps, seed, read, state, woken } = createWorkspace({ company });
  const waiting = waitingRecord({ ...POLICY, ...policy });
  const end = T0 + POLICY.expiresAfterMs;
  const claim = {
    effect: 'confirm_votes',
    owner: 'r1',
    startedAt: end - 1_000,
    expiresAt: end + 30_000,
  } as const;
  await seed({
    ...waiting,
    ...(isBeingConfirmed && { claim }),
    approval: { ...(waiting.approval as Approval), ...approval },
  });
  return {
    state,
    woken,
    vote: (by: string, cast: Partial<Cast> = {}) => vote(deps, REF, { ...YES, by, ...cast }),
    mayVote: (by: string, cast: Partial<Cast> = {}) => mayVote(deps, REF, { ...YES, by, ...cast }),
    takeBack: (by: string, seen: { moment?: number } = {}) => takeBack(deps, REF, { by, ...seen }),
    voteElsewhere: () => vote(deps, { ...REF, workspace: 'T2' }, { ...YES, by: 'UANA' }),
    read: () => read(REF),
    approval: async () => (await read(REF)).approval,
  };
}

describe('a vote', () => {
  test('is counted, stands in the history, and leaves the request waiting while more are needed', async () => {
    const { vote, read, woken } = await setUp();
    const counted = await vote('UANA', { moment: CLICK });
    const record = await read();
    expect(counted).toEqual({ type: 'counted', record: inAnyVersion(record) });
    expect(record).toMatchObject({
      state: 'awaiting_approval',
      revision: 2,
      approval: {
        votes: [{ by: 'UANA', source: BUTTON, choice: 'yes', addedAt: CLICK, removedAt: 0 }],
        history: [{ at: T0, by: 'UANA', type: 'voted', choice: 'yes' }],
      },
    });
    expect(record.approval).not.toHaveProperty('confirmation');
    expect(woken).toEqual([REQUEST.id]);
  });

  test('made a second time in another way counts once, and says so once', async () => {
    const { vote, approval } = await setUp();
    await vote('UANA', { moment: CLICK });
    const again = { source: 'white_check_mark', moment: CLICK + 1 };
    expect(await vote('UANA', again)).toMatchObject({ type: 'counted', again: [BUTTON, 'white_check_mark'] });
    // Slack delivers it again.
    expect(await vote('UANA', again)).not.toHaveProperty('again');
    expect(await approval()).not.toHaveProperty('confirmation');
  });

  test('made a second time in the same way is entered once, also where it was taken back in between', async () => {
    const { vote, approval } = await setUp();
    await vote('UANA', { moment: CLICK });
    expect(await vote('UANA', { moment: CLICK + 2 })).toMatchObject({ again: [BUTTON] });
    // Slack tells of it late: the later vote stands.
    await vote('UANA', { moment: CLICK + 1, added: false });
    const { history, ...votes } = (await approval()) as Approval;
    expect(history.map(({ type }) => type)).toEqual(['voted']);
    expect(approvers(votes)).toEqual(['UANA']);
    await vote('UANA', { moment: CLICK + 3, added: false });
    expect((await approval())?.history.map(({ type }) => type)).toEqual(['voted', 'taken_back']);
  });

  test('made a second time in the same way shows its voter as the latest approver', async () => {
    const { vote, read } = await setUp({ policy: { quorum: 3 } });
    await vote('UANA', { moment: CLICK });
    await vote('UBEN', { moment: CLICK + 1 });
    const before = await read();
    expect(card(before).text).toContain('<@UANA> and <@UBEN>');
    await vote('UANA', { moment: CLICK + 2 });
    const after = await read();
    expect(card(after).text).toContain('<@UBEN> and <@UANA>');
    expect(after.revision).toBe(before.revision + 1);
  });

  test('made a second time tells of no vote that was taken back, is of a former round or somebody else’s', async () => {
    const votes = [
      { by: 'UANA', source: 'former', choice: 'yes' as const, addedAt: CLICK, removedAt: 0 },
      { by: 'UBEN', source: 'theirs', choice: 'yes' as const, addedAt: CLICK + 1, removedAt: 0 },
    ];
    const { vote } = await setUp({ policy: { quorum: 3 }, approval: { votes, countedFrom: CLICK } });
    const reaction = { source: 'white_check_mark', moment: CLICK + 2 };
    await vote('UANA', reaction);
    await vote('UANA', { moment: CLICK + 3 });
    await vote('UANA', { ...reaction, added: false, moment: CLICK + 4 });
    expect(await vote('UANA', { moment: CLICK + 5 })).toMatchObject({ type: 'counted', again: [BUTTON] });
  });

  test('that does not count tells how many do, but nobody of another company', async () => {
    const { vote } = await setUp();
    await vote('UANA', { moment: CLICK });
    const refused = await vote('U1');
    expect(refused).toMatchObject({ type: 'refused', problem: 'own_request' });
    expect(voteFeedback(refused)).toContain('So far 1 of 2 approvals count.');
    expect(voteAnswer(refused)).toMatch(/^\*Cancel order A-1001\*: Your vote does not count, because you/);
    expect(voteAnswer(await vote('UEXTERNAL'))).toMatch(/^Your vote does not count\. [^0-9]+$/);
  });

  test('that meets the policy sends nothing before the votes are confirmed', async () => {
    const { vote, read } = await setUp();
    await vote('UANA');
    await vote('UBEN');
    const confirmation = { since: T0, tries: 0, notBefore: T0 };
    expect(await read()).toMatchObject({ state: 'awaiting_approval', approval: { confirmation } });
  });

  test('against it declines at once, with the reason that was given', async () => {
    const { vote, read } = await setUp();
    await vote('UANA');
    await vote('UBEN', { ...NO, reason: 'Already shipped' });
    const decision = { choice: 'no', by: ['UBEN'], at: T0, source: BUTTON, reason: 'Already shipped' };
    expect(await read()).toMatchObject({ state: 'declined', approval: { decision } });
    expect(notesOf(await read())).toEqual([]);
  });

  test('against it by a reaction declines at once, and its voter is asked for a reason', async () => {
    const { vote, read } = await setUp();
    await vote('UANA', { choice: 'no', source: 'x', moment: T0 * 1_000 });
    expect((await read()).state).toBe('declined');
    expect(notesOf(await read())).toMatchObject([{ type: 'reason_wanted' }]);
  });

  test('is not lost beside another one in the same moment', async () => {
    const { vote, approval } = await setUp();
    await Promise.all([vote('UANA'), vote('UBEN')]);
    expect((await approval())?.votes.map(({ by }) => by).sort()).toEqual(['UANA', 'UBEN']);
  });

  test('of somebody else is refused with the names of those who can decide, without the requester', async () => {
    const approvers = { type: 'people' as const, people: ['UANA', REQUEST.requester, 'UDEV'] };
    const { vote } = await setUp({ policy: { approvers } });
    expect(await vote('UOTHER')).toMatchObject({
      problem: 'not_approver',
      policy: { approvers: { people: ['UANA', 'UDEV'] } },
    });
  });

  const isNever = ([, problem]: readonly [string, string]) => ['external_user', 'bot'].includes(problem);
  test.each([...OUTSIDERS, ['U1', 'own_request'], ['UOTHER', 'not_approver']] as const)(
    'of %s is refused (%s), which stands in the history each time, and once of those who may never vote',
    async (by, problem) => {
      // Being named does not help them.
      const { vote, approval } = await setUp({
        company: { groups: { S1: ['U1', ...OUTSIDERS.map(([id]) => id)] } },
      });
      for (const cast of [YES, NO, YES]) {
        expect(await vote(by, cast)).toMatchObject({ type: 'refused', problem, policy: POLICY });
      }
      const refusal = { at: T0, by, type: 'refused', source: BUTTON, problem };
      const refused = isNever([by, problem]) ? ['yes', 'no'] : ['yes', 'no', 'yes'];
      const history = refused.map((choice) => ({ ...refusal, choice }));
      expect(await approval()).toMatchObject({ votes: [], history });
    },
  );

  test('that does not count stands in the history once, however often Slack delivers it', async () => {
    const { vote, approval } = await setUp();
    for (const moment of [CLICK, CLICK, CLICK + 1]) await vote('UOTHER', { moment });
    expect((await approval())?.history.map(({ moment }) => moment)).toEqual([CLICK, CLICK + 1]);
  });

  test.each(OUTSIDERS.filter(isNever))(
    'of %s, who may never vote (%s), is written once, however often they repeat it',
    async (by, problem) => {
      const { vote, read } = await setUp();
      const cast = { source: 'x', choice: 'no' as const };
      await vote(by, { ...cast, moment: CLICK });
      const before = await read();
      await vote(by, { ...cast, moment: CLICK + 1, added: false });
      expect(await vote(by, { ...cast, moment: CLICK + 2 })).toMatchObject({ type: 'refused', problem });
      expect(await read()).toEqual(before);
      await vote(by, { ...cast, source: 'no_entry', moment: CLICK + 3 });
      expect((await read()).approval?.history).toHaveLength(2);
    },
  );

  test('of a guest counts once they are a member, and is refused and written again once they are a guest again', async () => {
    const { vote, approval, state } = await setUp({ policy: { quorum: 3 } });
    state.company.groups = { S1: ['UANA', 'UBEN', 'UCLEO', 'UGUEST'] };
    for (const [n, isGuest] of [true, false, true].entries()) {
      state.company.people = { ...state.company.people, UGUEST: { isGuest } };
      await vote('UGUEST', { moment: CLICK + n });
    }
    expect((await approval())?.history.map(({ type }) => type)).toEqual(['refused', 'voted', 'refused']);
  });

  test('against a request does not count if its removal arrived first, also before the bot knew its voter as an approver', async () => {
    const { vote, approval, state } = await setUp();
    const { groups } = state.company;
    state.company.groups = { S1: [] };
    await vote('UBEN', { source: 'x', choice: 'no', moment: CLICK + 1, added: false });
    state.company.groups = groups;
    await vote('UBEN', { source: 'x', choice: 'no', moment: CLICK });
    expect((await approval())?.decision).toBeUndefined();
  });

  test('is refused while nobody can vote, and the admin who set the policy hears of it once', async () => {
    const { vote, read, state } = await setUp();
    state.company.groups = {};
    for (const by of ['UANA', 'UBEN']) expect(await vote(by)).toMatchObject({ problem: 'group_unreadable' });
    const alarm = { type: 'alarm', problem: 'group_unreadable' };
    expect(await read()).toMatchObject({ approval: { problem: 'group_unreadable' } });
    expect(notesOf(await read())).toMatchObject([alarm]);
    state.company.groups = { S1: ['UANA', 'UBEN'] };
    expect(await vote('UANA')).toMatchObject({ type: 'counted' });
    expect((await read()).approval).not.toHaveProperty('problem');
  });

  test('has the approvers counted again where too few were left', async () => {
    const { vote, approval, state } = await setUp({ approval: { problem: 'too_few' } });
    state.company.groups = { S1: ['UANA', 'U1'] };
    expect(await vote('UANA')).toMatchObject({ type: 'counted' });
    expect(await approval()).toMatchObject({ problem: 'too_few' });
    state.company.groups = { S1: ['UANA', 'UBEN', 'U1'] };
    expect(await vote('UBEN')).toMatchObject({ type: 'counted' });
    expect(await approval()).not.toHaveProperty('problem');
  });

  test('shows that too few approvers are left, if others have to approve, too', async () => {
    const { vote, approval, state } = await setUp();
    state.company.groups = { S1: ['UANA', 'U1'] };
    expect(await vote('UANA')).toMatchObject({ type: 'counted' });
    expect(await approval()).toMatchObject({ problem: 'too_few' });
  });

  test('leaves standing what it does not show to be mended, however many approvers there are', async () => {
    const { vote, takeBack, approval } = await setUp({ approval: { problem: 'reactions_unreadable' } });
    expect(await vote('UANA')).toMatchObject({ type: 'counted' });
    expect(await approval()).toMatchObject({ problem: 'reactions_unreadable' });
    expect(await takeBack('UANA')).toMatchObject({ type: 'counted' });
    expect(await approval()).toMatchObject({ problem: 'reactions_unreadable' });
  });

  test('counts although Slack does not list the approvers; the next vote has them counted', async () => {
    const { vote, approval, state } = await setUp();
    state.company.groups = { S1: ['UANA', 'U1'] };
    state.company.unlisted = ['S1'];
    expect(await vote('UANA')).toMatchObject({ type: 'counted' });
    expect(await approval()).not.toHaveProperty('problem');
    state.company.unlisted = [];
    expect(await vote('UANA', { source: 'white_check_mark' })).toMatchObject({ type: 'counted' });
    expect(await approval()).toMatchObject({ problem: 'too_few' });
  });

  test('that Slack delivers again is not one made in another way, though too few approvers are left by then', async () => {
    const { vote, approval, state } = await setUp();
    await vote('UANA', { moment: CLICK });
    state.company.groups = { S1: ['UANA', 'U1'] };
    expect(await vote('UANA', { moment: CLICK })).not.toHaveProperty('again');
    expect(await approval()).toMatchObject({ problem: 'too_few' });
  });

  test('is a fault while Slack is away, and counts for nothing', async () => {
    const { vote, read } = await setUp({ company: { isAway: true } });
    await expect(vote('UANA')).rejects.toThrow('Slack is away');
    expect(await read()).toEqual(inAnyVersion(waitingRecord()));
  });

  test('reaches no request of another workspace, though its id is known', async () => {
    const { voteElsewhere, read } = await setUp();
    expect(await voteElsewhere()).toEqual({ type: 'not_found' });
    expect(await read()).toEqual(inAnyVersion(waitingRecord()));
  });
});

describe('a vote that comes late', () => {
  test('ends a request whose time is over', async () => {
    const { vote, read, state } = await setUp();
    state.now += POLICY.expiresAfterMs;
    expect(await vote('UANA')).toMatchObject({ type: 'too_late', record: { state: 'expired' } });
    expect(await read()).toMatchObject({ state: 'expired', approval: { votes: [] } });
  });

  test('ends a request whose time is over, and its history names the button that came too late', async () => {
    const { vote, read, state } = await setUp();
    state.now += POLICY.expiresAfterMs;
    expect(await vote('UANA', { round: 1 })).toMatchObject({ type: 'too_late' });
    const late = { by: 'UANA', action: 'approve', state: 'expired' };
    expect(await read()).toMatchObject({ state: 'expired', lateActions: [late] });
  });

  test.each<[string, Partial<Cast>]>([
    ['UGUEST', {}],
    ['UANA', { ...NO, round: 1 }],
    ['UANA', { moment: CLICK }],
  ])(
    'does not count, and leaves it to the confirmation of the approvals under way to end the request: %s, %j',
    async (by, cast) => {
      const { vote, read, state } = await setUp({ policy: { quorum: 1 }, isBeingConfirmed: true });
      state.now += POLICY.expiresAfterMs;
      expect(await vote(by, cast)).toMatchObject({
        type: 'too_late',
        record: { state: 'awaiting_approval' },
      });
      expect(await read()).toMatchObject({
        state: 'awaiting_approval',
        approval: { votes: [] },
        claim: { effect: 'confirm_votes' },
      });
      state.now += 60_000;
      expect(await vote(by, cast)).toMatchObject({ type: 'too_late', record: { state: 'expired' } });
    },
  );

  test.each([BUTTON, POLICY.emoji.yes])(
    'is still taken back while the approvals are being confirmed: by %s',
    async (source) => {
      const votes = [{ by: 'UANA', source, choice: 'yes' as const, addedAt: CLICK, removedAt: 0 }];
      const { vote, read, state } = await setUp({
        policy: { quorum: 1 },
        isBeingConfirmed: true,
        approval: { votes },
      });
      state.now += POLICY.expiresAfterMs;
      const back = { source, added: false, moment: CLICK + 1 };
      expect(await vote('UANA', back)).toMatchObject({
        type: 'counted',
        record: { state: 'awaiting_approval' },
      });
      expect((await read()).approval).toMatchObject({ votes: [{ removedAt: CLICK + 1 }] });
    },
  );

  test('says that the time is over, where only the confirmation is awaited', async () => {
    const { vote, state } = await setUp({ isBeingConfirmed: true });
    state.now += POLICY.expiresAfterMs;
    expect(voteAnswer(await vote('UANA'))).toContain(
      '*Vote not counted*, because the time for approval is over.',
    );
  });

  test.each([
    ['a form for it is opened when its time is over', POLICY.expiresAfterMs, 1],
    ['a form for it is opened in another round', 0, 2],
  ])('is not noted where %s: nobody has confirmed anything', async (_name, later, round) => {
    const { mayVote, read, state } = await setUp();
    state.now += later;
    expect(await mayVote('UANA', { ...NO, round })).toMatchObject({ type: 'too_late' });
    expect(await read()).toMatchObject({ lateActions: [] });
  });

  test('is too late, unless it is the one that was counted, told once more', async () => {
    const { vote, read } = await setUp();
    const cast = { choice: 'no', source: 'x', moment: T0 * 1_000 } as const;
    await vote('UANA', cast);
    const declined = await read();
    expect(await vote('UANA', cast)).toEqual({ type: 'counted', record: declined });
    expect(await vote('UANA', { ...cast, moment: cast.moment + 1 })).toMatchObject({ type: 'too_late' });
    expect(await vote('UBEN', { moment: cast.moment })).toMatchObject({ type: 'too_late' });
    expect(await read()).toEqual(declined);
  });

  test('by a button of another round of approval is too late, which its history says', async () => {
    const { vote, read } = await setUp();
    expect(await vote('UANA', { round: 2 })).toMatchObject({ type: 'too_late' });
    expect(await read()).toMatchObject({
      state: 'awaiting_approval',
      approval: { votes: [] },
      lateActions: [{ by: 'UANA', action: 'approve', state: 'awaiting_approval' }],
    });
  });

  test('tells people of other companies nothing of what became of the request', async () => {
    const { vote } = await setUp();
    await vote('UANA', NO);
    const refused = { type: 'refused', problem: 'external_user', policy: POLICY, source: BUTTON };
    for (const by of ['UEXTERNAL', 'UNKNOWN']) expect(await vote(by)).toEqual(refused);
  });

  test('tells people of other companies nothing, either, of a request that expires by it', async () => {
    const { vote, read, state } = await setUp();
    state.now += POLICY.expiresAfterMs;
    expect(await vote('UEXTERNAL')).toMatchObject({ type: 'refused', problem: 'external_user' });
    expect(await read()).toMatchObject({ state: 'expired' });
  });
});

describe('a vote by the button', () => {
  test('is taken back, and stands in the history as both', async () => {
    const { vote, takeBack, approval } = await setUp();
    await vote('UANA');
    await vote('UBEN');
    expect(await takeBack('UANA')).toMatchObject({ type: 'counted' });
    const after = await approval();
    expect(after?.history.map(({ by, type }) => `${by} ${type}`)).toEqual([
      ...['UANA voted', 'UBEN voted', 'UANA taken_back'],
    ]);
    expect(after).not.toHaveProperty('confirmation');
  });

  test('is taken back by somebody who may not vote any more, too', async () => {
    const { vote, takeBack, state } = await setUp();
    await vote('UANA');
    state.company.groups = { S1: [] };
    expect(await takeBack('UANA')).toMatchObject({ type: 'counted' });
  });

  test('is taken back once, by the person who made it, and a reaction not at all', async () => {
    const { vote, takeBack, approval } = await setUp();
    await vote('UANA');
    await vote('UBEN', { source: 'white_check_mark', moment: T0 * 1_000 });
    await takeBack('UANA');
    const before = await approval();
    for (const by of ['UANA', 'UBEN', 'UCLEO'])
      expect(await takeBack(by)).toMatchObject({ type: 'no_vote', record: { id: REQUEST.id } });
    expect(await approval()).toEqual(before);
  });

  test('that does not exist is not taken back, and the answer names the request, except to people of other companies', async () => {
    const { takeBack } = await setUp();
    expect(voteAnswer(await takeBack('UANA'))).toMatch(
      /^\*Cancel order A-1001\*: You have no vote by button/,
    );
    expect(voteAnswer(await takeBack('UEXTERNAL'))).toMatch(/^You have no vote by button/);
  });

  test('does not count if the click that takes it back arrives first', async () => {
    const { vote, takeBack, approval } = await setUp({ policy: { quorum: 1 } });
    expect(await takeBack('UANA', { moment: T0 * 1_000 + 60 })).toMatchObject({ type: 'no_vote' });
    await vote('UANA', { moment: T0 * 1_000 });
    expect(await approval()).not.toHaveProperty('confirmation');
    await vote('UANA', { moment: T0 * 1_000 + 70 });
    expect(await approval()).toHaveProperty('confirmation');
    expect(await takeBack('UANA')).toMatchObject({ type: 'counted' });
  });

  test('does not count if it is taken back first, while nobody can vote', async () => {
    const { vote, takeBack, approval, state } = await setUp({ policy: { quorum: 1 } });
    const { groups } = state.company;
    state.company.groups = {};
    expect(await takeBack('UANA', { moment: CLICK + 1 })).toMatchObject({ type: 'no_vote' });
    state.company.groups = groups;
    await vote('UANA', { moment: CLICK });
    expect(await approval()).not.toHaveProperty('confirmation');
  });

  test('is taken back too late for the decision, but does not stand for another round', async () => {
    const { vote, takeBack, read } = await setUp();
    await vote('UANA', { moment: CLICK });
    await vote('UBEN', { ...NO, moment: CLICK + 1 });
    const before = await read();
    expect(before.state).toBe('declined');
    expect(voteFeedback(await takeBack('UANA', { moment: CLICK + 2 }))).toMatch(
      /^\*Vote taken back too late\*, because the request no longer waits for this approval\. .*declined/,
    );
    const after = await read();
    expect(after.approval?.history.map(({ by, type }) => `${by} ${type}`)).toEqual([
      ...['UANA voted', 'UBEN voted', 'UANA taken_back'],
    ]);
    expect(after.approval?.votes.find(({ by }) => by === 'UANA')).toMatchObject({ removedAt: CLICK + 2 });
    expect(after).toMatchObject({ state: 'declined', approval: { decision: before.approval?.decision } });
    expect(await takeBack('UANA', { moment: CLICK + 3 })).toMatchObject({ type: 'no_vote' });
  });

  test.each([
    ['counts', {}],
    ['is carried from the former one', { carried: CLICK + 9 }],
  ])('is taken back in a later round of approval, where it %s', async (_, carried) => {
    // The carried votes meet the policy, or they would not be carried.
    const { vote, takeBack, read } = await setUp({
      policy: { quorum: 1 },
      approval: { round: 2, ...carried },
    });
    await vote('UANA', { moment: CLICK, round: 2 });
    const { revision } = await read();
    const taken = await takeBack('UANA', { moment: CLICK + 1 });
    const record = await read();
    expect(taken).toEqual({ type: 'counted', record: inAnyVersion(record) });
    expect(approvers(record.approval as Approval)).toEqual([]);
    expect(record.revision).toBe(revision + 1);
  });

  test('is entered in a new round, though that of a former one stands', async () => {
    const former = { by: 'UANA', source: BUTTON, choice: 'yes' as const, addedAt: CLICK, removedAt: 0 };
    const { vote, approval } = await setUp({
      approval: { round: 2, votes: [former], countedFrom: CLICK },
    });
    await vote('UANA', { moment: CLICK + 1, round: 2 });
    expect((await approval())?.history.map(({ type }) => type)).toEqual(['voted']);
  });

  test('stands in a new round, if it was cast after the click that takes back that of a former one', async () => {
    const { vote, takeBack, read } = await setUp({ approval: { round: 2 } });
    await vote('UANA', { moment: CLICK + 1, round: 2 });
    await takeBack('UANA', { moment: CLICK });
    expect(approvers((await read()).approval as Approval)).toEqual(['UANA']);
  });

  test('counts again after it was taken back, though the clock has not moved', async () => {
    const { vote, takeBack, approval } = await setUp({ policy: { quorum: 1 } });
    await vote('UANA');
    await takeBack('UANA');
    await vote('UANA');
    expect(await approval()).toHaveProperty('confirmation');
  });
});

describe('a vote while our clock is not that of Slack', () => {
  const MINUTES = 60_000_000;

  test.each([
    ['the time of its click', { moment: CLICK + 5 * MINUTES }],
    ['no time', {}],
  ])('counts by a form with %s, after approval was asked again', async (_name, cast) => {
    const { vote, read } = await setUp({ approval: { countedFrom: CLICK + 4 * MINUTES } });
    await vote('UANA', { ...NO, isForm: true, ...cast });
    expect(await read()).toMatchObject({ state: 'declined', approval: { decision: { by: ['UANA'] } } });
  });

  test('by a form comes after what its voter did while the form was open', async () => {
    const { vote, read } = await setUp();
    await vote('UANA', { source: 'white_check_mark', moment: CLICK + 4 * MINUTES });
    const form = { ...NO, isForm: true, moment: CLICK };
    expect(await vote('UANA', form)).toMatchObject({ type: 'counted', record: { state: 'declined' } });
    // Slack delivers it again.
    expect(await vote('UANA', form)).toMatchObject({ type: 'counted' });
    expect(await read()).toMatchObject({ approval: { decision: { choice: 'no', by: ['UANA'] } } });
  });

  test('by a form gives only its reason, where its voter has declined by a reaction meanwhile', async () => {
    const { vote, read, approval } = await setUp();
    await vote('UANA', { ...NO, source: 'x', moment: CLICK + 4 * MINUTES });
    const form = { ...NO, isForm: true, moment: CLICK, round: 1, reason: 'It has shipped' };
    expect(await vote('UBEN', form)).toMatchObject({ type: 'too_late' });
    expect(await approval()).not.toHaveProperty('decision.reason');
    expect(await vote('UANA', form)).toMatchObject({ type: 'counted', record: { state: 'declined' } });
    const once = await read();
    expect(once.approval).toMatchObject({ decision: { reason: 'It has shipped' } });
    // Sent again, because the answer was lost.
    expect(await vote('UANA', form)).toMatchObject({ type: 'counted' });
    expect(await read()).toEqual(once);
  });
});

const saidBy = (voted: Voted) => ('problem' in voted ? [voted.type, voted.problem] : [voted.type]);

describe('whether a vote would count', () => {
  test('is what voting then says, whoever asks and whenever, and counts for nothing', async () => {
    const by = fc.constantFrom('UANA', 'UBEN', 'U1', 'UOTHER', ...OUTSIDERS.map(([id]) => id));
    const choice = fc.constantFrom('yes' as const, 'no' as const);
    const cast = fc.record({ by, choice, round: fc.constantFrom(1, 2) }, { requiredKeys: ['by', 'choice'] });
    const before = fc.array(fc.record({ by, choice }), { maxLength: 2 });
    const property = fc.asyncProperty(before, cast, fc.boolean(), async (earlier, cast, isOver) => {
      const { vote, mayVote, approval, state } = await setUp();
      for (const given of earlier) await vote(given.by, given);
      if (isOver) state.now += POLICY.expiresAfterMs;
      const votes = (await approval())?.votes;
      const allowed = await mayVote(cast.by, cast);
      expect((await approval())?.votes).toEqual(votes);
      expect(saidBy(await vote(cast.by, cast))).toEqual(saidBy(allowed));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
