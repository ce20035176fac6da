import { describe, expect, test } from 'vitest';
import { decided } from '../../../../src/requests/model/acts.ts';
import type { Choice } from '../../../../src/requests/model/cause.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { giveReason, mayGiveReason } from '../../../../src/requests/use-cases/approvals/give-reason.ts';
import { waitingRecord } from '../../../support/requests/approval-policy.ts';
import { queued, T0 } from '../../../support/requests/records.ts';
import { createWorkspace } from '../../../support/requests/workspace.ts';
import { inAnyVersion } from '../../../support/storage/versions.ts';

/** Ana has decided it. */
const decidedBy = (choice: Choice, reason?: string): RequestRecord =>
  decided(waitingRecord(), { type: 'decided', choice, by: ['UANA'] }, T0, reason);

async function setUp(record: RequestRecord) {
  const { deps, seed, read, state, woken } = createWorkspace();
  await seed(record);
  const ref = { workspace: 'T1', id: record.id };
  return {
    state,
    woken,
    read: () => read(ref),
    give: (reason: string, by = 'UANA', workspace = 'T1') =>
      giveReason(deps, { ...ref, workspace, by, reason }),
    mayGive: (by = 'UANA', workspace = 'T1') => mayGiveReason(deps, { ...ref, workspace, by }),
  };
}

describe('the reason of whoever declined a request', () => {
  test('is kept with the decision, shown on the card, and told to the requester', async () => {
    const declined = decidedBy('no');
    const { give, mayGive, read, woken } = await setUp(declined);
    expect(await mayGive()).toEqual({ type: 'given', record: inAnyVersion(declined) });
    expect(await give('Already shipped')).toMatchObject({ type: 'given' });
    const record = await read();
    const given = { reason: 'Already shipped', reasonAt: expect.any(Number) };
    expect(record.approval?.decision).toEqual({ ...declined.approval?.decision, ...given });
    expect(record).toMatchObject({ state: 'declined', revision: declined.revision + 1 });
    expect(record.messages.at(-1)).toMatchObject({ type: 'reason', delivery: { status: 'owed' } });
    expect(woken).toEqual([record.id]);
  });

  test('is given once, also by two forms in the same moment', async () => {
    const { give, mayGive, read } = await setUp(decidedBy('no'));
    const results = await Promise.all([give('First'), give('Second')]);
    expect(results.map(({ type }) => type).sort()).toEqual(['given', 'too_late']);
    const { approval } = await read();
    expect(['First', 'Second']).toContain(approval?.decision?.reason);
    expect(await mayGive()).toEqual({ type: 'too_late' });
  });

  test('is given and not refused where the form is submitted again, and nobody is told twice', async () => {
    const { give, read, woken } = await setUp(decidedBy('no'));
    await give('Already shipped');
    const once = await read();
    expect(await give('Already shipped')).toMatchObject({ type: 'given' });
    expect(await read()).toEqual(once);
    expect(woken).toHaveLength(1);
  });

  test.each([
    ['that was declined with a reason', decidedBy('no', 'Already shipped'), 'too_late'],
    ['that was approved', decidedBy('yes'), 'too_late'],
    ['that awaits its approval', waitingRecord(), 'not_found'],
    ['that never needed any', queued(), 'not_found'],
  ])('is not taken for a request %s', async (_name, record, type) => {
    const { give, mayGive, read, woken } = await setUp(record);
    expect([await mayGive(), await give('Because')]).toEqual([{ type }, { type }]);
    expect(await read()).toEqual(inAnyVersion(record));
    expect(woken).toEqual([]);
  });

  test('is not taken from anybody else, or out of another workspace', async () => {
    const { give, mayGive, read } = await setUp(decidedBy('no'));
    for (const by of ['UBEN', 'U1', 'UADMIN'])
      expect([await mayGive(by), await give('Because', by)]).toEqual([
        { type: 'not_theirs' },
        { type: 'not_theirs' },
      ]);
    expect([await mayGive('UANA', 'T2'), await give('Because', 'UANA', 'T2')]).toEqual([
      { type: 'not_found' },
      { type: 'not_found' },
    ]);
    expect(await read()).toEqual(inAnyVersion(decidedBy('no')));
  });

  test.each([
    ['a guest', { isGuest: true }, 'guest'],
    ['somebody whose account is deactivated', { isDeactivated: true }, 'deactivated'],
    ['a member of another company', { ownTeam: false }, 'external_user'],
  ] as const)(
    'is not taken from %s, who was a full member when they declined',
    async (_name, now, problem) => {
      const { give, mayGive, read, state } = await setUp(decidedBy('no'));
      state.company.people = { ...state.company.people, UANA: now };
      const refused = { type: 'not_allowed', problem };
      expect([await mayGive(), await give('Because')]).toEqual([refused, refused]);
      expect(await read()).toEqual(inAnyVersion(decidedBy('no')));
    },
  );

  test('is not taken while Slack cannot say who gives it', async () => {
    const { give, read, state } = await setUp(decidedBy('no'));
    state.company.isAway = true;
    await expect(give('Because')).rejects.toThrow();
    expect(await read()).toEqual(inAnyVersion(decidedBy('no')));
  });
});
