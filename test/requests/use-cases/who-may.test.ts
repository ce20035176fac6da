import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { readCustomerReply } from '../../../src/requests/use-cases/look-up.ts';
import {
  channelProblem,
  findWithRoles,
  mayAdminister,
  mayDo,
  maySetAdmins,
  personProblem,
} from '../../../src/requests/use-cases/who-may.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import {
  COMPANY,
  type Company,
  createWorkspace,
  directoryOfCompany,
  OUTSIDERS,
} from '../../support/requests/workspace.ts';

const SHARED = { id: 'C1', isPrivate: false, isShared: true, isArchived: false, isMember: true };

describe('a shared channel', () => {
  test.each([
    ['is refused', SHARED, undefined, 'shared'],
    ['is refused where an admin has not allowed it', SHARED, false, 'shared'],
    ['is taken where an admin allows it', SHARED, true, undefined],
    ['that is archived is refused all the same', { ...SHARED, isArchived: true }, true, 'archived'],
    [
      'that is private needs an invitation all the same',
      { ...SHARED, isPrivate: true, isMember: false },
      true,
      'not_member',
    ],
  ] as const)('%s', (_name, channel, mayBeShared, problem) => {
    expect(channelProblem(channel, mayBeShared)).toBe(problem);
  });
});

describe('a person', () => {
  const person = (id: string) => directoryOfCompany(COMPANY).person('T1', id);

  test.each(OUTSIDERS)('%s may neither request nor vote nor decide: %s', async (id, problem) => {
    expect(personProblem(await person(id))).toBe(problem);
  });

  /** Whether somebody may administer the workspace, and may say who does. */
  async function rightsOf(id: string, company: Partial<Company> = {}, settings: Settings = {}) {
    const directory = directoryOfCompany({ ...COMPANY, ...company });
    const deps = { directory, settings: async () => settings };
    const found = await directory.person('T1', id);
    return [await mayAdminister(deps, 'T1', found), await maySetAdmins(deps, 'T1', found)];
  }

  test('may administer who is an admin and a full member', async () => {
    expect(await rightsOf('UADMIN')).toEqual([true, false]);
    expect(await rightsOf('U1')).toEqual([false, false]);
    expect(await rightsOf('UNKNOWN')).toEqual([false, false]);
    const people = { UADMIN: { isAdmin: true, isGuest: true } };
    expect(await rightsOf('UADMIN', { people })).toEqual([false, false]);
  });

  test('may administer through the user group that admins of the organization have set, and not set it', async () => {
    const organization = { isOrgWide: true };
    expect(await rightsOf('UADMIN', organization)).toEqual([true, true]);
    expect(await rightsOf('UANA', organization)).toEqual([false, false]);
    expect(await rightsOf('UANA', organization, { admins: 'S1' })).toEqual([true, false]);
    expect(await rightsOf('UOTHER', organization, { admins: 'S1' })).toEqual([false, false]);
    const people = { UANA: { isGuest: true }, UADMIN: { isAdmin: true, isDeactivated: true } };
    for (const id of ['UANA', 'UADMIN'])
      expect(await rightsOf(id, { ...organization, people }, { admins: 'S1' })).toEqual([false, false]);
  });

  test.each([
    ['cannot be read', { isOrgWide: true, groups: {} }],
    ['was set for an installation of the organization, which is gone', { isOrgWide: false }],
  ])('may not administer through a user group that %s', async (_name, company) => {
    expect(await rightsOf('UANA', company, { admins: 'S1' })).toEqual([false, false]);
  });
});

const BY_CHANNEL: Policy = { ...POLICY, approvers: { type: 'channel' }, channel: 'C2' };

describe('while Slack cannot say', () => {
  async function findIn(company: Partial<Company>, by: string) {
    const { deps, seed } = createWorkspace({ company, settings: { admins: 'S2' } });
    const record = waitingRecord(BY_CHANNEL);
    await seed(record);
    const found = await findWithRoles(deps, { workspace: 'T1', id: record.id, by });
    if (found.type !== 'found') throw new Error(found.type);
    return found;
  }

  describe('who the approvers of a request are', () => {
    const find = (by: string) => findIn({ unlisted: ['C2'] }, by);
    const rolesIn = async (by: string) => [...(await find(by)).roles];

    test('its requester and admins have their own rights all the same', async () => {
      expect(await rolesIn('U1')).toEqual(['requester']);
      expect(await rolesIn('UADMIN')).toEqual(['admins']);
    });

    test('nobody else is told that they are no approver', async () => {
      const [approver, other] = [await find('UANA'), await find('UOTHER')];
      for (const who of [approver, other])
        expect(() => mayDo(who, 'approved', 'under_review')).toThrow('lists no members');
    });

    test('somebody without a role may not do what approvers may not do, either', async () => {
      expect(mayDo(await find('UOTHER'), 'withdraw')).toBe(false);
    });

    test('nobody is told that the text for the customer is not theirs', async () => {
      const { deps, seed } = createWorkspace({ company: { unlisted: ['C2'] } });
      const record = waitingRecord(BY_CHANNEL);
      await seed(record);
      const reading = (by: string) => readCustomerReply(deps, { workspace: 'T1', id: record.id, by });
      for (const by of ['UANA', 'UOTHER']) await expect(reading(by)).rejects.toThrow('lists no members');
      expect(await reading('U1')).toMatchObject({ type: 'nothing_to_tell' });
    });

    test('its requester is not told that they may not do what approvers may', async () => {
      const [requester, admin] = [await find('U1'), await find('UADMIN')];
      expect(() => mayDo(requester, 'approved', 'under_review')).toThrow('lists no members');
      expect([mayDo(requester, 'approved', 'unknown'), mayDo(requester, 'withdraw')]).toEqual([true, true]);
      expect([mayDo(requester, 'release'), mayDo(admin, 'approved', 'under_review')]).toEqual([false, true]);
    });
  });

  describe('who is in the group of the admins', () => {
    const find = (by: string) => findIn({ isOrgWide: true, unsaid: ['S2'] }, by);

    test('requester, approvers and admins of the organization have their own rights all the same', async () => {
      expect(mayDo(await find('U1'), 'withdraw')).toBe(true);
      expect(mayDo(await find('UANA'), 'approved', 'under_review')).toBe(true);
      expect(mayDo(await find('UADMIN'), 'release')).toBe(true);
    });

    test('nobody is told that they may not do what admins may', async () => {
      const [requester, approver] = [await find('U1'), await find('UANA')];
      expect(() => mayDo(requester, 'release')).toThrow('lists no members');
      expect(() => mayDo(approver, 'withdraw')).toThrow('lists no members');
    });
  });
});

test('nobody is an approver by a user group that is gone', async () => {
  const { deps, seed } = createWorkspace({ company: { groups: {} } });
  const record = waitingRecord({ ...POLICY, approvers: { type: 'group', group: 'S1' } });
  await seed(record);
  const found = await findWithRoles(deps, { workspace: 'T1', id: record.id, by: 'UANA' });
  expect(found).toMatchObject({ type: 'found', roles: new Set(), unsaid: new Map() });
});

test('the rights of a person who acts are read anew, and a channel that may have become private, too', async () => {
  const { deps, seed } = createWorkspace({ company: { isOrgWide: true }, settings: { admins: 'S1' } });
  const byGroup = waitingRecord({ ...POLICY, approvers: { type: 'group', group: 'S1' } });
  const byChannel = { ...waitingRecord(BY_CHANNEL), id: 'by-channel' };
  await seed(byGroup, { ...byChannel, target: 'A-2' });
  const asked: unknown[] = [];
  const { isInGroup, channel } = deps.directory;
  const directory: typeof deps.directory = {
    ...deps.directory,
    isInGroup(...given) {
      asked.push(given[3] ?? 'now');
      return isInGroup(...given);
    },
    channel(...given) {
      asked.push(given[2]);
      return channel(...given);
    },
  };
  for (const id of [byGroup.id, byChannel.id])
    await findWithRoles({ ...deps, directory }, { workspace: 'T1', id, by: 'UANA' });
  expect(asked.toSorted()).toEqual(['now', 'now', 'now', 'private']);
});

describe('where the approvers of a request are the members of a channel', () => {
  async function approversIn(channel: Company['channels'][string]) {
    const members = ['UANA', 'UOTHER'];
    const { deps, seed } = createWorkspace({ company: { channels: { C2: { members, ...channel } } } });
    const record = waitingRecord(BY_CHANNEL);
    await seed(record);
    const isOne = async (by: string) => {
      const found = await findWithRoles(deps, { workspace: 'T1', id: record.id, by });
      return found.type === 'found' && found.roles.has('approvers');
    };
    return [await isOne('UANA'), await isOne('UOTHER'), await isOne('UCLEO')];
  }

  test.each<[boolean, string, Company['channels'][string]]>([
    [true, 'is private', { isPrivate: true }],
    [true, 'is archived, which nobody can join', { isPrivate: true, isArchived: true }],
    [false, 'is public, which everybody can join', { isPrivate: false }],
    [false, 'is shared with another company', { isPrivate: true, isShared: true }],
  ])('they are approvers (%s) while it %s', async (areOnes, _state, channel) => {
    expect(await approversIn(channel)).toEqual([areOnes, areOnes, false]);
  });
});
