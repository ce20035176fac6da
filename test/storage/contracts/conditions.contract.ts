/** Writes that are conditional on other records. Each storage runs this same suite. */
import { describe, expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type Condition, SETTINGS_ID } from '../../../src/requests/ports/record-store.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import { withinLimit } from '../../../src/requests/store/within-limit.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { queued } from '../../support/requests/records.ts';

type Stores = Pick<Storage, 'requests' | 'settings' | 'recentRequests'>;

const entry = (more: Parameters<typeof queued>[0] = {}) => entryOf(queued(more), TIMINGS);
const settingsAt = (version: number | undefined): Condition => ({
  type: 'settings',
  id: SETTINGS_ID,
  version,
});
const UNMET = { type: 'unmet' };
const CREATED = { type: 'created' };

/** @param open a new, empty storage */
export function conditionsContract(name: string, open: () => Promise<Stores>): void {
  describe(`a conditional write on ${name}`, () => {
    async function openStores() {
      const { requests, settings: records, recentRequests } = await open();
      const settings = createSettingsStore(records);
      const saveSettings = (workspace = 'T1') => settings.change(workspace, { requesters: 'S1' });
      return { requests, settings, saveSettings, recentRequests };
    }

    test('is made while the other record has the version that it was checked under', async () => {
      const { requests, saveSettings } = await openStores();
      await saveSettings();
      await saveSettings();
      expect(await requests.create(entry(), [settingsAt(2)])).toEqual(CREATED);
      expect(await requests.update(entry({ reason: 'another' }), 1, [settingsAt(2)])).toBe('updated');
      expect((await requests.get(queued()))?.record).toMatchObject({ version: 2, reason: 'another' });
    });

    test.each([1, 3, undefined])(
      'changes nothing under version %s, where version 2 is stored',
      async (version) => {
        const { requests, saveSettings } = await openStores();
        await saveSettings();
        await saveSettings();
        expect(await requests.create(entry(), [settingsAt(version)])).toEqual(UNMET);
        expect(await requests.get(queued())).toBeUndefined();
        expect(await requests.count('T1')).toBe(0);
        await requests.create(entry());
        const moved = { ...entry({ reason: 'another' }), subjects: ['another'] };
        expect(await requests.update(moved, 1, [settingsAt(version)])).toBe('unmet');
        expect((await requests.get(queued()))?.record).toEqual(queued());
        expect((await requests.listBySubject('T1', 'another', 10)).records).toEqual([]);
      },
    );

    test('may depend on a record that must not exist', async () => {
      const { requests, settings, saveSettings } = await openStores();
      expect(await requests.create(entry(), [settingsAt(undefined)])).toEqual(CREATED);
      await saveSettings();
      expect(await requests.update(entry(), 1, [settingsAt(undefined)])).toBe('unmet');
      await settings.forget('T1');
      expect(await requests.update(entry(), 1, [settingsAt(1)])).toBe('unmet');
      expect(await requests.update(entry(), 1, [settingsAt(undefined)])).toBe('updated');
    });

    test('depends on records of its own workspace alone', async () => {
      const { requests, saveSettings } = await openStores();
      await saveSettings('T2');
      expect(await requests.create(entry(), [settingsAt(1)])).toEqual(UNMET);
      expect(await requests.create(entry(), [settingsAt(undefined)])).toEqual(CREATED);
    });

    test('may have several conditions, also about records of its own type, and needs all of them', async () => {
      const { requests, saveSettings } = await openStores();
      await saveSettings();
      await requests.create(entry());
      const first: Condition = { type: 'requests', id: queued().id, version: 1 };
      const second = entry({ id: 'second', target: 'B-2' });
      expect(await requests.create(second, [{ ...first, version: 2 }, settingsAt(1)])).toEqual(UNMET);
      expect(await requests.create(second, [first, settingsAt(2)])).toEqual(UNMET);
      expect(await requests.create(second, [first, settingsAt(1)])).toEqual(CREATED);
    });

    test('that is unmet names what is more certain first: the record that exists, and the newer version', async () => {
      const { requests, saveSettings } = await openStores();
      await requests.create(entry());
      await saveSettings();
      const unmet = [settingsAt(undefined)];
      expect(await requests.create(entry({ reason: 'another' }), unmet)).toEqual({
        type: 'exists',
        record: queued(),
      });
      expect(await requests.create(entry({ id: 'second' }), unmet)).toEqual(UNMET);
      expect(await requests.update(entry(), 7, unmet)).toBe('conflict');
    });

    test('keeps what a person requests within their limit, however much of it is written at once', async () => {
      const { requests, recentRequests } = await openStores();
      const deps = { recentRequests, tellOfLimit: async () => {} };
      const person = { workspace: 'T1', person: 'U1', limit: 4 };
      const submit = (id: string) =>
        withinLimit<string>(deps, { ...person, key: id }, async (conditions) => {
          const { type } = await requests.create(entry({ id, target: `A-${id}` }), conditions);
          const provided: Condition = { type: 'requests', id, version: undefined };
          return type === 'unmet' ? { type, provided } : { type: 'written', result: type };
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
