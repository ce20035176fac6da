/** The rule that nobody is told of a change before it would survive a failover. */
import { describe, expect, test } from 'vitest';
import type { Replicated } from '../../../src/outbox/ports.ts';
import { BUTTON } from '../../../src/requests/model/approval.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { react } from '../../../src/requests/use-cases/approvals/react.ts';
import { vote } from '../../../src/requests/use-cases/approvals/vote.ts';
import { createRequest } from '../../../src/requests/use-cases/create-request.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { channelMoved, sharingChanged } from '../../../src/requests/use-cases/sharing.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { acting, REQUEST, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { overwrite } from '../../support/storage/versions.ts';

const UNCONFIRMED = 'Not all replicas have confirmed.';
const REF = { workspace: 'T1', id: REQUEST.id };

/** A workspace with a request that awaits approval, over a storage whose replicas confirm only what comes later. */
async function setUp() {
  const workspace = createWorkspace({});
  await workspace.seed(waitingRecord());
  let confirms = false;
  const replicated: Replicated = async (work) => {
    const result = await work();
    if (confirms) return result;
    confirms = true;
    throw new Error(UNCONFIRMED);
  };
  return { ...workspace, deps: { ...workspace.deps, replicated } };
}

describe('where the replicas of the storage have not confirmed it,', () => {
  test('a submission fails, and is taken when the person repeats it', async () => {
    const { deps } = await setUp();
    const submit = () =>
      createRequest(deps, {
        workspace: 'T1',
        requester: REQUEST.requester,
        kind: 'cancel_order',
        target: 'A-77',
        reason: 'Ordered twice',
        channel: REQUEST.channel,
        idempotencyKey: 'V1',
      });
    await expect(submit()).rejects.toThrow(UNCONFIRMED);
    expect(await submit()).toMatchObject({ type: 'created', record: { target: 'A-77', revision: 1 } });
  });

  test('a vote fails, and the same vote counts when Slack delivers it again', async () => {
    const { deps, read } = await setUp();
    const cast = { by: 'UANA', choice: 'yes', source: BUTTON, added: true, moment: 1 } as const;
    await expect(vote(deps, REF, cast)).rejects.toThrow(UNCONFIRMED);
    expect((await vote(deps, REF, cast)).type).toBe('counted');
    expect((await read(REF)).approval?.votes).toHaveLength(1);
  });

  test('a vote that does not count fails, and its voter is told when Slack delivers it again; it is entered once', async () => {
    const { deps, read } = await setUp();
    const own = { by: REQUEST.requester, choice: 'yes', source: BUTTON, added: true, moment: 1 } as const;
    await expect(vote(deps, REF, own)).rejects.toThrow(UNCONFIRMED);
    expect(await vote(deps, REF, own)).toMatchObject({ type: 'refused', problem: 'own_request' });
    expect((await read(REF)).approval?.history).toHaveLength(1);
  });

  test('the new id of a channel is heard of again, though only the settings name it', async () => {
    const { deps } = await setUp();
    const renamed: string[] = [];
    const renameInSettings = async (...names: string[]) => void renamed.push(names.join(' '));
    const moving = { ...deps, renameInSettings };
    const move = () => channelMoved(moving, { workspace: 'T1', from: 'C7', to: 'C8' });
    await expect(move()).rejects.toThrow(UNCONFIRMED);
    await move();
    expect(renamed).toEqual(['T1 C7 C8', 'T1 C7 C8']);
  });

  test('that a channel is shared is heard of again, though no request is shown there', async () => {
    const { deps } = await setUp();
    const report = () => sharingChanged(deps, { workspace: 'T1', channel: 'C7' });
    await expect(report()).rejects.toThrow(UNCONFIRMED);
    await report();
  });

  test('a reaction to a message of ours is delivered again, though no request is found for it', async () => {
    const { deps } = await setUp();
    const message = { channel: REQUEST.channel, ts: '1.000001' };
    const reacting = { workspace: 'T1', by: 'UANA', emoji: '+1', message, added: true, moment: T0 * 1_000 };
    const ours = () => react(deps, { ...reacting, mayBeOurs: true });
    expect(await react(deps, { ...reacting, mayBeOurs: false })).toEqual({ type: 'not_a_vote' });
    await expect(ours()).rejects.toThrow(UNCONFIRMED);
    expect(await ours()).toEqual({ type: 'not_a_vote' });
  });

  test('a withdrawal fails, though it is written', async () => {
    const { deps, read } = await setUp();
    const who = acting(await read(REF), REQUEST.requester);
    await expect(resolveManually(deps, who, 'withdraw')).rejects.toThrow(UNCONFIRMED);
    expect((await read(REF)).state).toBe('withdrawn');
  });

  test('that a withdrawal came too late is told once its history says so', async () => {
    const { deps, read } = await setUp();
    const seen = await read(REF);
    await overwrite(deps.store, requestEntry({ ...seen, state: 'calling' }, TIMINGS));
    const late = () => resolveManually(deps, acting(seen, REQUEST.requester), 'withdraw');
    await expect(late()).rejects.toThrow(UNCONFIRMED);
    expect(await late()).toMatchObject({
      type: 'too_late',
      record: { lateActions: [{ action: 'withdraw' }] },
    });
  });
});
