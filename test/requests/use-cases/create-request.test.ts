import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { type CreateInput, createRequest } from '../../../src/requests/use-cases/create-request.ts';
import { acknowledging } from '../../../src/requests/use-cases/same-target.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, queued, said, T0 } from '../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion, overwrite } from '../../support/storage/versions.ts';

const INPUT: CreateInput = {
  workspace: 'T1',
  requester: 'U1',
  kind: 'cancel_order',
  target: 'A-1001',
  reason: 'Ordered twice',
  channel: 'C1',
  idempotencyKey: 'V1',
};

function setUp(given: { company?: Partial<Company>; settings?: Settings } = {}) {
  const workspace = createWorkspace(given);
  const create = (input: Partial<CreateInput> = {}) => createRequest(workspace.deps, { ...INPUT, ...input });
  const created = async (input: Partial<CreateInput> = {}) => {
    const result = await create(input);
    if (result.type !== 'created') throw new Error(result.type);
    return result.record;
  };
  const count = () => workspace.deps.store.count('T1');
  return { ...workspace, create, created, count };
}

describe('a request that is checked while admins save settings', () => {
  function setUpSaving(...saves: Settings[]) {
    const { deps, workspacesSaving, woken } = createWorkspace();
    const workspaces = workspacesSaving(...saves);
    const create = () => createRequest({ ...deps, workspaces }, INPUT);
    return { woken, create, count: () => deps.store.count('T1') };
  }

  test('is checked again: the policy that was saved asks for approval', async () => {
    const { create } = setUpSaving({ policies: { cancel_order: POLICY } });
    const record = { state: 'awaiting_approval', approval: { policy: POLICY } };
    expect(await create()).toMatchObject({ type: 'created', record });
  });

  test('is checked again: only the members of a user group may request now', async () => {
    const { create, count } = setUpSaving({}, { requesters: 'S1' });
    expect(await create()).toEqual({ type: 'not_allowed', problem: 'not_in_group', group: 'S1' });
    expect(await count()).toBe(0);
  });

  test('is not created after three tries, and may be submitted again', async () => {
    const { create, count, woken } = setUpSaving({}, {}, {});
    expect(await create()).toEqual({ type: 'settings_changed' });
    expect([await count(), woken]).toEqual([0, []]);
    expect(await create()).toMatchObject({ type: 'created' });
  });
});

describe('a request', () => {
  test('is stored as it was submitted, and wakes the loop', async () => {
    const { created, read, woken } = setUp();
    const reason = 'x'.repeat(1_000);
    const record = await created({ target: ' A-1001. ', reason });
    expect(await read(record)).toEqual(inAnyVersion(record));
    expect(record).toMatchObject({
      ...{ workspace: 'T1', kind: 'cancel_order', target: 'A-1001', reason },
      ...{ requester: 'U1', channel: 'C1', inSharedChannel: false, state: 'queued', createdAt: T0 },
    });
    expect(record.approval).toBeUndefined();
    expect(woken).toEqual([record.id]);
  });

  test('awaits approval under the policy of its kind, which it keeps whatever an admin sets later', async () => {
    const { created, read, state } = setUp({ settings: { policies: { cancel_order: POLICY } } });
    const record = await created();
    state.settings = {};
    expect(await read(record)).toMatchObject({ state: 'awaiting_approval', approval: { policy: POLICY } });
    expect(await created({ kind: 'send_offer', target: 'O-1', idempotencyKey: 'V2' })).toMatchObject({
      state: 'queued',
    });
  });

  test('knows that another company reads its channel, where an admin allows such channels', async () => {
    const company = { channels: { C1: { isShared: true } } };
    const { created } = setUp({ company, settings: { sharedChannels: true } });
    expect(await created()).toMatchObject({ inSharedChannel: true });
  });

  test.each<[string, Partial<CreateInput>, object]>([
    ['without an id', { target: '  ' }, { target: 'missing' }],
    ['with a path for an id', { target: '../token' }, { target: 'has_slash' }],
    ['with a hidden path for an id', { target: '..%2Ftoken' }, { target: 'not_an_id' }],
    ['without the reason that its kind needs', { reason: '' }, { reason: 'missing' }],
    ['with an endless reason', { reason: 'x'.repeat(1_001) }, { reason: 'too_long' }],
    ['without a channel', { channel: undefined }, { channel: 'missing' }],
    ['in a channel that the bot cannot see', { channel: 'C9' }, { channel: 'not_visible' }],
    ['in a shared channel', { channel: 'CSHARED' }, { channel: 'shared' }],
    ['with several mistakes', { target: '', reason: '' }, { target: 'missing', reason: 'missing' }],
  ])('%s is refused at its fields, and nothing is written', async (_name, input, problems) => {
    const { create, count, woken } = setUp({
      company: { channels: { C1: {}, CSHARED: { isShared: true } } },
    });
    expect(await create(input)).toMatchObject({ type: 'invalid', problems });
    expect([await count(), woken]).toEqual([0, []]);
  });

  test('for an id that is not like the others is refused; in another case, with the right spelling, whatever else is wrong', async () => {
    const { create, created, count } = setUp({ settings: { orderIdPattern: 'A-####' } });
    const problems = { target: 'not_the_pattern', pattern: 'A-####', meant: undefined };
    expect(await create({ target: 'A-12' })).toMatchObject({ type: 'invalid', problems });
    const misspelled = { ...problems, meant: 'A-1001' };
    expect(await create({ target: 'a-1001' })).toMatchObject({ type: 'invalid', problems: misspelled });
    const both = { ...misspelled, reason: 'missing' };
    expect(await create({ target: 'a-1001', reason: '' })).toMatchObject({ type: 'invalid', problems: both });
    expect(await count()).toBe(0);
    expect(await created({ kind: 'send_offer', target: 'O-1' })).toMatchObject({ target: 'O-1' });
  });
});

describe('somebody who may not request', () => {
  test('is told so, and nothing is stored', async () => {
    const { create, count, woken } = setUp();
    expect(await create({ requester: 'UGUEST' })).toEqual({ type: 'not_allowed', problem: 'guest' });
    expect([await count(), woken]).toEqual([0, []]);
  });

  test('is somebody without whom too few approvers are left', async () => {
    const policy = { ...POLICY, approvers: { type: 'people' as const, people: ['U1', 'UANA'] } };
    const settings = { policies: { cancel_order: policy } };
    const { create, created } = setUp({ settings });
    expect(await create()).toEqual({ type: 'too_few_approvers', policy });
    expect(await created({ requester: 'UBEN' })).toMatchObject({ state: 'awaiting_approval' });
  });

  test('is not told so while the settings cannot be read: it is a fault, and nothing is stored', async () => {
    const { deps, count } = setUp();
    const workspaces = { ...deps.workspaces, inForce: () => Promise.reject(new Error('unreadable')) };
    await expect(createRequest({ ...deps, workspaces }, INPUT)).rejects.toThrow('unreadable');
    expect(await count()).toBe(0);
  });

  test('is decided by settings that are read once', async () => {
    const { deps } = setUp({ settings: { policies: { cancel_order: POLICY }, requesters: 'S1' } });
    const inForce = vi.fn(deps.workspaces.inForce);
    const workspaces = { ...deps.workspaces, inForce };
    const created = await createRequest({ ...deps, workspaces }, { ...INPUT, requester: 'UANA' });
    expect(created).toMatchObject({ type: 'created', record: { state: 'awaiting_approval' } });
    expect(inForce).toHaveBeenCalledTimes(1);
  });

  test('is not told so while Slack is away: it is a fault, and nothing is stored', async () => {
    const { create, count, woken } = setUp({ company: { isAway: true } });
    await expect(create()).rejects.toThrow('Slack is away');
    expect([await count(), woken]).toEqual([0, []]);
  });
});

/** A request whose call had no answer, after people have acted on it. */
const inDoubt = (more: Partial<RequestRecord>, ...actions: ManualAction[]): RequestRecord =>
  actions.reduce(
    (record, action) => {
      const next = transition(record, { type: 'person', by: 'UADMIN', action }, T0);
      if (!next) throw new Error(`${action} is not possible`);
      return next;
    },
    answered({ type: 'no_answer', why: 'cut' }, more),
  );

describe('a second request for the same order', () => {
  test('is told of the open one, which its requester may withdraw, unless the policy says otherwise', async () => {
    const { create, created, state } = setUp({ settings: { policies: { cancel_order: POLICY } } });
    const by = await created();
    const again = { target: 'a-1001', idempotencyKey: 'V2' };
    expect(await create(again)).toEqual({ type: 'slot_taken', by: inAnyVersion(by), isTheirs: true });
    expect(await create({ ...again, requester: 'UBEN' })).toMatchObject({ isTheirs: false });
    state.settings = { policies: { cancel_order: { ...POLICY, mayWithdraw: false } } };
    await created({ target: 'A-2', idempotencyKey: 'V3' });
    expect(await create({ target: 'A-2', idempotencyKey: 'V4' })).toMatchObject({ isTheirs: false });
  });

  test('is told once of the one that has done it', async () => {
    const { create, created, seed } = setUp();
    const earlier = answered(said('canceled'));
    await seed(earlier);
    expect(await create()).toEqual({ type: 'done_before', earlier: inAnyVersion(earlier) });
    expect(await create({ acknowledged: 'done_before another' })).toMatchObject({ type: 'done_before' });
    const acknowledged = acknowledging('done_before', earlier);
    expect(await created({ acknowledged })).toMatchObject({ state: 'queued' });
  });

  test('that knows of the one that has done it says so, also if another one was open as it was checked', async () => {
    const { created, seed, deps } = setUp();
    const earlier = answered(said('canceled'));
    await seed(earlier);
    const list = deps.store.listBySubject;
    // It has ended by the time at which the request is written.
    deps.store.listBySubject = async (...args) => {
      const { records, now } = await list(...args);
      return { records: [queued({ id: 'open' }), ...records], now };
    };
    const { repeats } = await created({ acknowledged: acknowledging('done_before', earlier) });
    expect(repeats).toEqual({ kind: 'cancel_order' });
  });

  test('is told once of one that ended in doubt, unless a later one is certain', async () => {
    const { create, created, seed } = setUp();
    const earlier = inDoubt({}, 'release');
    await seed(earlier);
    expect(await create()).toEqual({ type: 'maybe_done_before', earlier: inAnyVersion(earlier) });
    const known = await created({ acknowledged: acknowledging('maybe_done_before', earlier) });
    expect(known).toMatchObject({ state: 'queued', repeats: { kind: 'cancel_order', maybe: true } });
  });

  test.each<[string, RequestRecord]>([
    ['under review', answered(said('pending'))],
    ['unknown', inDoubt({})],
  ])('is told of an earlier one that is %s again without the slot', async (_state, reopened) => {
    const { create, created, seed } = setUp();
    const earlier = { ...reopened, holdsSlot: false };
    await seed(earlier, { ...queued({ id: 'later' }, T0 + 1), state: 'withdrawn' });
    expect(await create()).toEqual({ type: 'maybe_done_before', earlier: inAnyVersion(earlier) });
    const acknowledged = acknowledging('maybe_done_before', earlier);
    expect(await created({ acknowledged })).toMatchObject({ state: 'queued' });
  });

  test('is told again of one that was in doubt and has proved to be done since', async () => {
    const { create, seed } = setUp();
    const earlier = answered(said('canceled'));
    await seed(earlier);
    const acknowledged = acknowledging('maybe_done_before', earlier);
    expect(await create({ acknowledged })).toMatchObject({ type: 'done_before' });
  });

  test.each<[string, RequestRecord]>([
    ['a later one is certain', { ...answered(said('denied'), { id: 'later' }), createdAt: T0 + 1 }],
    ['it was certainly not received', inDoubt({}, 'approved', 'never_received')],
  ])('is not told of one in doubt if %s', async (_why, other) => {
    const { created, seed } = setUp();
    const certain = other.id === 'later';
    await seed(...(certain ? [{ ...inDoubt({}, 'release'), createdAt: T0 - 1 }, other] : [other]));
    expect(await created()).toMatchObject({ state: 'queued' });
  });

  test('to cancel an offer is not told that it may be sent, and to send one that it may be cancelled', async () => {
    const { create, created, seed } = setUp();
    const offer = { target: 'O-1', kind: 'send_offer' as const };
    await seed(inDoubt({ ...offer, id: 'sending' }, 'release'));
    expect(await created({ ...offer, kind: 'cancel_offer' })).toMatchObject({ state: 'queued' });
    await seed(inDoubt({ target: 'O-2', kind: 'cancel_offer', id: 'canceling' }, 'release'));
    const send = { ...offer, target: 'O-2', idempotencyKey: 'V2' };
    expect(await create(send)).toMatchObject({ type: 'maybe_done_before' });
  });

  test('is not told of one that was undone since, or that did nothing', async () => {
    const { created, seed } = setUp();
    await seed(answered(said('approved'), { id: 'older' }, T0 - 2), answered(said('denied'), {}, T0 - 1));
    expect(await created()).toMatchObject({ state: 'queued' });
  });

  test('is taken in another workspace', async () => {
    const { created, seed } = setUp();
    await seed(queued({ workspace: 'T2' }), answered(said('canceled'), { workspace: 'T2', id: 'other' }));
    expect(await created()).toMatchObject({ workspace: 'T1' });
  });

  test('is never open beside the first, in whatever order people submit', async () => {
    const submission = fc.record({
      kind: fc.constantFrom('cancel_order' as const, 'send_offer' as const, 'cancel_offer' as const),
      target: fc.constantFrom('A-1', 'a-1', 'A-2'),
      requester: fc.constantFrom('U1', 'UBEN'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(submission, { maxLength: 8 }), async (submissions) => {
        const { create, count } = setUp();
        const results = await Promise.all(
          submissions.map((input, n) => create({ ...input, idempotencyKey: `V${n}` })),
        );
        const slots = submissions.map(
          ({ kind, target }) => `${kind === 'cancel_order'} ${target.toLowerCase()}`,
        );
        const open = new Set(slots).size;
        expect(results.filter(({ type }) => type === 'created')).toHaveLength(open);
        expect(results.filter(({ type }) => type === 'slot_taken')).toHaveLength(submissions.length - open);
        expect(await count()).toBe(open);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a form that is submitted twice', () => {
  test('makes one request, also in the same moment, and also once that is done', async () => {
    const { created, read, count, deps, woken } = setUp();
    const [first, second] = await Promise.all([created(), created()]);
    // The process of the first delivery may have ended before it woke the loop.
    expect(woken).toEqual([first.id, first.id]);
    expect(second).toEqual(inAnyVersion(first));
    const done = answered(said('canceled'), { id: first.id });
    await overwrite(deps.store, requestEntry(done, TIMINGS));
    expect(await created()).toEqual(await read(first));
    expect(await count()).toBe(1);
  });

  test('warns of an earlier one whose outcome is unclear again as of one that may be done', async () => {
    const { create, created, deps } = setUp();
    const { id } = await created();
    const another = { idempotencyKey: 'V2' };
    const decided = answered(said('approved'), { id });
    await overwrite(deps.store, requestEntry(decided, TIMINGS));
    expect(await create(another)).toMatchObject({ type: 'done_before' });
    await overwrite(deps.store, requestEntry({ ...decided, word: 'on_hold' }, TIMINGS));
    expect(await create(another)).toMatchObject({ type: 'maybe_done_before' });
  });

  test.each<[string, Settings, Partial<Company>]>([
    ['its requester may not request any more', { requesters: 'S9' }, {}],
    ['its ticket would be refused now', { ticketHosts: ['other.example.com'] }, {}],
    ['the bot cannot see its channel any more', {}, { channels: {} }],
  ])('is not called unsent by the second answer because %s', async (_why, settings, company) => {
    const ticketHosts = ['desk.example.com'];
    const { create, created, state, count } = setUp({ settings: { ticketHosts } });
    const ticket = 'https://DESK.example.com/7';
    const { id } = await created({ ticket });
    expect((await created({ ticket })).id).toBe(id);
    Object.assign(state, { settings: { ticketHosts, ...settings } });
    Object.assign(state.company, company);
    expect(await create({ ticket })).toMatchObject({ type: 'created', record: { id } });
    expect(await count()).toBe(1);
  });

  test('and was filled in anew tells what the first submission made', async () => {
    const company = { channels: { C1: {}, C3: {} } };
    const { create, created, read } = setUp({ company, settings: { ticketHosts: ['desk.example.com'] } });
    const record = await created();
    const ticket = 'https://desk.example.com/7';
    const anew = [
      { reason: 'Another reason' },
      { channel: 'C3' },
      { ticket },
      { ticket: 'https://else.example/7' },
    ];
    for (const input of anew)
      expect(await create(input)).toEqual({ type: 'already_submitted', record: inAnyVersion(record) });
    expect(await read(record)).toMatchObject({ reason: 'Ordered twice' });
  });
});
