import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { botLeft, reachChanged, sharingChanged, sharingOf } from '../../../src/requests/use-cases/sharing.ts';
import { SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, carded, crowd, REQUEST, said, T0, withCard } from '../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

const WHERE = { workspace: 'T1', channel: 'C1' };

test.each([
  ['refused', 'where another company reads it', { isShared: true }, undefined],
  ['allowed', 'where an admin allows such channels', { isShared: true }, true],
  ['none', 'in a channel of the company’s own, whatever is allowed', {}, true],
  ['none', 'where the channel cannot be seen: the submission tells', undefined, undefined],
] as const)('before anybody submits, sharing is %s %s', async (sharing, _name, channel, sharedChannels) => {
  const channels = channel ? { C1: channel } : {};
  const { deps } = createWorkspace({ company: { channels } });
  expect(await sharingOf(deps, { ...WHERE, settings: { sharedChannels } })).toBe(sharing);
});

test('while Slack is away nobody is told that a channel is not shared', async () => {
  const { deps } = createWorkspace({ company: { isAway: true } });
  await expect(sharingOf(deps, { ...WHERE, settings: {} })).rejects.toThrow('Slack is away');
});

const SHARED = { C1: { isShared: true } };

async function setUp(channels: Company['channels'], records: RequestRecord[] = [carded()]) {
  const workspace = createWorkspace({ company: { channels } });
  await workspace.seed(...records);
  const report = (channel = 'C1', inWorkspace = 'T1') =>
    sharingChanged(workspace.deps, { workspace: inWorkspace, channel });
  return { ...workspace, report };
}

describe('when Slack says that the sharing of a channel has changed', () => {
  test('what counts is what Slack says of it now', async () => {
    const { report, read, state } = await setUp({ C1: {} });
    await report();
    expect(await read(carded())).toEqual(inAnyVersion(carded()));
    state.company.channels = SHARED;
    await report();
    expect(await read(carded())).toMatchObject({ inSharedChannel: true });
    state.company.channels = { C1: {} };
    await report();
    expect(await read(carded())).toMatchObject({ inSharedChannel: false });
  });

  test('what counts is what Slack says of it in the end, also to a process that was frozen after it had asked', async () => {
    const { deps, read, state } = await setUp(SHARED);
    const channelNow: typeof deps.directory.channelNow = async (...asked) => {
      const answer = await deps.directory.channelNow(...asked);
      state.company.channels = { C1: {} };
      return answer;
    };
    await sharingChanged({ ...deps, directory: { ...deps.directory, channelNow } }, WHERE);
    expect(await read(carded())).toMatchObject({ inSharedChannel: false });
  });

  test('an open request is updated, however many newer ones there have ended, and though an event reopened it', async () => {
    const open = { ...answered(said('pending'), { id: 'open' }), holdsSlot: false };
    const ended = Array.from({ length: 200 }, (_, n) =>
      answered(said('canceled'), { id: `ended${n}`, target: `A-${n}` }, T0 + 1_000),
    );
    const { report, woken } = await setUp(SHARED, [open, ...ended]);
    await report();
    expect(woken).toContain('open');
  });

  test('an open request is updated, however many newer ones are open in other channels', async () => {
    const mine = answered(said('pending'), { id: 'mine', target: 'M-1', reason: 'Fraud by Mr X' });
    const { report, read } = await setUp(SHARED, [mine, ...crowd()]);
    await report();
    expect((await read(mine)).inSharedChannel).toBe(true);
  });

  test('every request there is updated, open and ended, and no other', async () => {
    const [open, ended, other] = [
      carded({ id: 'open' }),
      answered(said('canceled'), { id: 'ended', target: 'A-2' }),
      carded({ id: 'other', target: 'A-3', channel: 'C2' }),
    ];
    const { report, read, woken } = await setUp(SHARED, [open, ended, other]);
    await report();
    expect(woken.sort()).toEqual(['ended', 'open']);
    for (const record of [open, ended]) expect((await read(record)).inSharedChannel).toBe(true);
    expect(await read(other)).toEqual(inAnyVersion(other));
    await report();
    expect(woken).toHaveLength(2);
  });

  test('what the approvers see of a request is looked at again, and its card is left alone', async () => {
    const apart = newRecord(REQUEST, T0, { policy: SHOWN_APART, earlier: [] });
    const { report, read, woken } = await setUp({ C2: { isPrivate: true } }, [apart]);
    await report('C2');
    expect(await read(apart)).toEqual(inAnyVersion({ ...apart, revision: apart.revision + 1 }));
    expect(woken).toEqual([apart.id]);
  });

  test('a channel that cannot be seen counts as shared', async () => {
    const { report, read } = await setUp({});
    await report();
    expect((await read(carded())).inSharedChannel).toBe(true);
  });

  test('nothing is written while Slack does not tell of the channel, and that is a fault', async () => {
    const { report, read, state } = await setUp(SHARED);
    state.company.isAway = true;
    await expect(report()).rejects.toThrow('Slack is away');
    expect(await read(carded())).toEqual(inAnyVersion(carded()));
  });

  test('Slack is asked nothing about a channel in which no request is shown', async () => {
    const { report, state } = await setUp(SHARED);
    state.company.isAway = true;
    expect(await report('C9')).toBeUndefined();
  });

  test('another workspace is not concerned', async () => {
    const { report, read, woken } = await setUp(SHARED);
    await report('C1', 'T2');
    expect(woken).toEqual([]);
    expect(await read(carded())).toEqual(inAnyVersion(carded()));
  });
});

describe('when the bot was taken out of a channel', () => {
  const apart = newRecord({ ...REQUEST, id: 'apart', target: 'A-2' }, T0, {
    policy: SHOWN_APART,
    earlier: [],
  });

  test.each([
    ['that shows a card', 'C1', [carded(), apart]],
    ['in which approvers are asked', 'C2', [apart]],
  ])(
    'what waits in a channel %s is looked at again, even if Slack tells of it twice',
    async (_name, channel, records) => {
      const { deps, read, woken } = await setUp(
        { C1: {}, C2: { isPrivate: true, members: ['UANA', 'UBEN'] } },
        records,
      );
      for (let i = 0; i < 2; i++) await reachChanged(deps, { workspace: 'T1', channel });
      for (const record of records)
        expect(await read(record)).toMatchObject({ revision: record.revision + 2 });
      expect(new Set(woken)).toEqual(new Set(records.map(({ id }) => id)));
    },
  );

  test('an admin is told at once that nobody can see who approves', async () => {
    const { deps, read } = await setUp({}, [apart]);
    await reachChanged(deps, { workspace: 'T1', channel: 'C2' });
    expect(await read(apart)).toMatchObject({ approval: { problem: 'channel_not_visible' } });
  });

  test('what was sent already, and what is shown elsewhere, stays as it is', async () => {
    const sent = answered(said('pending'), { channel: 'C9' });
    const { deps, read, woken } = await setUp({}, [sent, apart]);
    await reachChanged(deps, { workspace: 'T1', channel: 'C9' });
    await reachChanged(deps, { workspace: 'T2', channel: 'C2' });
    for (const record of [sent, apart]) expect(await read(record)).toEqual(inAnyVersion(record));
    expect(woken).toEqual([]);
  });

  const votedOnThere = withCard(waitingRecord(), {
    delivery: { status: 'posted', channel: 'C1', ts: '1.1' },
    location: { channel: 'C1', ts: '1.1' },
  });

  test.each([
    ['joins it again if people vote there', votedOnThere, ['joins']],
    ['stays outside if nobody votes there', carded(), []],
  ])('the bot %s, and what waits there is looked at in any case', async (_name, record, calls) => {
    const { deps, read } = await setUp({ C1: {} }, [record]);
    const joined: string[] = [];
    await botLeft(deps, WHERE, async () => void joined.push('joins'));
    expect(joined).toEqual(calls);
    expect(await read(record)).toMatchObject({ revision: record.revision + 1 });
  });

  test('the event must come again if the bot may still join, although what waits there was looked at', async () => {
    const { deps, read } = await setUp({ C1: {} }, [votedOnThere]);
    const failing = botLeft(deps, WHERE, () => Promise.reject(new Error('timed out')));
    await expect(failing).rejects.toThrow('timed out');
    expect(await read(votedOnThere)).toMatchObject({ revision: votedOnThere.revision + 1 });
  });
});
