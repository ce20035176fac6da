import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Policy } from '../../../../src/requests/model/policy.ts';
import { type PolicyDraft, readPolicy } from '../../../../src/requests/use-cases/approvals/draft-policy.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';
import { COMPANY, type Company, directoryOfCompany } from '../../../support/requests/workspace.ts';

const { approvers: _group, setBy: _admin, ...REST } = POLICY;
/** Two of the group S1 approve, where it was requested. */
const DRAFT: PolicyDraft = { ...REST, approvers: 'group', group: 'S1', people: [] };
const NAMED = ['UANA', 'UBEN', 'UCLEO'];

function draft(given: Partial<PolicyDraft> = {}, { company = {} }: { company?: Partial<Company> } = {}) {
  const directory = directoryOfCompany({ ...COMPANY, ...company });
  return readPolicy(directory, { workspace: 'T1', by: 'UADMIN' }, { ...DRAFT, ...given });
}

describe('a policy', () => {
  test('is what was filled in, set by whoever has done so', async () => {
    expect(await draft()).toEqual({ type: 'policy', policy: POLICY, isTight: false });
  });

  test.each<[string, Partial<PolicyDraft>, Policy['approvers']]>([
    ['people by name', { approvers: 'people', people: NAMED }, { type: 'people', people: NAMED }],
    ['the members of its channel', { approvers: 'channel', channel: 'C2' }, { type: 'channel' }],
  ])('may name %s, and forgets what was filled in besides', async (_name, given, approvers) => {
    const drafted = await draft({ group: 'S1', people: ['U1'], ...given });
    const { channel } = given;
    const policy = { ...POLICY, approvers, ...(channel && { channel }) };
    expect(drafted).toEqual({ type: 'policy', policy, isTight: false });
  });

  test('by which nobody need approve is stored as no policy', async () => {
    const drafted = await draft({ approvers: 'nobody', group: undefined });
    expect(drafted).toEqual({ type: 'policy', policy: undefined, isTight: false });
  });

  test('says so where exactly as many can approve as must', async () => {
    expect(await draft({ quorum: 3 })).toMatchObject({ type: 'policy', isTight: true });
  });
});

describe('what cannot work', () => {
  test.each<[string, Partial<PolicyDraft>, object]>([
    ['no group', { group: undefined }, { group: 'missing' }],
    ['no people', { approvers: 'people' }, { people: 'missing' }],
    [
      'fewer people than must approve',
      { approvers: 'people', people: ['UANA'] },
      { people: 'fewer_than_quorum' },
    ],
    ['no channel for its members', { approvers: 'channel' }, { channel: 'missing' }],
    ['no channel to show it in', { shownIn: 'approvals_channel' }, { channel: 'missing' }],
    ['the same emoji for both', { emoji: { yes: 'x', no: 'x' } }, { emojiNo: 'same' }],
    ['no emoji at all', { emoji: { yes: '', no: ':x:' } }, { emojiYes: 'not_a_name', emojiNo: 'not_a_name' }],
    [
      'an emoji whose votes would be taken for votes by button',
      { emoji: { yes: 'button', no: 'x' } },
      { emojiYes: 'reserved' },
    ],
    [
      'several mistakes',
      { approvers: 'channel', emoji: { yes: 'X', no: 'x' } },
      { channel: 'missing', emojiYes: 'not_a_name' },
    ],
  ])('is told at its field, and Slack is not asked: %s', async (_name, given, problems) => {
    expect(await draft(given, { company: { isAway: true } })).toEqual({ type: 'invalid', problems });
  });

  test.each<[string, Partial<PolicyDraft>, Partial<Company>, object]>([
    ['a group that is gone', { group: 'S9' }, {}, { group: 'group_unreadable' }],
    ['a group that is too small', { quorum: 4 }, {}, { group: 'fewer_than_quorum' }],
    [
      'a guest among the people',
      { approvers: 'people', people: ['UANA', 'UBEN', 'UGUEST'] },
      {},
      { people: 'not_full_members' },
    ],
    [
      'a channel with too few members',
      { approvers: 'channel', channel: 'C2', quorum: 4 },
      {},
      { channel: 'fewer_than_quorum' },
    ],
    [
      'a channel that all may join',
      { approvers: 'channel', channel: 'C1' },
      {},
      { channel: 'channel_not_private' },
    ],
    [
      'a channel that another company reads',
      { shownIn: 'approvals_channel', channel: 'C2' },
      { channels: { C2: { isPrivate: true, isShared: true } } },
      { channel: 'channel_shared' },
    ],
  ])('is told at its field once Slack was asked: %s', async (_name, given, company, problems) => {
    expect(await draft(given, { company })).toEqual({ type: 'invalid', problems });
  });

  test('is nothing that was filled in for another choice', async () => {
    const nobody = { approvers: 'nobody' as const, emoji: { yes: '', no: '' } };
    expect(await draft({ ...nobody, people: ['UANA'] })).toMatchObject({ type: 'policy', policy: undefined });
    const drafted = await draft({ channel: 'C9' });
    expect(drafted).toEqual({ type: 'policy', policy: POLICY, isTight: false });
  });

  test('is not known while Slack is away: a fault', async () => {
    await expect(draft({}, { company: { isAway: true } })).rejects.toThrow('Slack is away');
  });
});

test('whatever is filled in, a policy that comes of it can be stored, and met by enough full members', async () => {
  const drafts: fc.Arbitrary<PolicyDraft> = fc.record({
    approvers: fc.constantFrom('group', 'people', 'channel'),
    group: fc.constantFrom('S1', 'S9', undefined),
    people: fc.uniqueArray(fc.constantFrom(...Object.keys(COMPANY.people), 'UNKNOWN')),
    channel: fc.constantFrom('C1', 'C2', 'C9', undefined) as fc.Arbitrary<string>,
    shownIn: fc.constantFrom('approvals_channel', 'where_requested'),
    quorum: fc.integer({ min: 1, max: 5 }),
    emoji: fc.record({ yes: fc.constantFrom('+1', 'x', 'é', ''), no: fc.constantFrom('x', '-1', ':x:') }),
    expiresAfterMs: fc.constant(60_000),
    reminds: fc.boolean(),
    mayWithdraw: fc.boolean(),
  });
  const full = ['U1', 'UANA', 'UBEN', 'UCLEO', 'UOTHER', 'UADMIN'];
  let policies = 0;
  const property = fc.asyncProperty(drafts, async (given) => {
    const drafted = await draft(given);
    if (drafted.type === 'invalid') {
      expect(Object.keys(drafted.problems)).not.toEqual([]);
      return;
    }
    policies += 1;
    expect(Policy.parse(drafted.policy)).toEqual(drafted.policy);
    const able = given.approvers === 'people' ? given.people : ['UANA', 'UBEN', 'UCLEO'];
    expect(able.filter((id) => full.includes(id)).length).toBeGreaterThanOrEqual(given.quorum);
  });
  await fc.assert(property, { numRuns: 500 });
  expect(policies).toBeGreaterThan(0);
});
