import { describe, expect, test } from 'vitest';
import { createInTurn } from '../../../src/in-turn.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import type { IncomingEvent } from '../../../src/requests/model/events-and-calls.ts';
import { Notice } from '../../../src/requests/model/notices/notice.ts';
import { type RequestRecord, subjectOf } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { keepUnmatched, recordEvent } from '../../../src/requests/use-cases/record-event.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { requestedBySibling } from '../../../src/workspaces/connection/connections.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';
import { resultOf } from '../../support/requests/engine-harness.ts';
import { answered, carded, event, said, T0 } from '../../support/requests/records.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

/** Workspaces A and B are connected, and order A-1001 was requested in A. */
async function setUp({
  tokens = { A: 'token-4711', B: 'token-4711' },
  record = answered(said('pending'), { workspace: 'A' }),
}: {
  tokens?: { A: string; B: string };
  record?: RequestRecord;
} = {}) {
  const harness = createConnectionsHarness();
  await connected(harness.deps, { workspace: 'A', token: tokens.A });
  await connected(harness.deps, { workspace: 'B', token: tokens.B });
  await harness.store.create(requestEntry(record, TIMINGS));
  const notices = createSqliteRecordStore(databaseInMemory(), 'notices', Notice);
  const looked: string[] = [];
  const listBySubject: typeof harness.store.listBySubject = (workspace, subject, limit) => {
    looked.push(`${workspace} ${subject}`);
    return harness.store.listBySubject(workspace, subject, limit);
  };
  const keeping = {
    notices,
    wake() {},
    workspaces: {
      ...workspacesWith(),
      settings: async (workspace: string) => ({ notificationsChannel: `C-${workspace}` }),
    },
    requestedBySibling: (incoming: IncomingEvent) =>
      requestedBySibling({ ...harness, listBySubject }, incoming),
    inTurn: createInTurn().run,
    log: SILENT,
  };
  const deps = {
    store: harness.store,
    keepUnmatched: (incoming: IncomingEvent) => keepUnmatched(keeping, incoming),
    hasRoom: async () => true,
    wake() {},
    timings: TIMINGS,
  };
  return {
    ...harness,
    looked,
    recordEvent: async (workspace: string, incoming: ServiceEvent = event()) =>
      resultOf(await recordEvent(deps, { workspace, kind: 'cancel_order', event: incoming })),
    /** The deliveries of its notifications; `owed`: to be posted in the notifications channel. */
    kept: async (workspace: string) =>
      (await notices.list(workspace, { limit: 10 }))
        .filter(({ type }) => type === 'event')
        .map(({ delivery }) => (delivery.status === 'given_up' ? delivery.code : delivery.status)),
  };
}

describe('an event for a workspace that shares its organization at the order service with another workspace', () => {
  test('is stored and not posted if it is about a request of the other workspace', async () => {
    const { recordEvent, kept } = await setUp();
    expect(await recordEvent('B')).toBe('unmatched');
    expect(await kept('B')).toEqual(['requested_by_sibling']);
  });

  test('is posted in the thread of the request, in the workspace that made it', async () => {
    const { recordEvent, kept } = await setUp();
    expect(await recordEvent('A')).toBe('applied');
    expect(await kept('A')).toEqual([]);
  });

  test.each([
    ['is about an order that nobody requested', {}, event({ target: 'A-9' })],
    ['is older than the request', {}, event({ createdAt: T0 - 60_000 })],
    [
      'is of an organization that may be another one',
      { tokens: { A: 'token-0001', B: 'token-4712' } },
      event(),
    ],
    ['is about what was never sent', { record: carded({ workspace: 'A' }) }, event()],
    [
      'came with an invisible character in its id, so that it names another order',
      {},
      event({ isAltered: true }),
    ],
  ])('is told where it %s', async (_name, given, incoming) => {
    const { recordEvent, kept } = await setUp(given);
    await recordEvent('B', incoming);
    expect(await kept('B')).toEqual(['owed']);
  });

  test('is posted if the other workspace is not connected any more: then nothing proves whose request it is', async () => {
    const { recordEvent, kept, connections } = await setUp();
    const row = await connections.find('A');
    if (row) await connections.dropToken(row, 'U1');
    await recordEvent('B');
    expect(await kept('B')).toEqual(['owed']);
  });

  test('has this one order looked for, in workspaces with the same token alone', async () => {
    const { recordEvent, looked, deps } = await setUp();
    await connected(deps, { workspace: 'X', token: 'token-9999' });
    await recordEvent('B', event({ target: 'A-7' }));
    expect(looked).toEqual([`A ${subjectOf('cancel_order', 'A-7')}`]);
  });

  test.each([
    ['the other', 'A'],
    ['its own', 'B'],
  ])('is told where %s connection cannot be read: it is not lost for that', async (_, unreadable) => {
    const { recordEvent, kept, database } = await setUp();
    database.prepare("UPDATE connections SET record = '{}' WHERE workspace = ?").run(unreadable);
    await recordEvent('B');
    expect(await kept('B')).toEqual(['owed']);
  });

  test('is not taken while the storage is away: the service sends it again', async () => {
    const { connections, store, recordEvent, kept } = await setUp();
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield
    connections.sharing = async function* () {
      throw new Error('storage away');
    };
    await expect(recordEvent('B')).rejects.toThrow('storage away');
    expect([await kept('B'), await store.list('B', { limit: 1 })]).toEqual([[], []]);
  });
});
