import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { currentStep, type RequestRecord, seenIn, subjectOf } from '../../../src/requests/model/record.ts';
import { cardOf, notesOf, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { auditEntry } from '../../../src/requests/store/audit-trail.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { vote } from '../../../src/requests/use-cases/approvals/vote.ts';
import { forgetPerson } from '../../../src/requests/use-cases/forget-person.ts';
import {
  offeredActions,
  offersAgain,
  possibleActions,
} from '../../../src/requests/use-cases/possible-actions.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { tooLateText } from '../../../src/slack/messages/sentences/result-texts.ts';
import { sentence } from '../../../src/slack/messages/sentences/sentences.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, queued, said, T0, withCardShown } from '../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../support/requests/workspace.ts';
import { overwrite } from '../../support/storage/versions.ts';

const GONE = 'U0GONE';

/** @param meanwhile runs once the first request is read again to be changed */
async function setUp(meanwhile: (stores: ReturnType<typeof open>) => Promise<unknown>, reason = 'broken') {
  const stores = open();
  const record = ended(reason);
  await stores.storage.requests.create(requestEntry(record, TIMINGS));
  let isFirst = true;
  const store: typeof stores.storage.requests = {
    ...stores.storage.requests,
    async get(ref) {
      if (isFirst) await meanwhile(stores);
      isFirst = false;
      return stores.storage.requests.get(ref);
    },
  };
  const deps = { ...ofStorage(stores.storage), store, settings: stores.settings };
  const forget = () => forgetPerson(deps, { workspace: record.workspace, person: GONE });
  return { ...stores, record, forget };
}

function ended(reason: string): RequestRecord {
  const given = answered(said('canceled'), { requester: GONE, reason }, T0);
  return { ...given, messages: [cardOf(withCardShown(given))] };
}

function open() {
  const storage = openSqliteStorage(':memory:');
  onTestFinished(() => storage.close());
  return { storage, settings: createSettingsStore(storage.settings) };
}

const ofStorage = ({
  requests: store,
  auditEntries,
  recentRequests,
}: ReturnType<typeof open>['storage']) => ({
  ...{ store, auditEntries, recentRequests, timings: TIMINGS },
});

test('what an admin sets while a person is forgotten stands, without that person', async () => {
  const { settings, record, forget } = await setUp(async ({ settings: during }) => {
    await during.resume('T1', { by: 'U0ADMIN', moment: 2 });
    const policy = { ...POLICY, quorum: 2, setBy: GONE };
    await during.change('T1', { policies: { cancel_order: policy } });
  });
  await settings.pause(record.workspace, { by: GONE, moment: 1 });
  expect(await forget()).toMatchObject({ type: 'forgotten', requests: 1, settings: 1 });
  const { paused, resumed, policies } = await settings.read(record.workspace);
  expect(paused).toBeUndefined();
  expect(resumed).toMatchObject({ by: 'U0ADMIN', pause: { by: 'forgotten' } });
  expect(policies?.cancel_order).toMatchObject({ quorum: 2, setBy: 'forgotten' });
});

test('somebody who is made an approver meanwhile stays one', async () => {
  const approvers = { type: 'people' as const, people: [GONE] };
  const policy = { ...POLICY, approvers, setBy: GONE };
  const { settings, record, forget } = await setUp(({ settings: during }) =>
    during.change('T1', { policies: { cancel_order: policy } }),
  );
  await forget();
  const { policies } = await settings.read(record.workspace);
  expect(policies?.cancel_order).toMatchObject({ approvers, setBy: 'forgotten' });
});

test('whoever set the policy of an open request, and paused sending, is forgotten in it, and the request goes on', async () => {
  const { storage, settings } = open();
  const waiting = waitingRecord({ ...POLICY, setBy: GONE });
  const paused = { by: GONE, at: T0 };
  await storage.requests.create(requestEntry({ ...waiting, paused }, TIMINGS));
  const forget = () => forgetPerson({ ...ofStorage(storage), settings }, { workspace: 'T1', person: GONE });
  expect(await forget()).toMatchObject({ type: 'forgotten', requests: 1 });
  const found = await storage.requests.get(waiting);
  expect(found?.record).toMatchObject({
    state: 'awaiting_approval',
    paused: { by: 'forgotten', at: T0 },
    approval: { policy: { ...POLICY, setBy: 'forgotten' } },
  });
});

test('an earlier request, a refused vote and a late click of an open request are past: it goes on without the person', async () => {
  const { storage, settings } = open();
  const { approval, ...waiting } = waitingRecord(POLICY);
  const ofGone = { id: 'e', kind: 'cancel_order', target: 'A-1001', requester: GONE, createdAt: T0 } as const;
  const refused = { n: 1, at: T0, by: GONE, type: 'refused', choice: 'yes', source: 'button' } as const;
  const record: RequestRecord = {
    ...waiting,
    approval: approval && { ...approval, earlier: [{ ...ofGone, state: 'failed' }], history: [refused] },
    lateActions: [{ at: T0, by: GONE, action: 'retry', state: 'queued' }],
  };
  await storage.requests.create(requestEntry(record, TIMINGS));
  const deps = { ...ofStorage(storage), settings };
  expect(await forgetPerson(deps, { workspace: 'T1', person: GONE })).toMatchObject({ type: 'forgotten' });
  const found = await storage.requests.get(record);
  expect(found?.record).toMatchObject({
    state: 'awaiting_approval',
    approval: { earlier: [{ requester: 'forgotten' }], history: [{ by: 'forgotten' }] },
    lateActions: [{ by: 'forgotten' }],
  });
});

/** An open request on which the person, a member, votes by a reaction. */
async function setUpVoting(company: Partial<Company> = {}) {
  const { storage, settings } = open();
  const { deps, seed, read } = createWorkspace({ company: { people: { [GONE]: {} }, ...company } });
  const record = waitingRecord(POLICY);
  await seed(record);
  const react = (added: boolean, moment: number) =>
    vote(deps, record, { by: GONE, choice: 'yes', source: 'white_check_mark', added, moment });
  const forgetting = { ...ofStorage(storage), store: deps.store, settings };
  const forget = () => forgetPerson(forgetting, { workspace: 'T1', person: GONE });
  return { read: () => read(record), react, forget };
}

test('a request of somebody forgotten is not sent again: nothing would keep them from approving it', async () => {
  const { storage, settings } = open();
  const { deps, seed, read } = createWorkspace({ settings: { policies: { cancel_order: POLICY } } });
  const given = answered(
    { type: 'refused', httpStatus: 403, code: 'FORBIDDEN', details: [] },
    { requester: 'UANA' },
    T0,
  );
  const record = { ...given, messages: [cardOf(withCardShown(given))] };
  await seed(record);
  const forgetting = { ...ofStorage(storage), store: deps.store, settings };
  expect(offeredActions(record)).toEqual(['retry']);
  await forgetPerson(forgetting, { workspace: 'T1', person: 'UANA' });
  const forgotten = await read(record);
  const ref = { workspace: 'T1', id: record.id };
  const click = { ...ref, by: 'UADMIN', seen: seenIn(forgotten), click: 'c1' };
  const result = await resolveManually(deps, click, 'retry');
  if (result.type !== 'too_late') throw new Error(result.type);
  expect(tooLateText(result.record, result.late)).toContain(
    '*Not retried*, because the request cannot be sent again: its requester was removed from the records.',
  );
  expect((await read(record)).state).toBe('failed');
  expect(offeredActions(forgotten)).toEqual([]);
  expect(offersAgain(forgotten)).toBe(true);
  expect(sentence(forgotten, currentStep(forgotten))).not.toContain('press Retry');
  // The order service has corrected what a person recorded, and nobody knows what became of it.
  const reopened = { ...forgotten, state: 'unknown' } as const;
  expect(possibleActions(reopened)).not.toContain('not_received');
  expect(possibleActions({ ...reopened, requester: 'UANA' })).toContain('not_received');
});

test('somebody who takes a refused vote off again is past: the request goes on without them', async () => {
  const { read, react, forget } = await setUpVoting();
  expect(await react(true, 1)).toMatchObject({ type: 'refused' });
  await react(false, 2);
  expect(await forget()).toMatchObject({ type: 'forgotten', requests: 1 });
  expect(JSON.stringify(await read())).not.toContain(GONE);
});

test.each([
  ['a vote that was taken back', [true, false]],
  ['the removal of a vote that Slack has not delivered yet', [false]],
])('%s is needed', async (_vote, changes) => {
  const { react, forget } = await setUpVoting({ groups: { S1: [GONE, 'UANA', 'UBEN'] } });
  for (const [n, added] of changes.entries())
    expect(await react(added, n + 1)).toMatchObject({ type: 'counted' });
  expect(await forget()).toMatchObject({ type: 'named' });
});

test.each([
  ['that vote', {}, {}, 'forgotten'],
  ['that vote, and a later one stands', { addedAt: 9 }, {}, 'named'],
  ['the vote of somebody else', {}, { by: 'UBEN' }, 'named'],
  ['a vote by another emoji', {}, { source: '+1' }, 'named'],
  ['a vote against it', {}, { choice: 'no' }, 'named'],
] as const)(
  'the removal of a vote is needed unless it was refused: %s was',
  async (_what, voted, of, type) => {
    const { storage, settings } = open();
    const { approval, ...waiting } = waitingRecord(POLICY);
    const vote = { by: GONE, choice: 'yes', source: 'white_check_mark' } as const;
    const votes = [{ ...vote, addedAt: 0, removedAt: 2, ...voted }];
    const history = [{ n: 1, at: T0, type: 'refused', ...vote, ...of } as const];
    const record: RequestRecord = { ...waiting, approval: approval && { ...approval, votes, history } };
    await storage.requests.create(requestEntry(record, TIMINGS));
    const deps = { ...ofStorage(storage), settings };
    expect(await forgetPerson(deps, { workspace: 'T1', person: GONE })).toMatchObject({ type });
  },
);

test.each([
  ['posted', {}, 'forgotten'],
  ['posted, and may have copies', { tidies: [{ since: T0, until: T0, tries: 0, notBefore: T0 }] }, 'named'],
  ['not posted yet', undefined, 'named'],
])(
  'who is told that their reaction is on a copy is needed until that is done: %s',
  async (_is, may, type) => {
    const { storage, settings } = open();
    const telling = withNote(waitingRecord(POLICY), { type: 'misplaced_vote', voter: GONE }, T0);
    const [note] = notesOf(telling);
    const posted = { status: 'posted', channel: 'D1', ts: '1.1', ...may } as const;
    const record = may && note ? withDelivery(telling, note.key, () => posted) : telling;
    await storage.requests.create(requestEntry(record, TIMINGS));
    const deps = { ...ofStorage(storage), settings };
    expect(await forgetPerson(deps, { workspace: 'T1', person: GONE })).toMatchObject({ type });
  },
);

test.each(['voted', 'void'] as const)(
  'a vote of an open request that was not refused is needed (%s)',
  async (type) => {
    const { storage, settings } = open();
    const { approval, ...waiting } = waitingRecord(POLICY);
    const vote = { n: 1, at: T0, by: GONE, type, choice: 'yes', source: 'button' } as const;
    const record = { ...waiting, approval: approval && { ...approval, history: [vote] } };
    await storage.requests.create(requestEntry(record, TIMINGS));
    const deps = { ...ofStorage(storage), settings };
    expect(await forgetPerson(deps, { workspace: 'T1', person: GONE })).toMatchObject({ type: 'named' });
  },
);

test('a person whom an open request names as an approver, too, is not forgotten', async () => {
  const { storage, settings } = open();
  const policy = { ...POLICY, approvers: { type: 'people' as const, people: [GONE] }, setBy: GONE };
  const waiting = waitingRecord(policy);
  await storage.requests.create(requestEntry(waiting, TIMINGS));
  const deps = { ...ofStorage(storage), settings };
  expect(await forgetPerson(deps, { workspace: 'T1', person: GONE })).toMatchObject({
    type: 'named',
    requests: [{ id: waiting.id }],
  });
  expect((await storage.requests.get(waiting))?.record.approval?.policy).toEqual(policy);
});

test('whoever set the policy of a request is forgotten in it, also if the request is made meanwhile, before the policy changes', async () => {
  const { storage, settings } = open();
  await settings.change('T1', { policies: { cancel_order: { ...POLICY, setBy: GONE } } });
  const made = waitingRecord({ ...POLICY, setBy: GONE });
  const during: typeof settings = {
    ...settings,
    async change(...given: Parameters<typeof settings.change>) {
      await storage.requests.create(requestEntry(made, TIMINGS));
      return settings.change(...given);
    },
  };
  await forgetPerson({ ...ofStorage(storage), settings: during }, { workspace: 'T1', person: GONE });
  expect((await storage.requests.get(made))?.record.approval?.policy.setBy).toBe('forgotten');
});

test.each([`asked by\n${GONE}`, `_${GONE}_`, `<@${GONE}|gone>`, `https://desk.example.com/?by=%40${GONE}`])(
  'a person is forgotten in what people typed: %j',
  async (reason) => {
    const { storage, record, forget } = await setUp(async () => {}, reason);
    expect(await forget()).toMatchObject({ type: 'forgotten', requests: 1 });
    const found = await storage.requests.get(record);
    expect(found?.record.reason).toBe(reason.replace(GONE, 'forgotten'));
  },
);

test('an id that is part of a longer one is left alone', async () => {
  const reason = `${GONE}1 and 1${GONE}`;
  const { storage, record, forget } = await setUp(async () => {}, reason);
  await forget();
  expect((await storage.requests.get(record))?.record.reason).toBe(reason);
});

test('a request that goes on meanwhile keeps its requester', async () => {
  const again = queued({ requester: GONE });
  const { storage, record, forget } = await setUp(async ({ storage: during }) => {
    const [before] = await during.requests.list('T1', { limit: 1 });
    if (before)
      await during.requests.update(requestEntry({ ...again, id: before.id }, TIMINGS), before.version);
  });
  await expect(forget()).rejects.toThrow('Once it has ended, run this again');
  const subject = subjectOf(again.kind, again.target);
  const { records } = await storage.requests.listBySubject(record.workspace, subject, 9);
  expect(records.map(({ requester }) => requester)).toEqual([GONE]);
});

test('a person is forgotten in a request of which the order service says something at each try', async () => {
  const { storage, settings } = open();
  const record = ended('broken');
  await storage.requests.create(requestEntry(record, TIMINGS));
  const words = ['on_hold', 'pending'];
  const store: typeof storage.requests = {
    ...storage.requests,
    async update(...given) {
      const word = words.shift();
      if (word) await overwrite(storage.requests, requestEntry({ ...record, word }, TIMINGS));
      return storage.requests.update(...given);
    },
  };
  await forgetPerson({ ...ofStorage(storage), store, settings }, { workspace: 'T1', person: GONE });
  expect((await storage.requests.get(record))?.record).toMatchObject({
    requester: 'forgotten',
    word: 'pending',
  });
});

/** Lists four pages of copies of a record. `held`: those of the first page that are still in memory when the last is read. */
function pagesOf<R extends object>(record: R) {
  const first: WeakRef<R>[] = [];
  const counted = { pages: 0, held: 0 };
  const list = async (_workspace: string, { limit }: { limit: number }): Promise<R[]> => {
    // Nothing is collected in the job in which its WeakRef was made.
    await setImmediate();
    if (counted.pages === 4) return [];
    counted.pages += 1;
    if (counted.pages === 4) {
      collectGarbage();
      counted.held = first.filter((each) => each.deref()).length;
    }
    const page = Array.from({ length: limit }, (_, n) => ({ ...record, id: `${counted.pages}:${n}` }));
    if (counted.pages === 1) first.push(...page.map((each) => new WeakRef(each)));
    return page;
  };
  return { list, counted };
}

test('the records that name a person need not fit into memory', async () => {
  const { storage, settings } = open();
  const requests = pagesOf(ended('broken'));
  const act = { workspace: 'T1', id: 'a', at: T0, by: [GONE], act: 'paused' } as const;
  const entries = pagesOf(auditEntry(act).record);
  const deps = {
    store: { ...storage.requests, list: requests.list },
    auditEntries: { ...storage.auditEntries, list: entries.list },
    recentRequests: storage.recentRequests,
    settings,
    timings: TIMINGS,
  };
  const done = await forgetPerson(deps, { workspace: 'T1', person: GONE });
  expect(done).toMatchObject({ type: 'forgotten', requests: 800, auditEntries: 800 });
  expect([requests.counted, entries.counted]).toEqual([
    { pages: 4, held: 0 },
    { pages: 4, held: 0 },
  ]);
});
