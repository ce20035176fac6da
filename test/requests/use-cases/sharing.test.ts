import { describe, expect, test } from 'vitest';
import { settlePosting, settleUpdate } from '../../../src/requests/engine/apply-result.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { newRecord, RequestRecord } from '../../../src/requests/model/record.ts';
import { withSharing } from '../../../src/requests/model/sharing.ts';
import type { Channel, Directory, Settings } from '../../../src/requests/ports/ports.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import { channelProblem } from '../../../src/requests/use-cases/rules.ts';
import { sharingOf } from '../../../src/requests/use-cases/sharing.ts';
import { sharingChanged } from '../../../src/requests/use-cases/sharing-changed.ts';
import { answered, calling, carded, REQUEST, said, T0 } from '../../support/records.ts';
import { createWorld } from '../../support/world.ts';

const OURS: Channel = { id: 'C1', isPrivate: false, isShared: false, isArchived: false, isMember: true };
const SHARED: Channel = { ...OURS, isShared: true };

const directoryOf = (channel: Channel | undefined | Error): Directory => ({
  person: async () => undefined,
  mayPost: async () => true,
  isInGroup: async () => undefined,
  channel: async () => undefined,
  channelNow: async () => {
    if (channel instanceof Error) throw channel;
    return channel;
  },
  isChannelMember: async () => false,
  groupMembers: async () => [],
  channelMembers: async () => [],
});

describe('a shared channel', () => {
  test.each([
    ['is refused', SHARED, undefined, 'shared'],
    ['is refused where an admin has not allowed it', SHARED, false, 'shared'],
    ['is taken where an admin allows it', SHARED, true, undefined],
    ['that is archived is refused all the same', { ...SHARED, isArchived: true }, true, 'archived'],
    [
      'that is private needs an invitation all the same',
      { ...SHARED, isPrivate: true, isMember: false },
      true,
      'not_member',
    ],
  ] as const)('%s', (_name, channel, mayBeShared, problem) => {
    expect(channelProblem(channel, mayBeShared)).toBe(problem);
  });

  test.each([
    [SHARED, true, 'allowed'],
    [SHARED, undefined, 'refused'],
    [OURS, true, 'none'],
    [undefined, undefined, 'none'],
  ] as const)('is told of before anybody submits', async (channel, sharedChannels, sharing) => {
    const settings: Settings = { sharedChannels };
    const workspaces = { settings: async () => settings };
    const deps = { directory: directoryOf(channel), workspaces };
    expect(await sharingOf(deps, { workspace: 'T1', channel: 'C1' })).toBe(sharing);
  });
});

describe('a record', () => {
  test('that was written before it knew of sharing reads as one in a channel of the company’s own', () => {
    const { inSharedChannel: _new, ...old } = newRecord(REQUEST, T0);
    expect(RequestRecord.parse(old).inSharedChannel).toBe(false);
  });

  test('is shown anew when its channel is shared, and its asker is told once', () => {
    const before = carded();
    const shared = withSharing(before, true, T0);
    expect(shared).toMatchObject({ inSharedChannel: true, revision: before.revision + 1 });
    expect(shared.notes).toMatchObject([{ type: 'shared' }]);
    const again = withSharing(withSharing(shared, false, T0), true, T0);
    expect(again).toMatchObject({ inSharedChannel: true, revision: before.revision + 3 });
    expect(again.notes).toHaveLength(1);
    expect(withSharing(again, true, T0)).toBe(again);
  });

  test('that has ended is shown anew, and nobody is told', () => {
    const ended = answered(said('canceled'));
    expect(withSharing(ended, true, T0)).toMatchObject({ revision: ended.revision + 1, notes: [] });
  });

  test('learns from what was posted or updated that its channel is shared', () => {
    const { record: claimed, claim } = calling();
    const s = { claim, rendered: claimed.revision, now: T0, timings: TIMINGS };
    const telling = { type: 'card' as const };
    const updated = settleUpdate(claimed, telling, { type: 'posted', inSharedChannel: true }, s);
    expect(updated).toMatchObject({ inSharedChannel: true, notes: [{ type: 'shared' }] });
    const posting = { type: 'posted' as const, channel: 'C1', ts: '1.0', inSharedChannel: true as const };
    const fresh = newRecord(REQUEST, T0);
    expect(settlePosting(fresh, telling, posting, { ...s, rendered: 1 })).toMatchObject({
      inSharedChannel: true,
      card: { delivery: { status: 'posted' } },
    });
  });
});

describe('when Slack says that the sharing of a channel has changed', () => {
  async function heard(channel: Channel | undefined | Error, records = [carded()]) {
    const world = createWorld({ answer: said('canceled') });
    for (const record of records) await world.store.create(entryOf(record, TIMINGS));
    const triggered: string[] = [];
    const deps = {
      store: world.store,
      directory: directoryOf(channel),
      timings: TIMINGS,
      trigger: ({ id }: { id: string }) => void triggered.push(id),
    };
    const tell = (id = 'C1', workspace = 'T1') => sharingChanged(deps, { workspace, channel: id });
    return { world, tell, triggered };
  }

  test('what counts is what Slack says of it now', async () => {
    const { world, tell } = await heard(OURS);
    await tell();
    expect(await world.read(carded())).toMatchObject({ inSharedChannel: false, version: 1 });
  });

  test('every request there is written down, open and ended, and no other', async () => {
    const ids = ['bcdfghjkmnpa', 'bcdfghjkmnpb', 'bcdfghjkmnpc'] as const;
    const [open, ended, other] = [
      carded({ id: ids[0] }),
      answered(said('canceled'), { id: ids[1], target: 'A-2' }),
      carded({ id: ids[2], target: 'A-3', channel: 'C9' }),
    ];
    const { world, tell, triggered } = await heard(SHARED, [open, ended, other]);
    await tell();
    expect(triggered.sort()).toEqual([ids[0], ids[1]]);
    for (const record of [open, ended]) expect((await world.read(record)).inSharedChannel).toBe(true);
    expect((await world.read(other)).inSharedChannel).toBe(false);
    await tell();
    expect(triggered).toHaveLength(2);
  });

  test('one that cannot be seen counts as shared', async () => {
    const { world, tell } = await heard(undefined);
    await tell();
    expect((await world.read(carded())).inSharedChannel).toBe(true);
  });

  test('it is not taken for heard while Slack does not tell of the channel', async () => {
    const { world, tell } = await heard(new Error('Slack is away'));
    await expect(tell()).rejects.toThrow('Slack is away');
    expect(await world.read(carded())).toMatchObject({ inSharedChannel: false, version: 1 });
  });

  test('another workspace is not concerned', async () => {
    const { world, tell, triggered } = await heard(SHARED);
    await tell('C1', 'T2');
    expect(triggered).toEqual([]);
    expect((await world.read(carded())).inSharedChannel).toBe(false);
  });
});
