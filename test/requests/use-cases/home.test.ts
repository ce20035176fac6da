/** A person's own page: what is read for it, in which order, and how much. */
import { describe, expect, test } from 'vitest';
import { BUTTON, withConfirmationOwed } from '../../../src/requests/model/approval.ts';
import { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import { type NewRequest, newRecord } from '../../../src/requests/model/new-record.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type { State } from '../../../src/requests/model/states.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { auditEntry } from '../../../src/requests/store/audit-trail.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { type Home, type HomeQuestion, readHome } from '../../../src/requests/use-cases/home.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { queued, REQUEST, T0 } from '../../support/requests/records.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

const PRIVATE = { isPrivate: true, isShared: false, isArchived: false, isMember: true };

type Made = Partial<NewRequest> & {
  state?: State;
  policy?: Policy;
  voters?: readonly string[];
  source?: string;
};

/** A request for each entry, a second after the one before, under the ids r00, r01, … */
async function startWorkspace(
  made: readonly Made[],
  {
    memberOf = [] as string[],
    unlisted = [] as string[],
    goneGroups = [] as string[],
    publicChannels = [] as string[],
    isAdmin = false,
    admins = '',
  } = {},
) {
  const database = databaseInMemory();
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => T0 + made.length * 1_000);
  for (const [n, each] of made.entries()) await store.create(requestEntry(recordOf(n, each), TIMINGS));
  const asked: string[] = [];
  const ages = new Set<string>();
  const reads = { count: 0 };
  const ask = async (id: string, age?: string) => {
    asked.push(id);
    if (age !== undefined) ages.add(age);
    if (unlisted.includes(id)) throw new Error('Slack lists no members');
    return goneGroups.includes(id) ? undefined : memberOf.includes(id);
  };
  const deps = {
    store: {
      ...store,
      list: (...args: Parameters<typeof store.list>) => {
        reads.count += 1;
        return store.list(...args);
      },
    },
    auditEntries: createSqliteRecordStore(database, 'audit_entries', AuditEntry),
    directory: {
      ...directoryOf(() => ({ isAdmin })),
      isOrgWide: async () => admins !== '',
      isInGroup: (_: string, group: string, _user: string, age: string = 'now') => ask(group, age),
      channel: async (_: string, id: string) => ({ id, ...PRIVATE, isPrivate: !publicChannels.includes(id) }),
      isChannelMember: async (_: string, channel: string) => (await ask(channel)) === true,
    },
    workspaces: workspacesWith(admins === '' ? {} : { admins }),
  };
  const read = (question: Partial<HomeQuestion> = {}) =>
    readHome(deps, { workspace: 'T1', user: 'U1', filter: {}, ...question });
  return { read, asked, ages, reads, auditEntries: deps.auditEntries };
}

function recordOf(n: number, { state, policy, voters = [], source = BUTTON, ...given }: Made): RequestRecord {
  const request = { ...REQUEST, target: `A-${n}`, ...given, id: `r${String(n).padStart(2, '0')}` };
  const at = T0 + n * 1_000;
  const record = policy ? newRecord(request, at, { policy, earlier: [] }) : queued(request, at);
  const vote = { source, choice: 'yes', addedAt: at * 1_000 + 1, removedAt: 0 } as const;
  const votes = voters.map((by) => ({ ...vote, by }));
  const { approval } = record;
  const voted = approval ? { ...record, approval: withConfirmationOwed({ ...approval, votes }, at) } : record;
  return state ? { ...voted, state, holdsSlot: false } : voted;
}

const page = (home: Home) => {
  if (home.type !== 'page') throw new Error(`no page: ${home.problem}`);
  return home;
};
const own = (home: Home) => page(home).own.records.map(({ id }) => id);
const waiting = (home: Home) => page(home).waiting.records.map(({ id }) => id);
const approved = (home: Home) => page(home).waiting.approved.map(({ id }) => id);

const byGroup = (group: string): Policy => ({ ...POLICY, approvers: { type: 'group', group } });
const byPeople = (...people: string[]): Policy => ({ ...POLICY, approvers: { type: 'people', people } });
const byChannel = (channel: string): Policy => ({ ...POLICY, approvers: { type: 'channel' }, channel });

describe('a person’s own requests', () => {
  test('begin with unknown outcomes, and end with those that have ended; each group has its newest first', async () => {
    const states: State[] = ['sent', 'unknown', 'under_review', 'denied', 'unknown', 'queued'];
    const { read } = await startWorkspace([...states.map((state) => ({ state })), { requester: 'U2' }]);
    expect(own(await read())).toEqual(['r04', 'r01', 'r05', 'r02', 'r03', 'r00']);
    expect(own(await read({ user: 'U2' }))).toEqual(['r06']);
  });

  test('turn page by page, across the groups, with none left out and none twice', async () => {
    const states: State[] = ['unknown', 'queued', 'sent'];
    const { read } = await startWorkspace(
      Array.from({ length: 33 }, (_, n) => ({ state: states[n % 3] ?? 'sent' })),
    );
    const seen: string[] = [];
    let question: Partial<HomeQuestion> = {};
    for (let turns = 0; turns < 4; turns++) {
      const home = await read(question);
      seen.push(...own(home));
      question = { own: page(home).own.next };
    }
    expect(question.own).toBeUndefined();
    expect(new Set(seen).size).toBe(33);
    expect(seen).toHaveLength(33);
  });

  test('are those of a group and of a kind, if the person chooses them', async () => {
    const { read } = await startWorkspace([
      { state: 'unknown' },
      { state: 'sent', kind: 'send_offer' },
      { state: 'sent' },
    ]);
    expect(own(await read({ filter: { group: 'ended' } }))).toEqual(['r02', 'r01']);
    expect(own(await read({ filter: { kind: 'send_offer' } }))).toEqual(['r01']);
    expect(own(await read({ filter: { group: 'unknown', kind: 'send_offer' } }))).toEqual([]);
  });
});

describe('what waits for a person', () => {
  test('is what they may decide by name, by a group or by a channel, the oldest first', async () => {
    const policies = [byChannel('C9'), byPeople('U1', 'U3'), byGroup('S1'), byGroup('S2'), byPeople('U3')];
    const made = policies.map((policy) => ({ policy, requester: 'U2' }));
    const { read } = await startWorkspace(made, { memberOf: ['S1', 'C9'] });
    expect(waiting(await read())).toEqual(['r00', 'r01', 'r02']);
  });

  test('is not what they have approved, which follows apart while they can take that back', async () => {
    const asked = { policy: { ...byPeople('U1', 'U3'), quorum: 2 }, requester: 'U2' };
    const { read } = await startWorkspace([
      { ...asked, voters: ['U1'] },
      { ...asked, voters: ['U3'] },
      { ...asked, voters: ['U1'], source: 'white_check_mark' },
      { ...asked, voters: ['U1', 'U3'] },
    ]);
    const home = await read();
    expect([waiting(home), approved(home)]).toEqual([['r01'], ['r00']]);
  });

  test('comes before all that they have approved, page by page', async () => {
    const asked = { policy: { ...byPeople('U1', 'U3'), quorum: 2 }, requester: 'U2' };
    const made = Array.from({ length: 30 }, (_, n) => ({ ...asked, voters: n % 2 === 0 ? ['U1'] : [] }));
    const { read } = await startWorkspace(made);
    const pages: string[][] = [];
    const seen: string[] = [];
    let question: Partial<HomeQuestion> = {};
    do {
      const home = await read(question);
      const both = [...waiting(home), ...approved(home)];
      seen.push(...both);
      pages.push(both);
      question = { waiting: page(home).waiting.next };
    } while (question.waiting);
    const ids = made.map((_, n) => `r${String(n).padStart(2, '0')}`);
    const isApproved = (_: string, n: number) => n % 2 === 0;
    expect(seen).toEqual([...ids.filter((_, n) => n % 2 === 1), ...ids.filter(isApproved)]);
    expect(Math.max(...pages.map(({ length }) => length))).toBe(10);
  });

  test('is not what they have requested, nor what has been decided', async () => {
    const { read } = await startWorkspace([
      { policy: byPeople('U1'), requester: 'U1' },
      { policy: byPeople('U1'), requester: 'U2', state: 'declined' },
    ]);
    expect(waiting(await read())).toEqual([]);
  });

  test('turns page by page through several lists', async () => {
    const policies = [byGroup('S1'), byPeople('U1'), byChannel('C1')];
    const made = Array.from({ length: 70 }, (_, n) => ({
      policy: policies[n % 3] ?? POLICY,
      requester: 'U2',
    }));
    const { read } = await startWorkspace(made, { memberOf: ['S1', 'C1'] });
    const seen: string[] = [];
    let question: Partial<HomeQuestion> = {};
    do {
      const home = await read(question);
      seen.push(...waiting(home));
      question = { waiting: page(home).waiting.next };
    } while (question.waiting);
    expect(seen).toEqual(made.map((_, n) => `r${String(n).padStart(2, '0')}`));
  });

  test('is found behind many requests that they cannot decide, whichever list goes on', async () => {
    const first = { policy: byGroup('S1') };
    const theirOwn = Array.from({ length: 25 }, () => ({ ...first, requester: 'U1' }));
    const { read } = await startWorkspace(
      [...theirOwn, { ...first, requester: 'U2' }, { policy: byGroup('S2'), requester: 'U2' }],
      { memberOf: ['S1', 'S2'] },
    );
    expect(waiting(await read())).toEqual(['r25', 'r26']);
  });

  test('is looked up under ten rules, and the page says that there are more', async () => {
    const made = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ policy: byGroup(`S${n}`), requester: 'U2' }));
    const ten = await startWorkspace(made(10));
    expect(page(await ten.read()).waiting.leftOut).toBe(false);
    const eleven = await startWorkspace(made(11));
    expect(page(await eleven.read()).waiting.leftOut).toBe(true);
    expect(eleven.asked).toHaveLength(10);
  });
});

test('the page takes a list of a group that is up to a minute old: Slack allows twenty reads of groups a minute, which votes need', async () => {
  const { read, asked, ages } = await startWorkspace([{ policy: byGroup('S1') }], { admins: 'S2' });
  await read();
  expect([asked.toSorted(), [...ages]]).toEqual([['S1', 'S2'], ['remembered']]);
});

test('a group that is gone shows nobody what its members had to decide', async () => {
  const { read } = await startWorkspace([{ policy: byGroup('S1'), requester: 'U2' }], { goneGroups: ['S1'] });
  expect(waiting(await read())).toEqual([]);
});

test('a channel that is public now shows nobody what its former members had to decide', async () => {
  const made = ['C1', 'C2'].map((id) => ({ requester: 'U2', policy: byChannel(id) }));
  const { read } = await startWorkspace(made, { memberOf: ['C1', 'C2'], publicChannels: ['C2'] });
  expect(waiting(await read())).toEqual(['r00']);
});

test('a channel whose members Slack does not list is left out, and the page says so', async () => {
  const inChannel = { ...POLICY, approvers: { type: 'channel' as const }, channel: 'C2' };
  const made = [inChannel, byGroup('S1')].map((policy) => ({ policy, requester: 'U2' }));
  const { read } = await startWorkspace(made, { memberOf: ['S1', 'C2'], unlisted: ['C2'] });
  const home = await read();
  expect([waiting(home), page(home).waiting.leftOut]).toEqual([['r01'], true]);
});

describe('the page', () => {
  test('shows admins what is stuck, the oldest first, and nobody else', async () => {
    const stuck: Made[] = Array.from({ length: 7 }, () => ({ state: 'unknown', requester: 'U2' }));
    const { admin } = page(await (await startWorkspace(stuck, { isAdmin: true })).read());
    expect(admin?.stuck.map(({ record }) => record.id)).toEqual(['r00', 'r01', 'r02', 'r03']);
    expect(admin?.stuck[0]?.actions).toEqual(['record']);
    expect(admin?.moreStuck).toBe(true);
    expect(page(await (await startWorkspace(stuck)).read()).admin).toBeUndefined();
  });

  test('shows admins no act of which nothing came, and that only the audit stream still has to tell', async () => {
    const { read, auditEntries } = await startWorkspace([], { isAdmin: true });
    const act = { workspace: 'T1', at: T0, by: ['terminal'], act: 'forgot_person', version: 1 } as const;
    await auditEntries.create(auditEntry({ ...act, id: 'done', result: 'forgotten' }));
    const refused = { ...act, id: 'refused', result: 'nothing_done', isToBeRemoved: true };
    await auditEntries.create(auditEntry(refused));
    expect(page(await read()).admin?.acts.map(({ id }) => id)).toEqual(['done']);
  });

  test('shows nothing for admins while Slack does not list the group of those', async () => {
    const { read } = await startWorkspace([{}], { admins: 'S1', unlisted: ['S1'] });
    const home = await read();
    expect([own(home), page(home).admin]).toEqual([['r00'], undefined]);
  });

  test('reads no more lists where a workspace has ten times as many requests', async () => {
    const made = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ policy: byPeople(`U${n % 7}`), requester: `U${n % 5}` }));
    const [few, many] = [await startWorkspace(made(200)), await startWorkspace(made(2_000))];
    await few.read();
    await many.read();
    expect(many.reads.count).toBeLessThanOrEqual(few.reads.count);
  });
});
