/** Writes that create further records. Each storage runs this same suite. */
import { describe, expect, test } from 'vitest';
import { type Condition, type Further, NO_WORKSPACE, NOT_STORED } from '../../../src/outbox/record-store.ts';
import { nothingMade } from '../../../src/requests/model/recent.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { queued } from '../../support/requests/records.ts';
import { CREATED, versionOf } from '../../support/storage/versions.ts';

type Stores = Pick<Storage, 'requests' | 'recentRequests'>;

const entry = (more: Parameters<typeof queued>[0] = {}) => requestEntry(queued(more), TIMINGS);

/** A further record; records of this type are as good as any. */
const further = (person: string, more: Partial<Further['entry']> = {}, workspace = 'T1'): Further => ({
  type: 'recent_requests',
  entry: { record: nothingMade(workspace, person), subjects: [], at: 1, dueAt: undefined, ...more },
});
const TWO = [further('U1', { at: 1 }), further('U2', { at: 2 })];

const UNMET: readonly Condition[] = [{ type: 'settings', id: 'settings', version: NOT_STORED }];

/** @param open a new, empty storage */
export function furtherContract(name: string, open: () => Promise<Stores>): void {
  describe(`a write with further records on ${name}`, () => {
    const listed = async ({ recentRequests }: Stores) =>
      (await recentRequests.list('T1', { limit: 10 })).map(({ id }) => id);

    test('creates them with the record that it creates or changes', async () => {
      const stores = await open();
      const { requests, recentRequests } = stores;
      expect(await requests.create(entry(), [], TWO)).toEqual(CREATED);
      expect(await listed(stores)).toEqual(['U2', 'U1']);
      const version = await versionOf(requests, queued());
      const changed = await requests.update(entry(), version, [], [further('U3', { at: 3 })]);
      expect(changed.type).toBe('updated');
      expect(await listed(stores)).toEqual(['U3', 'U2', 'U1']);
      // Each has a version, by which it can be changed.
      const found = await recentRequests.get({ workspace: 'T1', id: 'U1' });
      expect(found?.record).toEqual({ ...nothingMade('T1', 'U1'), version: expect.any(Number) });
      expect(await recentRequests.remove({ workspace: 'T1', id: 'U1' }, found?.record.version)).toBe(
        'removed',
      );
    });

    test('creates one of the type of the record itself, too', async () => {
      const { requests } = await open();
      const beside = (id: string): Further => ({ type: 'requests', entry: entry({ id, target: id }) });
      await requests.create(entry(), [], [beside('one')]);
      await requests.update(entry(), await versionOf(requests, queued()), [], [beside('two')]);
      const ids = (await requests.list('T1', { limit: 10 })).map(({ id }) => id);
      expect(ids.sort()).toEqual(['one', queued().id, 'two'].sort());
      expect((await requests.due(10)).map(({ id }) => id).sort()).toEqual(ids);
    });

    test('lists them under their subjects, and as due', async () => {
      const { requests, recentRequests } = await open();
      const due = further('U1', { subjects: ['a', 'b', 'a'], dueAt: 1 });
      await requests.create(entry(), [], [due, further('U2')]);
      const ref = { workspace: 'T1', id: 'U1' };
      expect(await recentRequests.due(10)).toEqual([ref]);
      for (const subject of ['a', 'b'])
        expect((await recentRequests.listBySubject('T1', subject, 10)).records).toHaveLength(1);
      await recentRequests.remove(ref);
      expect(await recentRequests.due(10)).toEqual([]);
      expect((await recentRequests.listBySubject('T1', 'a', 10)).records).toEqual([]);
      expect(await recentRequests.count('T1')).toBe(1);
    });

    test('lists their workspace among those of their type, for as long as it has one', async () => {
      const { requests, recentRequests } = await open();
      const workspaces = () => recentRequests.workspaces({ after: undefined, limit: 10 });
      await requests.create(entry(), [], TWO);
      expect(await workspaces()).toEqual(['T1']);
      await recentRequests.removeSome('T1', 1);
      expect(await workspaces()).toEqual(['T1']);
      await recentRequests.removeSome('T1', 1);
      expect(await workspaces()).toEqual([]);
      expect(await requests.workspaces({ after: undefined, limit: 10 })).toEqual(['T1']);
    });

    test('may depend on a record that belongs to no workspace, too', async () => {
      const stores = await open();
      const { requests, recentRequests } = stores;
      const ref = { workspace: NO_WORKSPACE, id: 'U9' } as const;
      const record = nothingMade(ref.workspace, ref.id);
      await recentRequests.create({ record, subjects: [], at: 1, slot: undefined, dueAt: undefined });
      const version = await versionOf(recentRequests, ref);
      const shared: Condition = { type: 'recent_requests', ...ref, version };
      const other: Condition = { ...shared, version: NOT_STORED };
      expect(await requests.create(entry(), [other], TWO)).toEqual({ type: 'unmet' });
      expect(await listed(stores)).toEqual([]);
      expect(await requests.create(entry(), [shared], TWO)).toEqual(CREATED);
      expect(await listed(stores)).toEqual(['U2', 'U1']);
    });

    test('creates none of them where a condition is not met, or the record exists already', async () => {
      const stores = await open();
      const { requests } = stores;
      expect(await requests.create(entry(), UNMET, TWO)).toEqual({ type: 'unmet' });
      await requests.create(entry());
      const version = await versionOf(requests, queued());
      expect((await requests.create(entry(), [], TWO)).type).toBe('exists');
      expect(await requests.update(entry(), version, UNMET, TWO)).toEqual({ type: 'unmet' });
      expect(await listed(stores)).toEqual([]);
      expect(await versionOf(requests, queued())).toBe(version);
    });

    test('creates none of them after a conflict, or where the slot is taken', async () => {
      const stores = await open();
      const { requests } = stores;
      await requests.create(entry());
      const second = entry({ id: 'second', target: 'B-2' });
      await requests.create(second);
      expect((await requests.create(entry({ id: 'third' }), [], TWO)).type).toBe('slot_taken');
      const moved = entry({ id: 'second' });
      const version = await versionOf(requests, second.record);
      expect((await requests.update(moved, version, [], TWO)).type).toBe('slot_taken');
      expect((await requests.update(second, NOT_STORED, [], TWO)).type).toBe('conflict');
      // A record that was changed meanwhile is a conflict, whatever else is in the way.
      expect((await requests.update(second, NOT_STORED, UNMET, TWO)).type).toBe('conflict');
      expect(await listed(stores)).toEqual([]);
    });

    test('leaves one whose id exists as it is, and is made', async () => {
      const stores = await open();
      const { requests, recentRequests } = stores;
      await requests.create(entry(), [], [further('U1', { at: 1, subjects: ['first'] })]);
      const first = await recentRequests.get({ workspace: 'T1', id: 'U1' });
      const again = further('U1', { at: 9, subjects: ['second'], dueAt: 1 });
      const version = await versionOf(requests, queued());
      const changed = entry({ reason: 'another' });
      expect((await requests.update(changed, version, [], [again, ...TWO, ...TWO])).type).toBe('updated');
      expect((await requests.get(queued()))?.record.reason).toBe('another');
      expect((await recentRequests.get({ workspace: 'T1', id: 'U1' }))?.record).toEqual(first?.record);
      expect((await recentRequests.listBySubject('T1', 'second', 10)).records).toEqual([]);
      expect(await recentRequests.due(10)).toEqual([]);
      expect(await listed(stores)).toEqual(['U2', 'U1']);
    });

    test('has conditions and further records at once', async () => {
      const stores = await open();
      const { requests } = stores;
      await requests.create(entry());
      const first: Condition = {
        type: 'requests',
        id: queued().id,
        version: await versionOf(requests, queued()),
      };
      const absent: Condition = { type: 'settings', id: 'settings', version: undefined };
      const second = entry({ id: 'second', target: 'B-2' });
      expect(await requests.create(second, [absent, first], TWO)).toEqual(CREATED);
      expect(await listed(stores)).toEqual(['U2', 'U1']);
    });

    test('fails where one of them belongs to another workspace', async () => {
      const { requests, recentRequests } = await open();
      const both = [further('U1'), further('U1', {}, 'T2')];
      await expect(requests.create(entry(), [], both)).rejects.toThrow('workspace');
      expect(await requests.get(queued())).toBeUndefined();
      for (const workspace of ['T1', 'T2']) expect(await recentRequests.count(workspace)).toBe(0);
    });
  });
}
