import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { countUnder, quorumProblem } from '../../../../src/requests/use-cases/approvals/approvers.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';
import { COMPANY, type Company, createWorkspace, OUTSIDERS } from '../../../support/requests/workspace.ts';

const BY_MEMBERS: Policy = { ...POLICY, approvers: { type: 'channel' }, channel: 'C2' };

function setUp(company: Partial<Company> = {}) {
  const { deps } = createWorkspace({ company });
  const read: string[] = [];
  const directory: typeof deps.directory = {
    ...deps.directory,
    person: (workspace, user) => {
      read.push(user);
      return deps.directory.person(workspace, user);
    },
  };
  return {
    eligible: (policy: Policy) => countUnder(directory, 'T1', policy, { most: policy.quorum + 1 }),
    problem: (policy: Policy, ...excluded: string[]) => quorumProblem(directory, 'T1', policy, excluded),
    read,
  };
}

describe('who can approve', () => {
  test('are more than must, exactly as many, or too few', async () => {
    const { eligible, problem } = setUp();
    expect(await eligible({ ...POLICY, quorum: 2 })).toEqual({ eligible: 3 });
    expect(await eligible({ ...POLICY, quorum: 3 })).toEqual({ eligible: 3 });
    expect(await eligible({ ...POLICY, quorum: 4 })).toEqual({ problem: 'too_few', eligible: 3 });
    expect(await problem({ ...POLICY, quorum: 2 }, 'UANA')).toBeUndefined();
    expect(await problem({ ...POLICY, quorum: 3 }, 'UANA')).toBe('too_few');
  });

  test.each<[string, Policy, Partial<Company>]>([
    ['group_unreadable', POLICY, { groups: {} }],
    ['channel_not_visible', BY_MEMBERS, { channels: {} }],
    ['channel_not_private', BY_MEMBERS, { channels: { C2: { members: ['UANA'] } } }],
  ])('cannot be told (%s)', async (problem, policy, company) => {
    const { eligible, problem: find } = setUp(company);
    expect(await eligible(policy)).toMatchObject({ problem });
    expect(await find(policy)).toBe(problem);
  });

  test('are too few, whatever is wrong with the approvals channel, too: that can be fixed', async () => {
    const { eligible, problem } = setUp({ channels: { C2: { isArchived: true, isPrivate: true } } });
    const apart: Policy = { ...POLICY, channel: 'C2', shownIn: 'approvals_channel' };
    expect(await eligible({ ...apart, quorum: 4 })).toMatchObject({ problem: 'too_few' });
    expect(await problem({ ...apart, quorum: 3 }, 'UANA')).toBe('too_few');
    expect(await problem({ ...apart, quorum: 2 }, 'UANA')).toBe('channel_archived');
  });

  test('are the full members among the named, whatever names them, the requester left out', async () => {
    const everybody = Object.keys(COMPANY.people);
    const people = fc.uniqueArray(fc.constantFrom(...everybody, 'UNKNOWN'), { minLength: 1 });
    const approvers = fc.constantFrom('group' as const, 'people' as const, 'channel' as const);
    const quorum = fc.integer({ min: 1, max: 5 });
    const requester = fc.constantFrom(undefined, ...everybody);
    const able = ['U1', 'UANA', 'UBEN', 'UCLEO', 'UOTHER', 'UADMIN'];
    const property = fc.asyncProperty(
      people,
      approvers,
      quorum,
      requester,
      async (members, type, quorum, by) => {
        const { eligible, problem } = setUp({
          groups: { S1: members },
          channels: { C2: { isPrivate: true, members } },
        });
        const named = {
          group: POLICY.approvers,
          people: { type: 'people', people: members },
          channel: { type },
        };
        const policy = { ...BY_MEMBERS, approvers: named[type], quorum } as Policy;
        const count = members.filter((member) => able.includes(member)).length;
        const problemOfAll = count < quorum ? 'too_few' : undefined;
        const expected = { problem: problemOfAll, eligible: Math.min(count, quorum + 1) };
        expect(await eligible(policy)).toEqual(expected);
        const isOne = by !== undefined && members.includes(by) && able.includes(by);
        const ofOthers = count - (isOne ? 1 : 0) < quorum ? 'too_few' : undefined;
        expect(await problem(policy, ...(by === undefined ? [] : [by]))).toBe(ofOthers);
      },
    );
    await fc.assert(property);
  });

  test('are looked for no longer than one more than must approve is found', async () => {
    const members = Array.from({ length: 500 }, (_, n) => `U${n}`);
    const people = Object.fromEntries(members.map((id) => [id, {}]));
    const { eligible, read } = setUp({ groups: { S1: members }, people });
    expect(await eligible(POLICY)).toEqual({ eligible: POLICY.quorum + 1 });
    expect(read).toHaveLength(POLICY.quorum + 1);
  });

  test('are looked for no longer than as many as must approve are found, where a person waits', async () => {
    const { problem, read } = setUp({ groups: { S1: ['UANA', 'UBEN', ...OUTSIDERS.map(([id]) => id)] } });
    expect(await problem({ ...POLICY, quorum: 2 }, 'U1')).toBeUndefined();
    expect(read).toEqual(['UANA', 'UBEN']);
  });

  test('are too few where a group begins with more guests than Slack tells of in a minute', async () => {
    const members = [...Array.from({ length: 60 }, () => 'UGUEST'), 'UANA', 'UBEN', 'UCLEO'];
    const { eligible, read } = setUp({ groups: { S1: members } });
    expect(await eligible(POLICY)).toMatchObject({ problem: 'too_few' });
    expect(read).toHaveLength(60);
  });

  test('are not known while Slack is away: a fault', async () => {
    await expect(setUp({ isAway: true }).eligible(POLICY)).rejects.toThrow('Slack is away');
  });
});
