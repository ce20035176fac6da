import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/changes/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { sharingChanged } from '../../../src/requests/use-cases/sharing.ts';
import { SHOWN_APART } from '../../support/approval-policy.ts';
import { answered, carded, REQUEST, said, T0 } from '../../support/records.ts';
import { type Company, createWorkspace } from '../../support/workspace.ts';

const SHARED = { C1: { isShared: true } };

async function setUp(channels: Company['channels'], records: RequestRecord[] = [carded()]) {
  const workspace = createWorkspace({ company: { channels } });
  await workspace.seed(...records);
  const tell = (channel = 'C1', inWorkspace = 'T1') =>
    sharingChanged(workspace.deps, { workspace: inWorkspace, channel });
  return { ...workspace, tell };
}

describe('when Slack says that the sharing of a channel has changed', () => {
  test('what counts is what Slack says of it now', async () => {
    const { tell, read, world } = await setUp({ C1: {} });
    await tell();
    expect(await read(carded())).toEqual(carded());
    world.company.channels = SHARED;
    await tell();
    expect(await read(carded())).toMatchObject({ inSharedChannel: true });
    world.company.channels = { C1: {} };
    await tell();
    expect(await read(carded())).toMatchObject({ inSharedChannel: false });
  });

  test('every request there is written down, open and ended, and no other', async () => {
    const [open, ended, other] = [
      carded({ id: 'open' }),
      answered(said('canceled'), { id: 'ended', target: 'A-2' }),
      carded({ id: 'other', target: 'A-3', channel: 'C2' }),
    ];
    const { tell, read, woken } = await setUp(SHARED, [open, ended, other]);
    await tell();
    expect(woken.sort()).toEqual(['ended', 'open']);
    for (const record of [open, ended]) expect((await read(record)).inSharedChannel).toBe(true);
    expect(await read(other)).toEqual(other);
    await tell();
    expect(woken).toHaveLength(2);
  });

  test('what the approvers see of a request is looked at again, and its card is left alone', async () => {
    const apart = newRecord(REQUEST, T0, { policy: SHOWN_APART, earlier: [] });
    const { tell, read, woken } = await setUp({ C2: { isShared: true } }, [apart]);
    await tell('C2');
    const { version, ...next } = await read(apart);
    expect({ ...next, version: apart.version }).toEqual({ ...apart, revision: apart.revision + 1 });
    expect([version, woken]).toEqual([apart.version + 1, [apart.id]]);
  });

  test('one that can not be seen counts as shared', async () => {
    const { tell, read } = await setUp({});
    await tell();
    expect((await read(carded())).inSharedChannel).toBe(true);
  });

  test('nothing is written while Slack does not tell of the channel, and that is a fault', async () => {
    const { tell, read, world } = await setUp(SHARED);
    world.company.isAway = true;
    await expect(tell()).rejects.toThrow('Slack is away');
    expect(await read(carded())).toEqual(carded());
  });

  test('Slack is asked nothing about a channel in which no request is shown', async () => {
    const { tell, world } = await setUp(SHARED);
    world.company.isAway = true;
    expect(await tell('C9')).toBeUndefined();
  });

  test('another workspace is not concerned', async () => {
    const { tell, read, woken } = await setUp(SHARED);
    await tell('C1', 'T2');
    expect(woken).toEqual([]);
    expect(await read(carded())).toEqual(carded());
  });
});
