/** While an admin has paused sending, every act that would send something is refused. */
import { describe, expect, test } from 'vitest';
import type { Cast } from '../../../src/requests/model/acts.ts';
import { BUTTON } from '../../../src/requests/model/approval.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import { mayVote, vote } from '../../../src/requests/use-cases/approvals/vote.ts';
import { type CreateInput, createRequest } from '../../../src/requests/use-cases/create-request.ts';
import { checkRequester } from '../../../src/requests/use-cases/requester.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { acting, answered, carded, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

const PAUSE = { by: 'UADMIN', at: T0 - 1_000 };
const PAUSED: Settings = { paused: PAUSE };

const FORM: CreateInput = {
  workspace: 'T1',
  requester: 'U1',
  kind: 'cancel_order',
  target: 'A-1001',
  reason: 'Ordered twice',
  channel: 'C1',
  idempotencyKey: 'V1',
};

const REFUSED = { type: 'paused', pause: PAUSE };

describe('a request', () => {
  test('is refused with who paused sending and since when, and nothing is counted', async () => {
    const { deps } = createWorkspace({ settings: PAUSED });
    expect(await createRequest(deps, FORM)).toEqual(REFUSED);
    expect(await deps.store.count('T1')).toBe(0);
    expect(await deps.recentRequests.count('T1')).toBe(0);
  });

  test('is refused if the pause was saved while it was checked', async () => {
    const { deps, workspacesSaving } = createWorkspace();
    const workspaces = workspacesSaving(PAUSED);
    expect(await createRequest({ ...deps, workspaces }, FORM)).toEqual(REFUSED);
    expect(await deps.store.count('T1')).toBe(0);
  });

  test('that was created before is not refused when its form is delivered again', async () => {
    const { deps, state } = createWorkspace();
    await createRequest(deps, FORM);
    state.settings = PAUSED;
    expect(await createRequest(deps, FORM)).toMatchObject({ type: 'created' });
  });

  test('is refused before its form is filled in, but who only reads is not', async () => {
    const { deps } = createWorkspace({ settings: PAUSED });
    const who = { workspace: 'T1', requester: 'U1', settings: PAUSED };
    expect(await checkRequester(deps, { ...who, kind: 'cancel_order' })).toEqual(REFUSED);
    expect(await checkRequester(deps, who)).toBeUndefined();
  });
});

describe('a person who resolves a request', () => {
  const FAILED = answered({ type: 'refused', httpStatus: 403, code: 'FORBIDDEN', details: [] });
  const UNKNOWN = answered({ type: 'no_answer', why: 'cut' });

  test.each([
    ['retry', FAILED],
    ['not_received', UNKNOWN],
  ] as const)('cannot send it again: %s', async (action, record) => {
    const { deps, seed, read } = createWorkspace({ settings: PAUSED });
    await seed(record);
    expect(await resolveManually(deps, acting(record, 'U1'), action)).toEqual({
      ...REFUSED,
      action,
      record: inAnyVersion(record),
    });
    expect(await read(record)).toEqual(inAnyVersion(record));
  });

  test('cannot send it again if the pause was saved meanwhile', async () => {
    const { deps, seed, read, workspacesSaving } = createWorkspace();
    await seed(FAILED);
    const workspaces = workspacesSaving(PAUSED);
    expect(await resolveManually({ ...deps, workspaces }, acting(FAILED, 'U1'), 'retry')).toMatchObject(
      REFUSED,
    );
    expect(await read(FAILED)).toEqual(inAnyVersion(FAILED));
  });

  test('reads that they came too late, where they did', async () => {
    const { deps, seed } = createWorkspace({ settings: PAUSED });
    const record = answered({ type: 'said', status: 'canceled' });
    await seed(record);
    const who = { ...acting(record, 'U1'), seen: { call: 1, round: 0, state: 'failed' } };
    expect((await resolveManually(deps, who, 'retry')).type).toBe('too_late');
  });

  test.each<[ManualAction, ReturnType<typeof carded>, string]>([
    ['approved', UNKNOWN, 'U1'],
    ['release', UNKNOWN, 'UADMIN'],
    ['withdraw', carded(), 'U1'],
  ])('can do what sends nothing: %s', async (action, record, by) => {
    const { deps, seed } = createWorkspace({ settings: PAUSED });
    await seed(record);
    expect((await resolveManually(deps, acting(record, by), action)).type).toBe('done');
  });
});

describe('a vote', () => {
  const YES: Omit<Cast, 'by'> = { choice: 'yes', source: BUTTON, added: true };
  const NO: Omit<Cast, 'by'> = { ...YES, choice: 'no' };

  async function waiting(settings: Settings = PAUSED) {
    const workspace = createWorkspace({ settings });
    const record = waitingRecord(POLICY);
    await workspace.seed(record);
    const { deps } = workspace;
    return {
      ...workspace,
      cast: (by: string, cast = YES) => vote(deps, record, { by, ...cast }),
      may: (by: string, cast = YES) => mayVote(deps, record, { by, ...cast }),
      record: () => workspace.read(record),
    };
  }

  test('that decides nothing is counted, and voting goes on after it', async () => {
    const { cast, record, state } = await waiting();
    expect((await cast('UANA')).type).toBe('counted');
    expect(await cast('UBEN')).toMatchObject({ ...REFUSED, source: BUTTON });
    expect((await record()).approval?.votes).toMatchObject([{ by: 'UANA' }]);
    state.settings = {};
    expect((await cast('UBEN')).type).toBe('counted');
    expect((await record()).approval).toMatchObject({
      confirmation: { since: T0 },
      history: [
        { by: 'UANA', type: 'voted' },
        { by: 'UBEN', type: 'refused', problem: 'paused' },
        { by: 'UBEN', type: 'voted' },
      ],
    });
  });

  test('that is refused is entered once, also if Slack delivers it again', async () => {
    const { cast, record } = await waiting();
    const click = { ...NO, moment: T0 * 1_000 };
    for (const _delivery of [1, 2]) expect(await cast('UANA', click)).toMatchObject(REFUSED);
    expect((await record()).approval?.history).toHaveLength(1);
  });

  test('that declines is refused, and so is the form for it', async () => {
    const { cast, may, record } = await waiting();
    expect((await may('UANA', NO)).type).toBe('paused');
    expect((await cast('UANA', NO)).type).toBe('paused');
    expect(await record()).toMatchObject({ state: 'awaiting_approval', approval: { votes: [] } });
  });

  test('that is refused has the card say that sending is paused', async () => {
    const { cast, record } = await waiting();
    await cast('UANA', NO);
    expect(await record()).toMatchObject({ paused: PAUSE, revision: 2 });
  });

  test('of somebody who may not vote is refused for that', async () => {
    const { cast } = await waiting();
    expect(await cast('UOTHER', NO)).toMatchObject({ type: 'refused', problem: 'not_approver' });
  });

  test('decides nothing if the pause was saved while it was counted', async () => {
    const { deps, seed, read, workspacesSaving } = createWorkspace();
    const record = waitingRecord({ ...POLICY, quorum: 1 });
    await seed(record);
    const workspaces = workspacesSaving(PAUSED);
    const voted = await vote({ ...deps, workspaces }, record, { by: 'UANA', ...YES });
    expect(voted).toMatchObject({ ...REFUSED, source: BUTTON });
    expect((await read(record)).approval).not.toHaveProperty('confirmation');
  });

  test('that Slack delivers again after it was counted is not refused', async () => {
    const { cast, state } = await waiting({});
    const timed = { ...YES, moment: T0 * 1_000 };
    await cast('UANA', timed);
    await cast('UBEN', timed);
    state.settings = PAUSED;
    expect((await cast('UBEN', timed)).type).toBe('counted');
  });
});
