import { describe, expect, test } from 'vitest';
import type { PolicyDraft } from '../../src/requests/use-cases/approvals/draft-policy.ts';
import { changePolicy } from '../../src/workspaces/settings.ts';
import { POLICY } from '../support/requests/approval-policy.ts';
import { createConnectionsHarness } from '../support/requests/connections-harness.ts';
import { createWorkspace } from '../support/requests/workspace.ts';

const { approvers: _group, setBy: _admin, ...REST } = POLICY;
const DRAFT: PolicyDraft = { ...REST, approvers: 'group', group: 'S1', people: [] };
const NOBODY: PolicyDraft = { ...DRAFT, approvers: 'nobody', group: undefined };

function setUp() {
  const { settings } = createConnectionsHarness();
  const { deps, state } = createWorkspace();
  const read = async (workspace = 'T1') => (await settings.read(workspace)).policies;
  /** @param shown the version that the form showed; undefined: nothing was set */
  const change = async (draft: PolicyDraft, shown?: number, by = 'UADMIN') => {
    const whose = { workspace: 'T1', by, kind: 'cancel_order', shown } as const;
    return changePolicy({ directory: deps.directory, settings }, whose, draft);
  };
  const version = async () => (await settings.inForce('T1')).version;
  return { settings, state, change, read, version };
}

describe('an admin', () => {
  test('sets the policy of one kind of request, in their workspace alone', async () => {
    const { settings, change, read, version } = setUp();
    await settings.change('T1', { requesters: 'S2', policies: { send_offer: POLICY } });
    const saved = { type: 'saved', version: expect.any(Number), policy: POLICY, isTight: false };
    expect(await change(DRAFT, await version())).toMatchObject(saved);
    expect(await settings.read('T1')).toEqual({
      requesters: 'S2',
      policies: { send_offer: POLICY, cancel_order: POLICY },
    });
    expect(await read('T2')).toBeUndefined();
  });

  test('takes it back', async () => {
    const { change, read, version } = setUp();
    await change(DRAFT);
    const saved = { type: 'saved', version: expect.any(Number), policy: undefined, isTight: false };
    expect(await change(NOBODY, await version())).toMatchObject(saved);
    expect((await read())?.cancel_order).toBeUndefined();
  });

  test('changes nothing with what cannot work, and reads at which field', async () => {
    const { change, read, version } = setUp();
    await change(DRAFT);
    expect(await change({ ...DRAFT, group: 'S9' }, await version())).toEqual({
      type: 'invalid',
      problems: { group: 'group_unreadable' },
    });
    expect(await read()).toEqual({ cancel_order: POLICY });
  });

  test('does not take back what another one has set since the form was opened', async () => {
    const { change, read } = setUp();
    await change(DRAFT, undefined, 'UOTHER');
    for (const draft of [
      { ...DRAFT, quorum: 1 },
      { ...DRAFT, quorum: 3 },
    ])
      expect(await change(draft)).toMatchObject({ type: 'conflict' });
    expect(await read()).toEqual({ cancel_order: { ...POLICY, setBy: 'UOTHER' } });
  });

  test('who saves what is set already takes it over, unless the settings have changed since, or it is theirs', async () => {
    const { change, read, version } = setUp();
    await change(DRAFT, undefined, 'UOTHER');
    expect(await change(DRAFT)).toMatchObject({ type: 'conflict' });
    expect(await read()).toMatchObject({ cancel_order: { setBy: 'UOTHER' } });
    expect(await change(DRAFT, await version())).toMatchObject({ type: 'saved' });
    expect(await read()).toEqual({ cancel_order: POLICY });
    expect(await change(DRAFT)).toMatchObject({ type: 'unchanged' });
  });

  test('changes nothing while Slack is away: a fault', async () => {
    const { change, read, state } = setUp();
    state.company.isAway = true;
    await expect(change(DRAFT)).rejects.toThrow('Slack is away');
    expect(await read()).toBeUndefined();
  });
});
