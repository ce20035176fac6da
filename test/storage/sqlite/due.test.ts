/** The cost of finding due records, and the table from which SQLite knows whose they are. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

const NOW = 1_000;

/** A store that counts the statements and the rows that it reads. */
function countingStore() {
  const database = databaseInMemory();
  onTestFinished(() => database.close());
  const counts = { statements: 0, rows: 0 };
  const count = <Found>(found: Found): Found => {
    counts.statements += 1;
    counts.rows += [found].flat().filter((row) => row !== undefined).length;
    return found;
  };
  const statement = database.statement.bind(database);
  database.statement = (sql) => {
    const { run, get, all } = statement(sql);
    return { run, get: (...values) => count(get(...values)), all: (...values) => count(all(...values)) };
  };
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => NOW);
  return { database, store, counts };
}

const entry = (workspace: string, id: string, dueAt: number | undefined) => ({
  ...restingEntry({ ...queued({ workspace }), id, target: id }),
  slot: undefined,
  dueAt,
});

const step = fc.record({
  act: fc.constantFrom('write', 'write', 'postpone', 'remove', 'removeSome'),
  workspace: fc.constantFrom('T1', 'T2', 'T3'),
  id: fc.constantFrom('a', 'b', 'c'),
  dueAt: fc.option(fc.nat(2 * NOW), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(store: RequestStore, { act, workspace, id, dueAt }: Step): Promise<void> {
  const ref = { workspace, id };
  if (act === 'postpone') return store.postpone(ref, (dueAt ?? 0) - NOW);
  if (act === 'remove') return void (await store.remove(ref));
  if (act === 'removeSome') return void (await store.removeSome(workspace, 2));
  const version = (await store.get(ref))?.record.version;
  if (version === undefined) await store.create(entry(workspace, id, dueAt));
  else await store.update(entry(workspace, id, dueAt), version);
}

describe('looking for what is due', () => {
  test('reads nothing of workspaces in which nothing is due yet, however many these are', async () => {
    const { store, counts } = countingStore();
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => store.create(entry(`T${n}`, 'later', NOW + 1 + n))),
    );
    for (const workspace of ['T7', 'T700']) await store.create(entry(workspace, 'due', NOW - 1));
    Object.assign(counts, { statements: 0, rows: 0 });
    const due = await store.due(200);
    expect(due.map(({ workspace }) => workspace).sort()).toEqual(['T7', 'T700']);
    // The workspaces, and a list for each.
    expect(counts).toEqual({ statements: 3, rows: 4 });
  });

  test('knows the earliest due time of each workspace, whatever is written, put off and removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const database = databaseInMemory();
        const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => NOW);
        for (const each of steps) await take(store, each);
        const known = database.prepare('SELECT workspace, since FROM requests_waiting ORDER BY 1').all();
        const stored = database.prepare(
          'SELECT workspace, min(due_at) AS since FROM requests WHERE due_at IS NOT NULL GROUP BY 1 ORDER BY 1',
        );
        expect(known).toEqual(stored.all());
        database.close();
      }),
    );
  });
});
