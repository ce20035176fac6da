/** The contract of request stores. Each storage runs this same suite. */
import { describe, expect, test } from 'vitest';
import { type Cursor, FROM_THE_OLDEST, NOT_STORED } from '../../../src/outbox/record-store.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { answered, queued, restingEntry, said, T0 } from '../../support/requests/records.ts';
import { CREATED, inAnyVersion, overwrite, versionOf } from '../../support/storage/versions.ts';

const HOUR = 3_600_000;

const entry = (record: RequestRecord) => requestEntry(record, TIMINGS);
const about = (record: RequestRecord, ...subjects: string[]) => ({ ...entry(record), subjects });

/** The ids that are listed under each subject. */
async function listed(store: RequestStore, ...subjects: string[]): Promise<string[][]> {
  const lists = await Promise.all(subjects.map((subject) => store.listBySubject('T1', subject, 10)));
  return lists.map(({ records }) => records.map(({ id }) => id));
}

/** @param open a new, empty store */
export function recordStoreContract(name: string, open: () => Promise<RequestStore>): void {
  describe(`the store of records on ${name}`, () => {
    test('gives back what was created, with the time by its own clock', async () => {
      const store = await open();
      expect(await store.create(entry(queued()))).toEqual(CREATED);
      const before = await store.now();
      const read = await store.get(queued());
      const after = await store.now();
      expect(read?.record).toEqual(inAnyVersion(queued()));
      expect(read?.now).toBeGreaterThanOrEqual(before);
      expect(read?.now).toBeLessThanOrEqual(after);
    });

    test('gives back what was created without the time, too', async () => {
      const store = await open();
      expect(await store.read(queued())).toBeUndefined();
      await store.create(entry(queued()));
      expect(await store.read(queued())).toEqual(inAnyVersion(queued()));
    });

    test('answers a second creation with the first record', async () => {
      const store = await open();
      await store.create(entry(queued()));
      const again = await store.create(entry(queued({ target: 'B-2' })));
      expect(again).toEqual({ type: 'exists', record: inAnyVersion(queued()) });
    });

    test('gives the slot of a target to one open request', async () => {
      const store = await open();
      await store.create(entry(queued()));
      const second = await store.create(entry(queued({ id: 'second' })));
      expect(second).toEqual({ type: 'slot_taken', by: inAnyVersion(queued()) });
      expect(await store.get({ workspace: 'T1', id: 'second' })).toBeUndefined();
    });

    test('frees the slot when the request ends', async () => {
      const store = await open();
      await store.create(entry(queued()));
      await overwrite(store, entry(answered(said('canceled'))));
      expect(await store.create(entry(queued({ id: 'second' })))).toEqual(CREATED);
    });

    test('refuses an update that wants a slot which another one holds', async () => {
      const store = await open();
      await store.create(entry(queued()));
      await overwrite(store, entry(answered(said('denied'))));
      await store.create(entry(queued({ id: 'second' })));
      const reopened = { ...answered(said('pending')), id: queued().id };
      expect(await overwrite(store, entry(reopened))).toBe('slot_taken');
      expect((await store.get(queued()))?.record.state).toBe('denied');
    });

    test('updates the expected version, once', async () => {
      const store = await open();
      await store.create(entry(queued()));
      const former = await versionOf(store, queued());
      const changed = { ...queued(), reason: 'another' };
      const written = await store.update(entry(changed), former);
      expect(await store.update(entry({ ...changed, reason: 'late' }), former)).toEqual({ type: 'conflict' });
      const { version, reason } = (await store.get(queued()))?.record ?? queued();
      expect([written, reason]).toEqual([{ type: 'updated', version }, 'another']);
    });

    test('draws versions that no record had before, whatever becomes of the record', async () => {
      const store = await open();
      const versions: number[] = [];
      for (let round = 0; round < 10; round++) {
        const created = await store.create(entry(queued()));
        versions.push('version' in created ? created.version : NOT_STORED);
        await overwrite(store, entry(queued()));
        versions.push(await versionOf(store, queued()));
        await store.remove(queued());
      }
      expect(new Set(versions)).toHaveLength(20);
    });

    test('refuses an update of what is not there', async () => {
      const store = await open();
      expect(await store.update(entry(queued()), NOT_STORED)).toEqual({ type: 'conflict' });
    });

    test('lets one of many racing writers win', async () => {
      const store = await open();
      await store.create(entry(queued()));
      const version = await versionOf(store, queued());
      const writers = Array.from({ length: 20 }, (_, i) =>
        store.update(entry({ ...queued(), reason: `${i}` }), version),
      );
      const won = (await Promise.all(writers)).filter(({ type }) => type === 'updated');
      expect(won).toHaveLength(1);
    });

    test('lets one of many racing creations take the slot', async () => {
      const store = await open();
      const creations = Array.from({ length: 20 }, (_, i) => store.create(entry(queued({ id: `r${i}` }))));
      const types = (await Promise.all(creations)).map(({ type }) => type);
      expect(types.filter((type) => type === 'created')).toHaveLength(1);
      expect(types.filter((type) => type === 'slot_taken')).toHaveLength(19);
    });

    test('lists what is due, the longest waiting first, and no more than asked for', async () => {
      const store = await open();
      const now = await store.now();
      await store.create(entry(queued({ id: 'b', target: 'B' }, now - 50)));
      await store.create(entry(queued({ id: 'a', target: 'A' }, now - 100)));
      await store.create(entry(queued({ id: 'later', target: 'C' }, now + HOUR)));
      expect(await store.due(10)).toEqual([
        { workspace: 'T1', id: 'a' },
        { workspace: 'T1', id: 'b' },
      ]);
      expect(await store.due(1)).toHaveLength(1);
    });

    test('lists what is due of the workspaces in turn, so that the backlog of one hides nothing of another', async () => {
      const store = await open();
      const now = await store.now();
      const create = (workspace: string, id: string, ago: number) =>
        store.create(entry(queued({ workspace, id, target: id }, now - ago)));
      for (let n = 0; n < 30; n++) await create('T1', `${n}`, 1_000 - n);
      await create('T2', 'a', 20);
      await create('T3', 'a', 10);
      await create('T3', 'b', 5);
      const due = await store.due(6);
      expect(due.map(({ workspace, id }) => `${workspace} ${id}`)).toEqual([
        'T1 0',
        'T2 a',
        'T3 a',
        'T1 1',
        'T3 b',
        'T1 2',
      ]);
      expect(await store.due(100)).toHaveLength(33);
    });

    test('lists what is due of a workspace beside 10,000 that have waited longer in another', async () => {
      const store = await open();
      const now = await store.now();
      const create = (workspace: string, id: string, ago: number) =>
        store.create(entry(queued({ workspace, id, target: id }, now - ago)));
      // Few at once: on a busy machine Redis would be too late for the last of many.
      const atOnce = 20;
      for (let n = 0; n < 10_000; n += atOnce)
        await Promise.all(Array.from({ length: atOnce }, (_, i) => create('T1', `${n + i}`, 20_000 - n - i)));
      await create('T2', 'a', 2);
      await create('T0', 'b', 1);
      const due = await store.due(200);
      expect(due).toHaveLength(200);
      expect(due.slice(0, 5).map(({ workspace, id }) => `${workspace} ${id}`)).toEqual([
        'T1 0',
        'T2 a',
        'T0 b',
        'T1 1',
        'T1 2',
      ]);
      // Among more workspaces than are asked for, those that have waited longest come first.
      expect((await store.due(2)).map(({ workspace }) => workspace)).toEqual(['T1', 'T2']);
      for (let n = 0; n < 3; n++) await store.postpone({ workspace: 'T1', id: `${n}` }, HOUR);
      expect((await store.due(4)).map(({ id }) => id)).toEqual(['3', 'a', 'b', '4']);
    });

    test('drops from the list what owes nothing any more', async () => {
      const store = await open();
      const record = queued({}, await store.now());
      await store.create(entry(record));
      expect(await store.due(10)).toHaveLength(1);
      await overwrite(store, restingEntry(record));
      expect(await store.due(10)).toEqual([]);
    });

    test('puts off what is asked to be put off, and brings nothing forward, nor what owes nothing', async () => {
      const store = await open();
      const record = queued({}, await store.now());
      await store.create(entry(record));
      await store.postpone(queued(), HOUR);
      expect(await store.due(10)).toEqual([]);
      await store.postpone(queued(), 0);
      expect(await store.due(10)).toEqual([]);
      await overwrite(store, entry(record));
      expect(await store.due(10)).toHaveLength(1);
      await overwrite(store, restingEntry(record));
      await store.postpone(queued(), 0);
      expect(await store.due(10)).toEqual([]);
    });

    test('lists the requests for one target, the newest first', async () => {
      const store = await open();
      for (const [id, createdAt] of [
        ['old', T0 - 2],
        ['new', T0],
        ['middle', T0 - 1],
      ] as const) {
        await store.create(restingEntry(queued({ id }, createdAt)));
      }
      await store.create(entry(queued({ id: 'other', target: 'B-2' })));
      const newest = async (limit: number) =>
        (await store.listBySubject('T1', 'order:a-1001', limit)).records.map(({ id }) => id);
      expect(await newest(10)).toEqual(['new', 'middle', 'old']);
      expect(await newest(2)).toEqual(['new', 'middle']);
    });

    test('lists a record under each of its subjects, once', async () => {
      const store = await open();
      await store.create({ ...restingEntry(queued({ id: 'a' })), subjects: ['b', 'a', 'b'] });
      await store.create({ ...restingEntry(queued({ id: 'b' })), subjects: ['b'] });
      await store.create({ ...restingEntry(queued({ id: 'none' })), subjects: [] });
      expect(await listed(store, 'a', 'b', 'order:a-1001')).toEqual([['a'], ['b', 'a'], []]);
      expect(await store.list('T1', { limit: 10 })).toHaveLength(3);
    });

    test('turns the pages of one subject', async () => {
      const store = await open();
      for (let n = 0; n < 7; n++) {
        const record = queued({ id: `r${n}`, target: `${n}` }, T0 + Math.floor(n / 2));
        await store.create({ ...restingEntry(record), subjects: n === 3 ? [] : ['s'] });
      }
      const page = async (more: { before?: { at: number; id: string } } = {}) =>
        (await store.list('T1', { subject: 's', limit: 4, ...more })).map(({ id }) => id);
      expect(await page()).toEqual(['r6', 'r5', 'r4', 'r2']);
      expect(await page({ before: { at: T0 + 1, id: 'r2' } })).toEqual(['r1', 'r0']);
      expect(await store.list('T2', { subject: 's', limit: 4 })).toEqual([]);
    });

    test('turns the pages from the oldest on', async () => {
      const store = await open();
      for (let n = 0; n < 5; n++) {
        const record = queued({ id: `r${n}`, target: `${n}` }, T0 + Math.floor(n / 2));
        await store.create({ ...restingEntry(record), subjects: n === 3 ? [] : ['s'] });
      }
      const page = async (after: Cursor, more: { subject?: string } = {}) =>
        (await store.list('T1', { after, limit: 3, ...more })).map(({ id }) => id);
      expect(await page(FROM_THE_OLDEST)).toEqual(['r0', 'r1', 'r2']);
      expect(await page({ at: T0 + 1, id: 'r2' })).toEqual(['r3', 'r4']);
      expect(await page(FROM_THE_OLDEST, { subject: 's' })).toEqual(['r0', 'r1', 'r2']);
      expect(await page({ at: T0 + 1, id: 'r2' }, { subject: 's' })).toEqual(['r4']);
      expect(await store.list('T2', { after: FROM_THE_OLDEST, limit: 3 })).toEqual([]);
    });

    test('lists the subjects that can be listed, as long as a record has them', async () => {
      const store = await open();
      const of = (id: string, workspace: string, ...subjects: string[]) =>
        store.create({ ...restingEntry(queued({ id, workspace, target: id })), subjects });
      const names = ['listed:b', 'listed:é\u{1F600}', 'listed:a:b'];
      await of('one', 'T1', ...names, 'order', 'listed', 'list');
      await of('two', 'T1', 'listed:b', 'unlisted:b');
      await of('other', 'T2', 'listed:c');
      const sorted = ['listed:a:b', 'listed:b', 'listed:é\u{1F600}'];
      expect(await store.subjects('T1', 9)).toEqual(sorted);
      expect(await store.subjects('T1', 2)).toEqual(sorted.slice(0, 2));
      await overwrite(store, about(queued({ id: 'one', target: 'one' }), 'order', 'listed:d'));
      expect(await store.subjects('T1', 9)).toEqual(['listed:b', 'listed:d']);
      await store.remove({ workspace: 'T1', id: 'two' });
      expect(await store.subjects('T1', 9)).toEqual(['listed:d']);
      await store.removeSome('T1', 9);
      expect([await store.subjects('T1', 9), await store.subjects('T2', 9)]).toEqual([[], ['listed:c']]);
    });

    test('lists a record under the subjects of its latest version', async () => {
      const store = await open();
      await store.create(about(queued(), 'order', 'draft'));
      await store.create(about(queued({ id: 'other', target: 'B' }, T0 - 1), 'order', 'draft'));
      const changed = { ...queued(), reason: 'another' };
      await overwrite(store, about(changed, 'message', 'order'));
      const now = [[queued().id, 'other'], [queued().id], ['other']];
      expect(await listed(store, 'order', 'message', 'draft')).toEqual(now);
      expect((await store.listBySubject('T1', 'message', 1)).records).toEqual([inAnyVersion(changed)]);
      await overwrite(store, about(changed, 'order', 'message', 'order'));
      expect(await listed(store, 'order', 'message', 'draft')).toEqual(now);
      await overwrite(store, about(changed));
      expect(await listed(store, 'order', 'message', 'draft')).toEqual([['other'], [], ['other']]);
      await overwrite(store, about(changed, 'draft'));
      expect(await listed(store, 'order', 'message', 'draft')).toEqual([
        ['other'],
        [],
        [queued().id, 'other'],
      ]);
    });

    test('lists by age and id, whenever a subject was added', async () => {
      const store = await open();
      const ages = { b: T0, old: T0 - 1, a: T0, c: T0 };
      for (const [id, createdAt] of Object.entries(ages)) {
        await store.create({ ...restingEntry(queued({ id }, createdAt)), subjects: id === 'c' ? ['s'] : [] });
      }
      for (const [id, createdAt] of Object.entries(ages)) {
        await overwrite(store, { ...restingEntry(queued({ id }, createdAt)), subjects: ['s'] });
      }
      expect(await listed(store, 's')).toEqual([['c', 'b', 'a', 'old']]);
      expect((await store.listBySubject('T1', 's', 2)).records.map(({ id }) => id)).toEqual(['c', 'b']);
    });

    test('leaves the subjects as they were where an update comes too late', async () => {
      const store = await open();
      await store.create(about(queued(), 'order'));
      const former = await versionOf(store, queued());
      await overwrite(store, about(queued(), 'order', 'message'));
      for (const record of [queued(), queued({ id: 'missing', target: 'B' })])
        expect(await store.update(about(record, 'late'), former)).toEqual({ type: 'conflict' });
      await store.create(about(queued({ id: 'missing', target: 'B' })));
      expect(await listed(store, 'order', 'message', 'late')).toEqual([[queued().id], [queued().id], []]);
    });

    test('leaves the subjects as they were where the slot is taken', async () => {
      const store = await open();
      await store.create(about(queued(), 'order'));
      await overwrite(store, about(answered(said('denied')), 'order', 'message'));
      await store.create(about(queued({ id: 'second' }), 'second'));
      const reopened = { ...answered(said('pending')), id: queued().id };
      expect(await overwrite(store, about(reopened, 'late'))).toBe('slot_taken');
      expect(await store.create(about(queued({ id: 'third' }), 'late'))).toMatchObject({
        type: 'slot_taken',
      });
      expect(await store.create(about(queued(), 'late'))).toMatchObject({ type: 'exists' });
      const third = { ...restingEntry(queued({ id: 'third' })), subjects: [] };
      expect(await store.create(third)).toEqual(CREATED);
      const one = [queued().id];
      expect(await listed(store, 'order', 'message', 'second', 'late')).toEqual([one, one, ['second'], []]);
    });

    test('lists a record under the subjects of the one writer that won', async () => {
      const store = await open();
      await store.create(about(queued(), 'order'));
      const subjects = Array.from({ length: 20 }, (_, i) => `message ${i}`);
      const version = await versionOf(store, queued());
      const results = await Promise.all(
        subjects.map((subject) => store.update(about({ ...queued(), reason: subject }, subject), version)),
      );
      expect(results.filter(({ type }) => type === 'updated')).toHaveLength(1);
      const winner = (await store.get(queued()))?.record.reason;
      const found = (await listed(store, ...subjects)).map((ids) => ids.length);
      expect(found).toEqual(subjects.map((subject) => (subject === winner ? 1 : 0)));
      expect(await listed(store, 'order')).toEqual([[]]);
    });

    test('lists nothing that is removed, under any subject that it ever had', async () => {
      const store = await open();
      await store.create(about(queued(), 'a', 'b'));
      await overwrite(store, about(queued(), 'b', 'c'));
      await overwrite(store, about(queued(), 'c', 'd', 'e'));
      await store.create(about(queued({ id: 'other', target: 'B' }), 'd'));
      await store.remove(queued());
      const subjects = ['a', 'b', 'c', 'd', 'e'];
      expect(await listed(store, ...subjects)).toEqual([[], [], [], ['other'], []]);
      // A leftover of the first one would lead to this one.
      await store.create(about(queued()));
      expect(await listed(store, ...subjects)).toEqual([[], [], [], ['other'], []]);
    });

    test('keeps apart subjects of any text, and those of each workspace', async () => {
      const store = await open();
      const subjects = [
        '',
        '\u0000',
        '\u0000a',
        '"',
        '[]',
        "'",
        '%3A',
        ':',
        '\\',
        '\n',
        '\u2028',
        '{',
        '\ufffd',
        '😀',
      ];
      await store.create(about(queued(), ...subjects));
      await store.create(about(queued({ workspace: 'T2' }), ...subjects));
      const everywhere = (ids: string[]) => subjects.map(() => ids);
      expect(await listed(store, ...subjects)).toEqual(everywhere([queued().id]));
      for (const subject of subjects) {
        await overwrite(store, about(queued(), subject));
        expect((await listed(store, ...subjects)).flat()).toEqual([queued().id]);
        expect(await listed(store, subject)).toEqual([[queued().id]]);
      }
      await overwrite(store, about(queued(), ...subjects));
      expect(await listed(store, ...subjects)).toEqual(everywhere([queued().id]));
      await store.remove({ ...queued(), workspace: 'T2' });
      expect(await listed(store, ...subjects)).toEqual(everywhere([queued().id]));
      expect((await store.listBySubject('T2', ':', 10)).records).toEqual([]);
      await store.remove(queued());
      await store.create(about(queued()));
      expect(await listed(store, ...subjects)).toEqual(everywhere([]));
    });

    test('takes half a character in a subject for what it becomes elsewhere', async () => {
      const store = await open();
      await store.create(about(queued(), '\ud800', '\ud801', 'order'));
      expect(await listed(store, '\ud800', '\ufffd', 'order')).toEqual(Array(3).fill([queued().id]));
      await overwrite(store, about(queued(), 'order'));
      expect(await listed(store, '\ud800', '\ufffd', 'order')).toEqual([[], [], [queued().id]]);
    });

    test('lists a workspace page by page, the newest first, also where many came at the same moment', async () => {
      const store = await open();
      const ids = Array.from({ length: 7 }, (_, i) => `r${i}`);
      for (const [i, id] of ids.entries()) {
        await store.create(restingEntry(queued({ id, target: id }, T0 - Math.floor(i / 3))));
      }
      await store.create(restingEntry(queued({ workspace: 'T2' })));
      const seen: string[] = [];
      let before: { at: number; id: string } | undefined;
      for (;;) {
        const page = await store.list('T1', { limit: 2, ...(before ? { before } : {}) });
        const last = page.at(-1);
        if (!last) break;
        seen.push(...page.map(({ id }) => id));
        before = { at: last.createdAt, id: last.id };
      }
      expect(seen).toEqual(['r2', 'r1', 'r0', 'r5', 'r4', 'r3', 'r6']);
    });

    test('orders ids of the same moment by their bytes, and goes on behind a record that is gone', async () => {
      const store = await open();
      const ids = ['', '\u0000', 'B', 'a', 'a:', 'ab', '\ufffd', '😀'];
      for (const id of ids) await store.create(restingEntry(queued({ id, target: id })));
      const page = async (before?: { at: number; id: string }) =>
        (await store.list('T1', { limit: 9, ...(before ? { before } : {}) })).map(({ id }) => id);
      expect(await page()).toEqual(ids.toReversed());
      await store.remove({ workspace: 'T1', id: 'a:' });
      expect(await page({ at: T0, id: 'a:' })).toEqual(['a', 'B', '\u0000', '']);
      expect(await page({ at: T0 + 1, id: '' })).toHaveLength(7);
      expect(await page({ at: T0 - 1, id: 'z' })).toEqual([]);
    });

    test('forgets what is removed, its slot and its place in every list', async () => {
      const store = await open();
      await store.create(entry(queued({}, await store.now())));
      await store.remove(queued());
      expect(await store.get(queued())).toBeUndefined();
      expect(await store.due(10)).toEqual([]);
      expect(await store.list('T1', { limit: 10 })).toEqual([]);
      expect((await store.listBySubject('T1', 'order:a-1001', 10)).records).toEqual([]);
      expect(await store.create(entry(queued({ id: 'second' })))).toEqual(CREATED);
      await store.remove(queued());
    });

    test('removes the expected version, and no other', async () => {
      const store = await open();
      await store.create(about(queued(), 'order'));
      const former = await versionOf(store, queued());
      await overwrite(store, about(queued(), 'order', 'message'));
      const version = await versionOf(store, queued());
      expect(await store.remove(queued(), former)).toBe('conflict');
      expect(await store.remove({ workspace: 'T2', id: queued().id }, version)).toBe('conflict');
      expect(await listed(store, 'order', 'message')).toEqual([[queued().id], [queued().id]]);
      expect(await store.remove(queued(), version)).toBe('removed');
      expect(await store.remove(queued(), version)).toBe('conflict');
      expect(await store.remove(queued())).toBe('removed');
      expect(await listed(store, 'order', 'message')).toEqual([[], []]);
      expect(await store.create(entry(queued({ id: 'second' })))).toEqual(CREATED);
    });

    test('lets either a writer or a remover of one version win', async () => {
      const store = await open();
      for (let round = 0; round < 20; round++) {
        const record = queued({ id: `r${round}`, target: `A-${round}` });
        await store.create(entry(record));
        const version = await versionOf(store, record);
        const [removed, updated] = await Promise.all([
          store.remove(record, version),
          store.update(entry({ ...record, reason: 'x' }), version),
        ]);
        const read = await store.get(record);
        const won = read ? ['conflict', 'updated', 'x'] : ['removed', 'conflict', undefined];
        expect([removed, updated.type, read?.record.reason]).toEqual(won);
      }
    });

    test('does not bring back what was removed, whoever was working on it', async () => {
      const store = await open();
      await store.create(entry(queued({}, await store.now())));
      const version = await versionOf(store, queued());
      await store.remove(queued());
      expect(await store.update(about(queued(), 'order'), version)).toEqual({ type: 'conflict' });
      await store.postpone(queued(), 0);
      expect(await store.get(queued())).toBeUndefined();
      expect(await store.due(10)).toEqual([]);
      expect(await listed(store, 'order')).toEqual([[]]);
    });

    test('removes some of the records of a workspace at a time, and none of another one', async () => {
      const store = await open();
      for (const id of ['a', 'b', 'c']) await store.create(about(queued({ id, target: id }), 'order', id));
      await store.create(about(queued({ workspace: 'T2' }), 'order'));
      expect(await store.count('T1')).toBe(3);
      expect(await store.removeSome('T1', 2)).toBe(2);
      expect(await store.count('T1')).toBe(1);
      expect(await store.removeSome('T1', 2)).toBe(1);
      expect(await store.removeSome('T1', 2)).toBe(0);
      expect(await store.list('T1', { limit: 10 })).toEqual([]);
      expect(await listed(store, 'order', 'a', 'b', 'c')).toEqual([[], [], [], []]);
      expect((await store.listBySubject('T2', 'order', 10)).records).toHaveLength(1);
      expect([await store.count('T2'), await store.count('T3')]).toEqual([1, 0]);
    });

    test('lists the workspaces that have records, each once and page by page, for as long as they have some', async () => {
      const store = await open();
      for (const workspace of ['T2', 'T1', 'T:3%', 'T1'])
        await store.create(restingEntry(queued({ workspace, id: `${await store.count(workspace)}` })));
      const all = () => store.workspaces({ after: undefined, limit: 10 });
      expect((await all()).sort()).toEqual(['T1', 'T2', 'T:3%']);
      const paged: string[] = [];
      for (let i = 0; i < 3; i++) paged.push(...(await store.workspaces({ after: paged.at(-1), limit: 1 })));
      expect(paged).toEqual(await all());
      expect(await store.workspaces({ after: paged.at(-1), limit: 1 })).toEqual([]);
      await store.remove({ workspace: 'T1', id: '0' });
      await store.removeSome('T2', 10);
      expect((await all()).sort()).toEqual(['T1', 'T:3%']);
      await store.remove({ workspace: 'T1', id: '1' });
      expect(await all()).toEqual(['T:3%']);
    });

    test('never takes a record for another one, whatever its names are made of', async () => {
      const store = await open();
      const now = await store.now();
      const names = [
        ['T', '1:2', 'a'],
        ['T:1', '2', 'a'],
        ['T%3A1', '2', 'a'],
        ['T', '1:2:a', ''],
        ['T', '', ':a'],
        ['T\n', '\u0000', '\u0000'],
        ['T', '\u0000', 'requests:due'],
      ] as const;
      const records = names.map(([workspace, id, target]) => queued({ workspace, id, target }, now));
      for (const record of records) expect(await store.create(entry(record))).toEqual(CREATED);
      const due = await store.due(100);
      expect(due).toHaveLength(names.length);
      expect(due).toEqual(expect.arrayContaining(records.map(({ workspace, id }) => ({ workspace, id }))));
      for (const record of records) {
        expect((await store.get(record))?.record).toEqual(inAnyVersion(record));
        expect((await store.listBySubject(record.workspace, `order:${record.target}`, 10)).records).toEqual([
          inAnyVersion(record),
        ]);
      }
      for (const record of records) await store.remove(record);
      expect(await store.due(100)).toEqual([]);
    });

    test('keeps hostile text as it is', async () => {
      const store = await open();
      const hostile = queued({
        id: "x'; DROP TABLE requests; --",
        target: 'a:b\n{}*',
        reason: '\u0000<!channel>',
      });
      await store.create(entry(hostile));
      expect((await store.get(hostile))?.record).toEqual(inAnyVersion(hostile));
      expect((await store.listBySubject('T1', 'order:a:b\n{}*', 1)).records).toHaveLength(1);
    });
  });
}
