import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { STATE_NAMES, type State } from '../../../src/requests/model/states.ts';
import { readToRequestAgain } from '../../../src/requests/use-cases/look-up.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { queued, REQUEST, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

async function setUp(record: ReturnType<typeof queued>) {
  const { deps, seed, state } = createWorkspace();
  await seed(record);
  const ask = (by = 'U1', id = record.id, workspace = 'T1') =>
    readToRequestAgain(deps, { workspace, id, by });
  return { ask, state };
}

const ended = (state: State = 'withdrawn') => ({ ...queued(), state });

describe('what came to nothing can be requested again', () => {
  const OFFERED: readonly State[] = ['failed', 'declined', 'withdrawn', 'expired', 'not_sent'];

  test.each(STATE_NAMES)('%s', async (state) => {
    const { ask } = await setUp(ended(state));
    const type = OFFERED.includes(state) ? 'offered' : 'not_offered';
    expect(await ask()).toEqual({ type, record: inAnyVersion(ended(state)) });
  });
});

describe('the form is filled in', () => {
  const declined = () => ({
    ...newRecord({ ...REQUEST, channel: 'C3' }, T0, { policy: POLICY, earlier: [] }),
    state: 'declined' as const,
  });

  test.each([
    ['with the reason for its requester', 'U1', REQUEST.reason],
    ['with the reason for a member of its channel', 'UOTHER', REQUEST.reason],
    ['with the reason for an approver', 'UANA', REQUEST.reason],
    ['with the reason for an admin', 'UADMIN', REQUEST.reason],
    ['without the reason for a colleague', 'USOMEBODY', ''],
  ])('%s', async (_name, by, reason) => {
    const { ask, state } = await setUp(declined());
    state.company.channels = { C3: { members: ['UOTHER'] } };
    state.company.people = { ...state.company.people, USOMEBODY: {} };
    expect(await ask(by)).toMatchObject({ type: 'offered', record: { target: REQUEST.target, reason } });
  });

  test('for no guest', async () => {
    const { ask } = await setUp(ended());
    expect(await ask('UGUEST')).toEqual({ type: 'not_allowed', problem: 'guest' });
  });

  test('for no request of another workspace', async () => {
    const { ask } = await setUp({ ...ended(), workspace: 'T2' });
    expect(await ask()).toEqual({ type: 'not_found' });
    expect(await ask('U1', 'nothing')).toEqual({ type: 'not_found' });
  });
});
