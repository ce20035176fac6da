import { describe, expect, test } from 'vitest';
import { type Replicated, unreplicated } from '../../../src/outbox/ports.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { MANUAL_ACTION_NAMES, STATE_NAMES } from '../../../src/requests/model/states.ts';
import { personCorrectedBy } from '../../../src/requests/model/summary.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { offeredActions, possibleActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { findWithRoles } from '../../../src/requests/use-cases/who-may.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { limitDeps } from '../../support/requests/recent-requests.ts';
import {
  acting,
  answered,
  carded,
  event,
  queued,
  REQUEST,
  said,
  T0,
} from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';
import { sqliteStore } from '../../support/storage/stores.ts';
import { inAnyVersion, overwrite } from '../../support/storage/versions.ts';

const directory = directoryOf((id) => ({ isAdmin: id === 'UADMIN', isGuest: id === 'UGUEST' }));

async function setUp(record: RequestRecord) {
  const { store } = sqliteStore(() => T0);
  await store.create(requestEntry(record, TIMINGS));
  const triggered: string[] = [];
  const deps = {
    store,
    replicated: unreplicated,
    directory,
    workspaces: workspacesWith(),
    timings: TIMINGS,
    wake: ({ id }: { id: string }) => void triggered.push(id),
    ...limitDeps(() => T0),
  };
  const who = (by: string, workspace = 'T1') => ({ ...acting(record, by), workspace });
  return { store, deps, triggered, who };
}

const failed = (code = 'FORBIDDEN') => answered({ type: 'refused', httpStatus: 403, code, details: [] });
const unknown = () => answered({ type: 'no_answer', why: 'cut' });

describe('what a person may do with a request', () => {
  test.each(STATE_NAMES)('that is %s is possible in the transition table, too', (state) => {
    const record = { ...queued(), state };
    for (const action of possibleActions(record)) {
      expect(transition(record, { type: 'person', by: 'U1', action }, T0)).toBeDefined();
    }
  });

  test('is recorded with their name, and triggered', async () => {
    const { deps, triggered, who } = await setUp(unknown());
    const done = await resolveManually(deps, who('U1'), 'approved');
    expect(done).toMatchObject({ type: 'done', record: { state: 'approved' } });
    expect(done.type === 'done' && done.record.steps.at(-1)?.cause).toEqual({
      type: 'person',
      by: 'U1',
      action: 'approved',
    });
    expect(triggered).toEqual([unknown().id]);
  });

  test.each([
    { name: 'done', record: queued(), by: 'U1', action: 'withdraw' as const },
    { name: 'too_late', record: answered(said('canceled')), by: 'U1', action: 'retry' as const },
  ])(
    'is answered ($name) only by what no failover undoes, also where an earlier click has written it',
    async ({ name, record, by, action }) => {
      const { deps, who } = await setUp(record);
      const unconfirmed: Replicated = async (work) => {
        await work();
        throw new Error('not confirmed');
      };
      const choose = (replicated: Replicated, click: string) =>
        resolveManually({ ...deps, replicated }, { ...who(by), click }, action);
      await expect(choose(unconfirmed, 'first')).rejects.toThrow('not confirmed');
      await expect(choose(unconfirmed, 'second')).rejects.toThrow('not confirmed');
      expect(await choose(unreplicated, 'third')).toMatchObject({ type: name });
    },
  );

  test('is only what the state allows', async () => {
    for (const action of MANUAL_ACTION_NAMES) {
      const before = answered(said('canceled'));
      const { deps, who, store } = await setUp(before);
      expect(await resolveManually(deps, who('UADMIN'), action)).toMatchObject({ type: 'too_late' });
      const { version: _, lateActions, ...after } = (await store.get(who('U1')))?.record ?? before;
      expect(before).toMatchObject(after);
      expect(lateActions).toEqual([{ at: T0, by: 'UADMIN', action, state: 'canceled' }]);
    }
  });

  test('is to withdraw what they have just asked to be sent again', async () => {
    const asked = transition(failed(), { type: 'approval_requested_again', by: 'U1' }, T0);
    if (!asked) throw new Error('It cannot be sent again.');
    const { deps, who } = await setUp(asked);
    expect(await resolveManually(deps, who('U1'), 'withdraw')).toMatchObject({
      type: 'done',
      record: { state: 'withdrawn' },
    });
  });

  test('is nothing for a guest', async () => {
    const { deps, who } = await setUp(failed());
    const refused = { type: 'not_allowed', problem: 'guest' };
    expect(await resolveManually(deps, who('UGUEST'), 'retry')).toEqual(refused);
    expect(await findWithRoles(deps, who('UGUEST'))).toEqual(refused);
  });

  test('is nothing for somebody else, who is told who may', async () => {
    const { deps, who } = await setUp(unknown());
    expect(await resolveManually(deps, who('UOTHER'), 'approved')).toMatchObject({
      type: 'not_theirs',
      may: ['requester', 'admins'],
    });
  });

  test('is to send it again for whoever may make requests, whoever made this one', async () => {
    const { deps, who } = await setUp(failed());
    expect(await resolveManually(deps, who('UOTHER'), 'retry')).toMatchObject({
      type: 'done',
      record: { state: 'queued', requester: 'U1' },
    });
  });

  test('is to send it again for them while Slack cannot say who approved it, or who the admins are', async () => {
    const byName: Policy = { ...POLICY, approvers: { type: 'people', people: ['UANA', 'UBEN'] } };
    const { deps, seed } = createWorkspace({
      company: { isOrgWide: true, unsaid: ['S1', 'S2'] },
      settings: { admins: 'S2', policies: { cancel_order: byName } },
    });
    const record = { ...failed(), approval: waitingRecord().approval };
    await seed(record);
    expect(await resolveManually(deps, acting(record, 'UOTHER'), 'retry')).toMatchObject({ type: 'done' });
  });

  test('is not to send it again for those who may not make requests', async () => {
    const { deps, who } = await setUp(failed());
    const workspaces = workspacesWith({ requesters: 'S9' });
    for (const by of ['U1', 'UADMIN'])
      expect(await resolveManually({ ...deps, workspaces }, who(by), 'retry')).toMatchObject({
        type: 'not_allowed',
        problem: 'not_in_group',
        record: { id: REQUEST.id },
      });
  });

  test('is for an admin, too', async () => {
    const { deps, who } = await setUp(failed());
    expect(await resolveManually(deps, who('UADMIN'), 'retry')).toMatchObject({
      type: 'done',
      record: { state: 'queued' },
    });
  });

  test('reaches no request of another workspace, though its id is known', async () => {
    const { deps, who, store } = await setUp(failed());
    expect(await resolveManually(deps, who('UADMIN', 'T2'), 'retry')).toEqual({ type: 'not_found' });
    expect((await store.get(who('U1')))?.record.state).toBe('failed');
  });

  test('takes the slot again, or tells who has it', async () => {
    const { deps, who, store } = await setUp(failed());
    await store.create(requestEntry(queued({ id: 'second' }), TIMINGS));
    expect(await resolveManually(deps, who('U1'), 'retry')).toMatchObject({
      type: 'slot_taken',
      by: { id: 'second' },
      record: { id: REQUEST.id },
    });
  });

  test('needs the slot of its target, however many have ended since the request that has it', async () => {
    const { deps, who, store } = await setUp({ ...failed(), createdAt: T0 + 30 });
    await store.create(requestEntry(queued({ id: 'reopened' }), TIMINGS));
    for (let n = 0; n < 25; n++) {
      const ended = { ...answered(said('denied')), id: `ended${n}`, createdAt: T0 + 1 + n };
      await store.create(requestEntry(ended, TIMINGS));
    }
    expect(await resolveManually(deps, who('U1'), 'retry')).toMatchObject({
      type: 'slot_taken',
      by: { id: 'reopened' },
    });
  });

  test('gives it a new quarter of an hour, and forgets what it waited for', async () => {
    const { deps, who } = await setUp(failed());
    const done = await resolveManually(deps, who('U1'), 'retry');
    expect(done.type === 'done' && done.record.call).toEqual({ attempts: 1, notBefore: T0 });
  });
});

/** A call that was not received: the request waits, and then waits again after another try. */
const waitingAgain = () => {
  const once = answered({ type: 'not_received', why: 'unreachable' });
  const recalled = transition(once, { type: 'call_begun' }, T0) as RequestRecord;
  const cause = { type: 'answer', answer: { type: 'not_received', why: 'unreachable' }, attempt: 2 } as const;
  return { once, again: transition(recalled, cause, T0) as RequestRecord, recalled };
};

describe('a retry of what another request has done', () => {
  const done = () => ({ ...answered(said('canceled')), id: 'done', createdAt: T0 + 1 });
  const linkTo = async () => 'https://acme.slack.com/archives/C1/p1';

  test('warns first, sends what the person wants all the same, and says so if the service refuses it', async () => {
    const { deps, who, store } = await setUp(failed());
    await store.create(requestEntry(done(), TIMINGS));
    const retry = (acknowledged?: string) =>
      resolveManually(deps, { ...who('U1'), acknowledged, linkTo }, 'retry');
    const warned = { type: 'done_before', record: { state: 'failed' }, by: { id: 'done' } };
    expect(await retry()).toMatchObject(warned);
    expect(await retry('done_before another')).toMatchObject(warned);
    const repeats = { kind: 'cancel_order', link: await linkTo(), again: true };
    const sent = { type: 'done', record: { state: 'queued', repeats } };
    expect(await retry('done_before done')).toMatchObject(sent);
    expect(await retry('done_before done')).toMatchObject(sent);
    expect(await retry()).toMatchObject({ type: 'done' });
  });

  /** A request that is refused, and another one for the same that has ended in doubt. */
  async function besideDoubted() {
    const { deps, who, store } = await setUp(failed());
    const release = { type: 'person', by: 'UADMIN', action: 'release' } as const;
    const closed = transition({ ...unknown(), id: 'closed', createdAt: T0 + 1 }, release, T0);
    if (!closed) throw new Error('It cannot be closed.');
    await store.create(requestEntry(closed, TIMINGS));
    const retry = (acknowledged?: string) => resolveManually(deps, { ...who('U1'), acknowledged }, 'retry');
    return { store, retry };
  }

  test('warns of one that ended in doubt, and says afterwards that it may have been done', async () => {
    const { retry } = await besideDoubted();
    expect(await retry()).toMatchObject({ type: 'maybe_done_before', by: { id: 'closed' } });
    const repeats = { kind: 'cancel_order', maybe: true, again: true };
    const sent = { type: 'done', record: { state: 'queued', repeats } };
    expect(await retry('maybe_done_before closed')).toMatchObject(sent);
  });

  test('warns again of one that was in doubt and has proved to be done since', async () => {
    const { store, retry } = await besideDoubted();
    await overwrite(store, requestEntry({ ...done(), id: 'closed' }, TIMINGS));
    const warned = { type: 'done_before', by: { id: 'closed' } };
    expect(await retry('maybe_done_before closed')).toMatchObject(warned);
    expect(await retry('done_before closed')).toMatchObject({ type: 'done' });
  });

  test.each([
    ['an earlier retry is not said of this one', { again: true }, undefined],
    ['the request itself stays', {}, { kind: 'cancel_order' }],
  ])('that needs no warning: what the person knew at %s', async (_when, more, repeats) => {
    const { deps, who } = await setUp({ ...failed(), repeats: { kind: 'cancel_order', ...more } });
    const { record } = await resolveManually(deps, who('U1'), 'retry');
    expect(record).toMatchObject({ state: 'queued' });
    expect(record?.repeats).toEqual(repeats);
  });

  test('does not forget what was known at it, if its call was not received and is sent again', async () => {
    const repeats = { kind: 'cancel_order' as const, again: true as const };
    const { deps, who } = await setUp({ ...unknown(), repeats });
    const { record } = await resolveManually(deps, who('UADMIN'), 'not_received');
    expect(record).toMatchObject({ state: 'queued', repeats });
  });

  test('warns nobody who may not retry it, or while sending is paused, or another one is open', async () => {
    const { deps, who, store } = await setUp(failed());
    await store.create(requestEntry(done(), TIMINGS));
    expect(await resolveManually(deps, who('UGUEST'), 'retry')).toMatchObject({ type: 'not_allowed' });
    const workspaces = workspacesWith({ paused: { by: 'UADMIN', at: T0 } });
    const paused = resolveManually({ ...deps, workspaces }, who('U1'), 'retry');
    expect(await paused).toMatchObject({ type: 'paused' });
    await store.create(requestEntry(queued({ id: 'open' }), TIMINGS));
    expect(await resolveManually(deps, who('U1'), 'retry')).toMatchObject({ type: 'slot_taken' });
  });
});

describe('a choice that was made while the request went on', () => {
  test('withdraws it, whatever step it is in by then', async () => {
    const { once, again } = waitingAgain();
    const { deps } = await setUp(again);
    const done = await resolveManually(deps, acting(once, 'U1'), 'withdraw');
    expect(done).toMatchObject({ type: 'done', record: { state: 'withdrawn' } });
  });

  test('withdraws it though it does not wait at this moment, and so shows no button', async () => {
    const { deps, who } = await setUp(carded());
    expect(offeredActions(carded())).toEqual([]);
    expect(await resolveManually(deps, who('U1'), 'withdraw')).toMatchObject({ type: 'done' });
  });

  test('does not withdraw what is being sent, and its history says so', async () => {
    const { once, recalled } = waitingAgain();
    const { deps, store, who } = await setUp(recalled);
    const click = acting(once, 'U1');
    for (let i = 0; i < 2; i++)
      expect(await resolveManually(deps, click, 'withdraw')).toMatchObject({ type: 'too_late' });
    const late = [{ at: T0, by: 'U1', action: 'withdraw', state: 'calling' }];
    expect((await store.get(who('U1')))?.record).toMatchObject({ state: 'calling', lateActions: late });
  });

  test('is noted for nobody who might not have made it in time, either', async () => {
    const { once, recalled } = waitingAgain();
    const { deps, store, who } = await setUp(recalled);
    const result = await resolveManually(deps, acting(once, 'UOTHER'), 'withdraw');
    expect(result).toMatchObject({ type: 'not_theirs', may: ['requester', 'admins'] });
    expect((await store.get(who('U1')))?.record.lateActions).toEqual([]);
  });

  test('closes it, whatever the service has said of its review since', async () => {
    const accepted = answered(said('accepted'));
    const reviewed = transition(accepted, { type: 'event', event: event({ status: 'pending' }) }, T0);
    const { deps } = await setUp(reviewed as RequestRecord);
    const done = await resolveManually(deps, acting(accepted, 'UADMIN'), 'release');
    expect(done).toMatchObject({ type: 'done', record: { state: 'closed' } });
  });

  test.each(['approved', 'not_received'] as const)('%s is too late after another call', async (action) => {
    const { deps, who, store } = await setUp(unknown());
    const { record } = await store.get(who('U1')).then((found) => found ?? { record: unknown() });
    const called = { ...record, call: { ...record.call, attempts: 2 } };
    await store.update(requestEntry(called, TIMINGS), record.version);
    expect(await resolveManually(deps, who('UADMIN'), action)).toMatchObject({ type: 'too_late' });
  });

  test('sends nothing again after another call, though that was refused, too', async () => {
    const again = failed();
    const { deps } = await setUp({ ...again, call: { ...again.call, attempts: 2 } });
    expect(await resolveManually(deps, acting(failed(), 'U1'), 'retry')).toMatchObject({ type: 'too_late' });
  });

  test('corrects no outcome that somebody else has recorded since', async () => {
    const { deps, who } = await setUp(unknown());
    expect(await resolveManually(deps, who('U1'), 'approved')).toMatchObject({ type: 'done' });
    expect(await resolveManually(deps, who('UADMIN'), 'denied')).toMatchObject({
      type: 'too_late',
      record: { state: 'approved' },
    });
  });

  test('is done if another click of the same person has done the same', async () => {
    const { deps, who, triggered } = await setUp(unknown());
    for (const click of ['one', 'two'])
      expect(await resolveManually(deps, { ...who('U1'), click }, 'approved')).toMatchObject({
        type: 'done',
      });
    expect(triggered).toHaveLength(1);
  });

  test('is remembered before older ones', async () => {
    const older = Array.from({ length: 20 }, (_, n) => `click ${n}`);
    const { deps, who } = await setUp({ ...unknown(), clicks: older });
    const done = await resolveManually(deps, { ...who('U1'), click: 'newest' }, 'approved');
    expect(done.record?.clicks).toEqual([...older.slice(1), 'newest']);
  });

  test('acts once, however often Slack delivers it', async () => {
    const { deps, who, store } = await setUp(unknown());
    const form = who('UADMIN');
    expect(await resolveManually(deps, form, 'approved')).toMatchObject({ type: 'done' });
    const corrected = (await store.get(form))?.record ?? unknown();
    expect(await resolveManually(deps, acting(corrected, 'UOLA'), 'denied')).toMatchObject({
      type: 'not_theirs',
    });
    expect(await resolveManually(deps, acting(corrected, 'UADMIN'), 'denied')).toMatchObject({
      type: 'done',
    });
    expect(await resolveManually(deps, form, 'approved')).toMatchObject({
      type: 'done',
      record: { state: 'denied' },
    });
  });
});

describe('an outcome that a person recorded', () => {
  const recorded = (action: 'approved' | 'denied' | 'in_review', from = unknown()) =>
    transition(from, { type: 'person', by: 'U1', action }, T0) as RequestRecord;

  test.each([
    ['approved', ['denied', 'in_review', 'never_received']],
    ['denied', ['approved', 'in_review', 'never_received']],
    ['in_review', ['approved', 'denied', 'never_received', 'release']],
  ] as const)('%s may be corrected', (action, possible) => {
    expect(possibleActions(recorded(action))).toEqual(possible);
  });

  test('is corrected by admins, and not by the requester', async () => {
    const { deps, who } = await setUp(recorded('approved'));
    expect(await resolveManually(deps, who('U1'), 'denied')).toMatchObject({
      type: 'not_theirs',
      may: ['admins'],
    });
    expect(await resolveManually(deps, who('UADMIN'), 'denied')).toMatchObject({
      type: 'done',
      record: { state: 'denied' },
    });
  });

  test('is not corrected any more once the service has said', () => {
    const confirmed = transition(
      recorded('approved'),
      { type: 'event', event: event({ status: 'approved' }) },
      T0,
    ) as RequestRecord;
    expect(possibleActions(confirmed)).toEqual([]);
  });

  test('is not sent again by a correction: that it was never received offers Retry', async () => {
    const { deps, who } = await setUp(recorded('denied'));
    const done = await resolveManually(deps, who('UADMIN'), 'never_received');
    expect(done).toMatchObject({ type: 'done', record: { state: 'failed', call: { attempts: 1 } } });
    expect(done.type === 'done' && possibleActions(done.record)).toEqual(['retry']);
  });

  test('is taken back beside a newer request that is sent meanwhile, as if that came right after', async () => {
    const newer = { ...answered(said('pending')), id: 'newer' };
    const correct = async (isMeanwhile: boolean) => {
      const { deps, who, store } = await setUp(recorded('denied'));
      const send = async () => void (await store.create(requestEntry(newer, TIMINGS)));
      const list: typeof store.list = async (...asked) => {
        const listed = await store.list(...asked);
        if (isMeanwhile && listed.length === 1) await send();
        return listed;
      };
      const racing = { ...deps, store: { ...store, list } };
      expect(await resolveManually(racing, who('UADMIN'), 'never_received')).toMatchObject({ type: 'done' });
      if (!isMeanwhile) await send();
      const records = await store.list('T1', { limit: 9 });
      const corrected = records.find(({ id }) => id !== newer.id) as RequestRecord;
      const retried = await resolveManually(deps, acting(corrected, 'U1'), 'retry');
      return { records, retried };
    };
    const [meanwhile, after] = [await correct(true), await correct(false)];
    expect(meanwhile).toEqual({
      records: after.records.map(inAnyVersion),
      retried: { ...after.retried, by: expect.anything(), record: expect.anything() },
    });
    expect(meanwhile.retried).toMatchObject({ type: 'slot_taken', by: { id: 'newer' } });
  });

  test('is not taken back while a newer request for the same was sent', async () => {
    const { deps, who, store } = await setUp(recorded('denied'));
    const newer = { ...answered(said('denied')), id: 'newer' };
    await store.create(requestEntry(newer, TIMINGS));
    expect(await resolveManually(deps, who('UADMIN'), 'never_received')).toMatchObject({
      type: 'newer_request',
      by: { id: 'newer' },
    });
  });

  test('takes the slot again where it is in review, or tells who has it', async () => {
    const { deps, who, store } = await setUp(recorded('denied'));
    await store.create(requestEntry(queued({ id: 'second' }), TIMINGS));
    expect(await resolveManually(deps, who('UADMIN'), 'in_review')).toMatchObject({
      type: 'slot_taken',
      by: { id: 'second' },
      record: { id: REQUEST.id },
    });
  });

  test('that it is in review is confirmed by the service once, and is no contradiction of its outcome', () => {
    const said = (status: 'pending' | 'approved', before: RequestRecord) =>
      transition(before, { type: 'event', event: event({ status }) }, T0);
    const confirmed = said('pending', recorded('in_review')) as RequestRecord;
    expect(confirmed.steps.at(-1)?.cause.type).toBe('event');
    expect(said('pending', confirmed)).toBeUndefined();
    const decided = said('approved', recorded('in_review')) as RequestRecord;
    expect(personCorrectedBy(decided, decided.steps.at(-1) as Step)).toBeUndefined();
  });
});

describe('a retry while admins save settings', () => {
  async function setUpSaving(...saves: Settings[]) {
    const { deps, workspacesSaving, seed, read } = createWorkspace();
    await seed(failed());
    const who = acting(failed(), 'U1');
    const workspaces = workspacesSaving(...saves);
    return {
      read: () => read(who),
      retry: () => resolveManually({ ...deps, workspaces }, who, 'retry'),
    };
  }

  test('asks for approval under the policy that was saved', async () => {
    const { retry } = await setUpSaving({ policies: { cancel_order: POLICY } });
    const record = { state: 'awaiting_approval', approval: { policy: POLICY } };
    expect(await retry()).toMatchObject({ type: 'done', record });
  });

  test('does nothing after three tries, and may be tried again', async () => {
    const { retry, read } = await setUpSaving({}, {}, {});
    expect(await retry()).toEqual({ type: 'settings_changed', record: inAnyVersion(failed()) });
    expect(await read()).toEqual(inAnyVersion(failed()));
    expect(await retry()).toMatchObject({ type: 'done', record: { state: 'queued' } });
  });
});
