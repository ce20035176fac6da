import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { transition } from '../../../../src/requests/model/transition.ts';
import type { PeopleDirectory } from '../../../../src/requests/ports/ports.ts';
import {
  approvalsChannelProblem,
  voterProblem,
} from '../../../../src/requests/use-cases/approvals/approvers.ts';
import { isApprover } from '../../../../src/requests/use-cases/who-may.ts';
import { POLICY, waitingRecord } from '../../../support/requests/approval-policy.ts';
import { T0 } from '../../../support/requests/records.ts';
import { type Company, createWorkspace, OUTSIDERS } from '../../../support/requests/workspace.ts';

const BY_MEMBERS: Policy = { ...POLICY, approvers: { type: 'channel' }, channel: 'C2' };
const BY_NAME: Policy = { ...POLICY, approvers: { type: 'people', people: ['UANA', 'UBEN', 'U1'] } };
const directoryWith = (company: Partial<Company> = {}) => createWorkspace({ company }).deps.directory;

describe('an approver', () => {
  test.each<[string, Policy]>([
    ['in the group', POLICY],
    ['in the channel', BY_MEMBERS],
    ['by name', BY_NAME],
  ])('is whoever is %s, in the workspace of the policy alone', async (_name, policy) => {
    const directory = directoryWith();
    expect(await isApprover(directory, 'T1', policy, 'UANA')).toBe(true);
    for (const user of ['UOTHER', 'UADMIN', 'UNKNOWN', ''])
      expect(await isApprover(directory, 'T1', policy, user)).toBe(false);
  });

  test('is nobody if the group or the channel cannot be read', async () => {
    const directory = directoryWith({ groups: {}, channels: {} });
    for (const policy of [POLICY, BY_MEMBERS, { ...BY_MEMBERS, channel: undefined }])
      expect(await isApprover(directory, 'T1', policy as Policy, 'UANA')).toBe(false);
  });
});

describe('an approvals channel', () => {
  test.each<[string | undefined, string, Company['channels'][string] | undefined]>([
    [undefined, 'that is private and the company’s own', { isPrivate: true }],
    ['channel_not_private', 'that everybody can join', {}],
    ['channel_shared', 'that another company reads', { isPrivate: true, isShared: true }],
    ['channel_archived', 'that is archived', { isPrivate: true, isArchived: true }],
    ['channel_not_member', 'that the bot was removed from', { isPrivate: true, isMember: false }],
    ['channel_not_visible', 'that is gone', undefined],
  ])('has the problem %s: one %s', async (problem, _name, channel) => {
    const directory = directoryWith({ channels: channel ? { C7: channel } : {} });
    expect(await approvalsChannelProblem(directory, 'T1', 'C7')).toBe(problem);
  });

  test('that was never chosen cannot be seen', async () => {
    expect(await approvalsChannelProblem(directoryWith(), 'T1', undefined)).toBe('channel_not_visible');
  });
});

describe('the vote of somebody', () => {
  const problemOf = async (by: string, policy = POLICY, company: Partial<Company> = {}) => {
    const record = waitingRecord(policy);
    if (!record.approval) throw new Error('no approval');
    return voterProblem(directoryWith(company), record, record.approval, by);
  };

  test('counts for an approver, and for nobody else', async () => {
    expect(await problemOf('UANA')).toBeUndefined();
    expect(await problemOf('UOTHER')).toBe('not_approver');
    expect(await problemOf('UADMIN')).toBe('not_approver');
  });

  test.each<[string, Policy, Partial<Company>]>([
    ['channel_not_visible', BY_MEMBERS, { channels: {} }],
    ['channel_not_visible', { ...BY_NAME, channel: 'C2', shownIn: 'approvals_channel' }, { channels: {} }],
    ['group_unreadable', POLICY, { groups: {} }],
  ])(
    'does not count, whoever they are, while the place or the group has a problem (%s)',
    async (problem, policy, company) => {
      for (const by of ['UANA', 'UOTHER']) expect(await problemOf(by, policy, company)).toBe(problem);
    },
  );

  test('counts also where too few people are named: the card says that, and the others are asked', async () => {
    expect(await problemOf('UANA', { ...BY_NAME, quorum: 3 })).toBeUndefined();
  });

  test.each(OUTSIDERS)('does not count for %s, though they are named', async (by, problem) => {
    const people = ['UANA', 'UBEN', by];
    expect(await problemOf(by, { ...POLICY, approvers: { type: 'people', people } })).toBe(problem);
  });

  test.each([...OUTSIDERS, ['U1', 'own_request']] as const)(
    'makes Slack show no group and no channel for %s: Slack allows few such reads',
    async (by, problem) => {
      const shown: string[] = [];
      const directory: PeopleDirectory = {
        ...directoryWith(),
        isInGroup: async () => shown.push('group') > 0,
        channel: async () => void shown.push('channel'),
      };
      const record = waitingRecord({ ...POLICY, channel: 'C2', shownIn: 'approvals_channel' });
      if (!record.approval) throw new Error('no approval');
      expect(await voterProblem(directory, record, record.approval, by)).toBe(problem);
      expect(shown).toEqual([]);
    },
  );

  test('does not count on requests that they have made, or had sent again', async () => {
    const policy = { ...BY_NAME, quorum: 1 };
    expect(await problemOf('U1', policy)).toBe('own_request');
    const failed = { ...waitingRecord(policy), state: 'failed' as const };
    const again = transition(failed, { type: 'approval_requested_again', by: 'UANA' }, T0);
    if (!again?.approval) throw new Error('no approval');
    const directory = directoryWith();
    expect(await voterProblem(directory, again, again.approval, 'UANA')).toBe('own_retry');
    expect(await voterProblem(directory, again, again.approval, 'UBEN')).toBeUndefined();
  });

  test('is refused for what is wrong with the person first, and for nothing while Slack is away', async () => {
    expect(await problemOf('UGUEST', POLICY, { groups: {} })).toBe('guest');
    expect(await problemOf('UANA', POLICY, { groups: {} })).toBe('group_unreadable');
    await expect(problemOf('UANA', POLICY, { isAway: true })).rejects.toThrow('Slack is away');
  });
});
