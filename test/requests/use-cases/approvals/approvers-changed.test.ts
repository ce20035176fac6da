import { expect, test } from 'vitest';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { approversChanged } from '../../../../src/requests/use-cases/approvals/approvers-changed.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';
import { T0 } from '../../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../../support/requests/workspace.ts';

const BY_MEMBERS: Policy = { ...POLICY, approvers: { type: 'channel' }, channel: 'C2' };
const TOO_FEW: Partial<Company> = {
  groups: { S1: ['UANA'] },
  channels: { C2: { isPrivate: true, members: ['UANA'] } },
};

function setUp(company: Partial<Company>, policy: Policy = POLICY) {
  const workspace = createWorkspace({ company, settings: { policies: { cancel_order: policy } } });
  const { deps } = workspace;
  const notified = () => deps.notices.list('T1', { limit: 10 });
  return { ...workspace, notified };
}

test('the admin who set a policy hears that its approvers have become too few', async () => {
  const { deps, notified, woken } = setUp(TOO_FEW);
  await approversChanged(deps, { workspace: 'T1', group: 'S1' });
  const [notice] = await notified();
  expect(notice).toMatchObject({
    ...{ type: 'policy_unmet', kind: 'cancel_order', quorum: 2, to: 'UADMIN', at: T0 },
    delivery: { status: 'owed' },
  });
  expect(woken).toEqual([notice?.id]);
});

test('the admin who set a policy hears that its user group is gone, also on a day on which too few were left before', async () => {
  const { deps, notified, state } = setUp(TOO_FEW);
  await approversChanged(deps, { workspace: 'T1', group: 'S1' });
  state.company.groups = {};
  for (let i = 0; i < 2; i++) await approversChanged(deps, { workspace: 'T1', group: 'S1' });
  const notices = await notified();
  expect(notices).toHaveLength(2);
  expect(notices).toContainEqual(expect.objectContaining({ type: 'policy_unmet', goneGroup: 'S1' }));
});

test('the admin who set a policy hears that too few members of its approvals channel are left', async () => {
  const { deps, notified } = setUp(TOO_FEW, BY_MEMBERS);
  await approversChanged(deps, { workspace: 'T1', channel: 'C2' });
  expect(await notified()).toMatchObject([{ type: 'policy_unmet' }]);
});

test('the admin hears of it also if the approvals channel has just got a new id, which the settings do not name yet', async () => {
  const policy = { ...POLICY, channel: 'C9', shownIn: 'approvals_channel' } as const;
  const { deps, notified } = setUp(TOO_FEW, policy);
  await approversChanged(deps, { workspace: 'T1', group: 'S1' });
  expect(await notified()).toMatchObject([{ type: 'policy_unmet' }]);
});

test('the admin hears of each kind of request once a day, however often members change', async () => {
  const { deps, notified, state } = setUp(TOO_FEW);
  const settings = state.settings;
  const change = () => approversChanged(deps, { workspace: 'T1', group: 'S1' });
  for (let i = 0; i < 3; i++) await change();
  expect(await notified()).toHaveLength(1);
  state.settings = { policies: { ...settings.policies, send_offer: POLICY } };
  await change();
  expect((await notified()).map((each) => 'kind' in each && each.kind).sort()).toEqual([
    'cancel_order',
    'send_offer',
  ]);
  state.now += 24 * 3_600_000;
  await change();
  expect(await notified()).toHaveLength(4);
});

test.each<[string, Partial<Company>, Policy, object]>([
  ['where enough are left', {}, POLICY, { group: 'S1' }],
  ['where exactly enough are left', { groups: { S1: ['UANA', 'UBEN'] } }, POLICY, { group: 'S1' }],
  ['of another group', TOO_FEW, POLICY, { group: 'S2' }],
  ['of a channel of the same name as the group', TOO_FEW, POLICY, { channel: 'S1' }],
  [
    'of a channel that only shows what is to be approved',
    TOO_FEW,
    { ...POLICY, channel: 'C2' },
    { channel: 'C2' },
  ],
  ['where it cannot be told who is left in a channel', { channels: {} }, BY_MEMBERS, { channel: 'C2' }],
])('nobody hears of it %s', async (_name, company, policy, changed) => {
  const { deps, notified, woken } = setUp(company, policy);
  await approversChanged(deps, { workspace: 'T1', ...changed } as Parameters<typeof approversChanged>[1]);
  expect([await notified(), woken]).toEqual([[], []]);
});

test('nobody hears of approvers who have changed in another workspace', async () => {
  const { deps, notified } = setUp(TOO_FEW);
  await approversChanged(deps, { workspace: 'T2', group: 'S1' });
  expect(await notified()).toEqual([]);
  expect(await deps.notices.count('T2')).toBe(0);
});

test('a change of approvers is a fault while Slack is away, and Slack delivers it again', async () => {
  const { deps, state, notified } = setUp(TOO_FEW);
  state.company.isAway = true;
  await expect(approversChanged(deps, { workspace: 'T1', group: 'S1' })).rejects.toThrow('Slack is away');
  expect(await notified()).toEqual([]);
});
