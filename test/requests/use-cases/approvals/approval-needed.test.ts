import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { approvalUnder } from '../../../../src/requests/use-cases/approvals/approval-needed.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';
import { answered, queued, said, T0 } from '../../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../../support/requests/workspace.ts';

const WANTED = {
  workspace: 'T1',
  id: 'new',
  kind: 'cancel_order',
  target: 'A-1001',
  requester: 'U1',
} as const;

function setUp(policy: Policy = POLICY, company: Partial<Company> = {}) {
  const workspace = createWorkspace({ company });
  const needed = () => approvalUnder(workspace.deps, policy, WANTED);
  return { ...workspace, needed };
}

describe('the approval that a request needs', () => {
  test('follows the policy, and has no problem if enough people can approve', async () => {
    expect(await setUp().needed()).toEqual({ policy: POLICY, problem: undefined, earlier: [] });
  });

  test('shows its approvers the three newest requests for the same order, in whatever case, with what became of them', async () => {
    const { needed, seed } = setUp();
    const outcomes = ['denied', 'canceled', 'denied', 'approved'] as const;
    await seed(
      ...outcomes.map((status, n) => answered(said(status), { id: `r${n}`, target: 'a-1001' }, T0 + n)),
      queued({ id: 'another', target: 'A-2' }),
      queued({ id: 'elsewhere', workspace: 'T2' }),
    );
    const { earlier } = await needed();
    expect(earlier).toMatchObject([
      { id: 'r3', target: 'a-1001', requester: 'U1', createdAt: T0 + 3, state: 'approved' },
      { id: 'r2', state: 'denied' },
      { id: 'r1', state: 'canceled' },
    ]);
  });

  test('does not show a request to itself when it is sent again', async () => {
    const { needed, seed } = setUp();
    await seed(answered(said('denied'), { id: 'new' }));
    expect(await needed()).toMatchObject({ earlier: [] });
  });

  test.each<[string, Policy, Partial<Company>]>([
    ['group_unreadable', POLICY, { groups: {} }],
    ['too_few', POLICY, { groups: { S1: ['UANA', 'U1', 'UGUEST'] } }],
    ['channel_not_visible', { ...POLICY, approvers: { type: 'channel' }, channel: 'C9' }, {}],
  ])('has the problem %s where nobody can give it now', async (problem, policy, company) => {
    expect(await setUp(policy, company).needed()).toMatchObject({ policy, problem });
  });

  test('is not known while Slack cannot be read: a fault', async () => {
    const { needed, state } = setUp();
    state.company.isAway = true;
    await expect(needed()).rejects.toThrow('Slack is away');
  });
});
