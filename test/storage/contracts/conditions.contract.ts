/** Writes that are conditional on other records. Each storage runs this same suite. */
import { describe, expect, test } from 'vitest';
import { type Condition, NO_WORKSPACE, NOT_STORED, SETTINGS_ID } from '../../../src/outbox/record-store.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { withinLimit } from '../../../src/requests/use-cases/requester.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { queued } from '../../support/requests/records.ts';
import { CREATED, inAnyVersion, versionOf } from '../../support/storage/versions.ts';

type Stores = Pick<Storage, 'requests' | 'settings' | 'recentRequests'>;

const entry = (more: Parameters<typeof queued>[0] = {}) => requestEntry(queued(more), TIMINGS);
const settingsAt = (version: number | undefined): Condition => ({
  type: 'settings',
  id: SETTINGS_ID,
  version,
});
const UNMET = { type: 'unmet' };

/** @param open a new, empty storage */
export function conditionsContract(name: string, open: () => Promise<Stores>): void {
  describe(`a conditional write on ${name}`, () => {
    async function openStores() {
      const { requests, settings: records, recentRequests } = await open();
      const settings = createSettingsStore(records);
      /** @returns the version of the settings that it has written */
      async function saveSettings(workspace = 'T1') {
        await settings.change(workspace, { requesters: 'S1' });
        return (await settings.inForce(workspace)).version;
      }
      return { requests, settings, saveSettings, recentRequests };
    }

    test('is made while the other record has the version that it was checked under', async () => {
      const { requests, saveSettings } = await openStores();
      await saveSettings();
      const inForce = [settingsAt(await saveSettings())];
      expect(await requests.create(entry(), inForce)).toEqual(CREATED);
      const version = await versionOf(requests, queued());
      expect(await requests.update(entry({ reason: 'another' }), version, inForce)).toMatchObject({
        type: 'updated',
      });
      expect((await requests.get(queued()))?.record.reason).toBe('another');
    });

    test.each(['a former version', 'no version that ever was', 'none'])(
      'changes nothing under %s, where a newer one is stored',
      async (expected) => {
        const { requests, saveSettings } = await openStores();
        const former = await saveSettings();
        await saveSettings();
        const version = { 'a former version': former, 'no version that ever was': NOT_STORED }[expected];
        expect(await requests.create(entry(), [settingsAt(version)])).toEqual(UNMET);
        expect(await requests.get(queued())).toBeUndefined();
        expect(await requests.count('T1')).toBe(0);
        await requests.create(entry());
        const created = (await requests.get(queued()))?.record;
        const moved = { ...entry({ reason: 'another' }), subjects: ['another'] };
        const tried = await requests.update(moved, created?.version ?? NOT_STORED, [settingsAt(version)]);
        expect(tried).toEqual(UNMET);
        expect((await requests.get(queued()))?.record).toEqual(created);
        expect((await requests.listBySubject('T1', 'another', 10)).records).toEqual([]);
      },
    );

    test('may depend on a record that must not exist', async () => {
      const { requests, settings, saveSettings } = await openStores();
      expect(await requests.create(entry(), [settingsAt(undefined)])).toEqual(CREATED);
      const saved = await saveSettings();
      const version = await versionOf(requests, queued());
      expect(await requests.update(entry(), version, [settingsAt(undefined)])).toEqual(UNMET);
      await settings.forget('T1');
      expect(await requests.update(entry(), version, [settingsAt(saved)])).toEqual(UNMET);
      const written = await requests.update(entry(), version, [settingsAt(undefined)]);
      expect(written).toMatchObject({ type: 'updated' });
    });

    test('depends on records of its own workspace alone', async () => {
      const { requests, saveSettings } = await openStores();
      const theirs = await saveSettings('T2');
      expect(await requests.create(entry(), [settingsAt(theirs)])).toEqual(UNMET);
      expect(await requests.create(entry(), [settingsAt(undefined)])).toEqual(CREATED);
    });

    test('may depend on a record that belongs to no workspace', async () => {
      const { requests, saveSettings } = await openStores();
      await saveSettings('T1');
      const shared = async (): Promise<Condition> => ({
        ...settingsAt(await saveSettings(NO_WORKSPACE)),
        workspace: NO_WORKSPACE,
      });
      const former = await shared();
      expect(await requests.create(entry(), [{ ...former, version: undefined }])).toEqual(UNMET);
      expect(await requests.create(entry(), [former])).toEqual(CREATED);
      const version = await versionOf(requests, queued());
      const next = await shared();
      expect(await requests.update(entry(), version, [former])).toEqual(UNMET);
      expect(await requests.update(entry(), version, [next])).toMatchObject({ type: 'updated' });
    });

    test('may have several conditions, also about records of its own type, and needs all of them', async () => {
      const { requests, saveSettings } = await openStores();
      const saved = settingsAt(await saveSettings());
      await requests.create(entry());
      const version = await versionOf(requests, queued());
      const first: Condition = { type: 'requests', id: queued().id, version };
      const second = entry({ id: 'second', target: 'B-2' });
      expect(await requests.create(second, [{ ...first, version: NOT_STORED }, saved])).toEqual(UNMET);
      expect(await requests.create(second, [first, settingsAt(NOT_STORED)])).toEqual(UNMET);
      expect(await requests.create(second, [first, saved])).toEqual(CREATED);
    });

    test('that is unmet names what is more certain first: the record that exists, and the newer version', async () => {
      const { requests, saveSettings } = await openStores();
      await requests.create(entry());
      await saveSettings();
      const unmet = [settingsAt(undefined)];
      expect(await requests.create(entry({ reason: 'another' }), unmet)).toEqual({
        type: 'exists',
        record: inAnyVersion(queued()),
      });
      expect(await requests.create(entry({ id: 'second' }), unmet)).toEqual(UNMET);
      expect(await requests.update(entry(), NOT_STORED, unmet)).toEqual({ type: 'conflict' });
    });

    test('keeps what a person requests within their limit, however much of it is written at once', async () => {
      const { requests, recentRequests } = await openStores();
      const deps = { recentRequests, tellOfLimit: async () => {} };
      const person = { workspace: 'T1', person: 'U1', limit: 4 };
      const absent = (id: string): Condition => ({ type: 'requests', id, version: undefined });
      const submit = (id: string) =>
        withinLimit<string>(deps, { ...person, key: id, provided: absent(id) }, async (conditions) => {
          const { type } = await requests.create(entry({ id, target: `A-${id}` }), conditions);
          return type === 'unmet' ? { type } : { type: 'written', result: type };
        });
      const ids = Array.from({ length: 9 }, (_, n) => `r${n}`);
      const results = await Promise.all([...ids, ...ids].map(submit));
      expect(await requests.count('T1')).toBe(4);
      expect(results.filter((result) => result === 'created')).toHaveLength(4);
    });

    test('and a write of the other record never both count on being first', async () => {
      const { requests, settings } = await openStores();
      for (let round = 0; round < 20; round++) {
        const { version } = await settings.inForce('T1');
        const record = { id: `r${round}`, target: `A-${round}` };
        const [creation] = await Promise.all([
          requests.create(entry(record), [settingsAt(version)]),
          settings.change('T1', { orderIdPattern: `${round}-*` }),
        ]);
        const found = await requests.get({ workspace: 'T1', id: record.id });
        expect(found !== undefined).toBe(creation.type === 'created');
        // Whatever came first, the old version is over.
        const late = { id: `late ${round}`, target: `B-${round}` };
        expect(await requests.create(entry(late), [settingsAt(version)])).toEqual(UNMET);
      }
    });
  });
}
