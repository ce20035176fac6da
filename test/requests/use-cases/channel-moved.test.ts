import { describe, expect, test } from 'vitest';
import { saveResult } from '../../../src/outbox/claim.ts';
import { NO_WAIT, SILENT } from '../../../src/outbox/ports.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import { createRequestType } from '../../../src/requests/engine/request-type.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf, notesOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { channelSubject } from '../../../src/requests/store/subjects.ts';
import { approversChanged } from '../../../src/requests/use-cases/approvals/approvers-changed.ts';
import { react } from '../../../src/requests/use-cases/approvals/react.ts';
import { channelMoved } from '../../../src/requests/use-cases/sharing.ts';
import { SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { createFakeMessenger } from '../../support/requests/fake-messenger.ts';
import {
  answered,
  carded,
  crowd,
  HELD,
  queued,
  REQUEST,
  said,
  T0,
  withCard,
} from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

const OURS = { isPrivate: true };

const log = SILENT;

/** The channel `from` has become `to`, as Slack describes it now. */
async function setUp(...records: RequestRecord[]) {
  const workspace = createWorkspace({ company: { channels: { C1: OURS, C2: OURS, C9: OURS } } });
  await workspace.seed(...records);
  const renamed: string[] = [];
  const renameInSettings = async (...names: string[]) => void renamed.push(names.join(' '));
  const deps = { ...workspace.deps, renameInSettings };
  const move = (from = 'C1', to = 'C9', inWorkspace = 'T1') =>
    channelMoved(deps, { workspace: inWorkspace, from, to });
  return { ...workspace, deps, renamed, move };
}

/** A request voted on in C1. Its requester reacts, which is told from any other reaction. */
async function setUpVoted(state: 'awaiting_approval' | 'declined' = 'awaiting_approval') {
  const location = { channel: 'C1', ts: '1.000001' };
  const waiting = { ...waitingRecord(), channel: 'C1', state };
  const { deps, ...rest } = await setUp(withCard(waiting, { location }));
  const what = { emoji: 'white_check_mark', mayBeOurs: true, added: true };
  const reaction = { ...what, by: waiting.requester };
  let moment = T0 * 1_000;
  const reacted = (channel: string) =>
    react(deps, { ...reaction, moment: ++moment, workspace: 'T1', message: { ...location, channel } });
  return { ...rest, deps, reacted };
}

/** Approved in C2, requested in C1. */
const apart = () =>
  newRecord({ ...REQUEST, id: 'apart', target: 'A-2' }, T0, { policy: SHOWN_APART, earlier: [] });

describe('a channel that has another id now', () => {
  test('has it wherever a request names it, and nothing else of the request changes', async () => {
    const before = carded({ target: 'C1', reason: 'C1' });
    const { move, read, woken } = await setUp(before);
    await move();
    const after = await read(before);
    expect(after).toEqual({
      ...before,
      version: after.version,
      channel: 'C9',
      moved: [{ from: 'C1', to: 'C9' }],
      messages: withCard(before, {
        delivery: { status: 'posted', channel: 'C9', ts: '1.000001' },
        location: { channel: 'C9', ts: '1.000001' },
      }).messages,
    });
    expect(woken).toEqual([before.id]);
  });

  test('is where its requests are found from then on', async () => {
    const { move, deps } = await setUp(carded(), answered(said('canceled'), { id: 'ended', target: 'A-2' }));
    await move();
    const idsIn = async (channel: string) =>
      (await deps.store.listBySubject('T1', channelSubject(channel), 10)).records.map(({ id }) => id).sort();
    expect([await idsIn('C1'), await idsIn('C9')]).toEqual([[], [REQUEST.id, 'ended']]);
  });

  test('is whose members approve from then on, where the request is shown elsewhere', async () => {
    const policy = { ...SHOWN_APART, approvers: { type: 'channel' }, shownIn: 'where_requested' } as const;
    const here = newRecord({ ...REQUEST, id: 'here', target: 'A-2' }, T0, { policy, earlier: [] });
    const { move, read } = await setUp(here);
    await move('C2');
    expect(await read(here)).toMatchObject({ channel: 'C1', approval: { policy: { channel: 'C9' } } });
  });

  test('is where the approvers are asked from then on, and who are asked if its members are', async () => {
    const { move, read } = await setUp(apart());
    await move('C2');
    expect(await read(apart())).toMatchObject({ channel: 'C1', approval: { policy: { channel: 'C9' } } });
  });

  test('has its members counted once the settings name it: some may have left before that', async () => {
    const policy = { ...SHOWN_APART, approvers: { type: 'channel' }, channel: 'C2' } as const;
    const { move, deps, state } = await setUp();
    state.settings = { policies: { cancel_order: policy } };
    state.company.channels = { C9: { ...OURS, members: ['UANA'] } };
    await approversChanged(deps, { workspace: 'T1', channel: 'C2' });
    expect(await deps.notices.count('T1')).toBe(0);
    deps.renameInSettings = async () => {
      state.settings = { policies: { cancel_order: { ...policy, channel: 'C9' } } };
    };
    await move('C2');
    expect(await deps.notices.list('T1', { limit: 1 })).toMatchObject([{ type: 'policy_unmet' }]);
  });

  test('has it in an open request, too, than which very many open requests elsewhere are newer', async () => {
    const mine = answered(said('pending'), { id: 'mine', target: 'M-1' });
    const { move, read } = await setUp(mine, ...crowd());
    await move();
    expect(await read(mine)).toMatchObject({ channel: 'C9' });
  });

  test('is renamed in the settings, too, though no request names it', async () => {
    const { move, renamed } = await setUp();
    await move();
    expect(renamed).toEqual(['T1 C1 C9']);
  });

  test.each([
    ['is shared with another company', { isPrivate: true, isShared: true }],
    ['cannot be seen', undefined],
  ])('counts as shared at once where it %s', async (_name, channel) => {
    const { move, read, state } = await setUp(carded());
    state.company.channels = channel ? { C9: channel } : {};
    await move();
    const after = await read(carded());
    expect(after.inSharedChannel).toBe(true);
    expect(notesOf(after)).toMatchObject([{ type: 'shared' }]);
  });

  test('changes no request in another channel, or of another workspace', async () => {
    const others = [carded({ channel: 'C2' }), carded({ workspace: 'T2' })];
    const { move, read, woken } = await setUp(...others);
    await move();
    for (const record of others) expect(await read(record)).toEqual(inAnyVersion(record));
    expect(woken).toEqual([]);
  });

  test('moves once, however often Slack tells of it', async () => {
    const { move, read } = await setUp(carded());
    await move();
    const once = await read(carded());
    await move();
    expect(await read(carded())).toEqual(once);
  });

  test('is where a message is that was on its way to the former id', async () => {
    const claim = { owner: 'o', startedAt: T0, expiresAt: T0 + TIMINGS.claimMs };
    const post = { type: 'post', messageKey: 'card' } as const;
    const claimed = claimEffect(queued(), post, claim);
    const { move, read, deps } = await setUp(claimed);
    await move();
    const { messenger } = createFakeMessenger(() => 'works');
    const { calls, inForce } = createEngineHarness({ answer: said('canceled') }).deps();
    const type = createRequestType({
      ...{ ...deps, messenger, calls, inForce, log },
      countApprovers: async (record) => record,
      limit: async () => NO_WAIT,
      recordEvent: async () => {},
    });
    const done = await type.perform(post, claimed, HELD);
    const { replicated } = deps;
    const saving = { log, sleep: async () => {}, stopping: new AbortController().signal, replicated };
    await saveResult(type, saving, claimed, done);
    expect(cardOf(await read(claimed))).toMatchObject({
      location: { channel: 'C9', ts: '1.0' },
      delivery: { status: 'posted', channel: 'C9' },
    });
  });

  test('has the votes that Slack reports under any of its ids, although it has moved twice', async () => {
    const { deps, reacted } = await setUpVoted();
    await channelMoved(deps, { workspace: 'T1', from: 'C1', to: 'C9' });
    await channelMoved(deps, { workspace: 'T1', from: 'C9', to: 'C10' });
    for (const channel of ['C1', 'C9', 'C10'])
      expect(await reacted(channel)).toMatchObject({ type: 'refused', problem: 'own_request' });
  });

  test('has the votes of before the bot knew its new id: Slack delivers them again until then', async () => {
    const { move, reacted } = await setUpVoted();
    expect(await reacted('C9')).toEqual({ type: 'not_yet' });
    await move();
    expect(await reacted('C9')).toMatchObject({ type: 'refused', problem: 'own_request' });
  });

  test('is not waited for once the request is decided', async () => {
    const { reacted } = await setUpVoted('declined');
    expect(await reacted('C9')).toEqual({ type: 'not_a_vote' });
  });

  test('is heard of again where Slack or the storage was away, until all of it is written', async () => {
    const { move, read, state, deps } = await setUp(carded());
    state.company.isAway = true;
    await expect(move()).rejects.toThrow('Slack is away');
    state.company.isAway = false;
    state.company.channels = { C9: { isShared: true } };
    await move();
    expect(await read(carded())).toMatchObject({ channel: 'C9', inSharedChannel: true });
    const away = { ...deps, renameInSettings: () => Promise.reject(new Error('unreadable')) };
    const moved = channelMoved(away, { workspace: 'T1', from: 'C9', to: 'C1' });
    await expect(moved).rejects.toThrow('unreadable');
    expect(await read(carded())).toMatchObject({ channel: 'C9' });
  });
});
