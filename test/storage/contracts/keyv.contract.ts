/** The contract of storage by key. Each storage runs this same suite. */
import type Keyv from 'keyv';
import { describe, expect, test } from 'vitest';

/** @param open a new, empty storage; gives a keyv for each namespace */
export function keyvContract(name: string, open: () => Promise<(namespace: string) => Keyv>): void {
  describe(`keyv on ${name}`, () => {
    test('gives back what was set, and the last write wins', async () => {
      const settings = (await open())('settings');
      await settings.set('T1', { requesters: 'S1' });
      await settings.set('T1', { requesters: 'S2' });
      expect(await settings.get('T1')).toEqual({ requesters: 'S2' });
      expect(await settings.delete('T1')).toBe(true);
      expect(await settings.get('T1')).toBeUndefined();
      expect(await settings.delete('T1')).toBe(false);
    });

    test('keeps namespaces apart', async () => {
      const keyv = await open();
      const [a, b] = [keyv('a'), keyv('a_b')];
      await a.set('k', 1);
      await b.set('k', 2);
      await a.delete('k');
      expect(await a.get('k')).toBeUndefined();
      expect(await b.get('k')).toBe(2);
    });

    test('never takes a key for another one, whatever it begins with', async () => {
      const settings = (await open())('settings');
      await settings.set('T1', 1);
      for (const key of ['settings:T1', ':T1', 'T1:', '']) expect(await settings.get(key)).toBeUndefined();
      await settings.set('settings:T1', 2);
      await settings.delete('settings:settings:T1');
      expect([await settings.get('T1'), await settings.get('settings:T1')]).toEqual([1, 2]);
    });

    test('keeps any text as it is', async () => {
      const keyv = (await open())('a');
      const hostile = '\u0000\n*?[x]:"\\ 😀';
      await keyv.set(hostile, { hostile });
      expect(await keyv.get(hostile)).toEqual({ hostile });
    });

    test('forgets what has had its time', async () => {
      const inbox = (await open())('inbox');
      await inbox.set('short', 1, 1);
      await inbox.set('long', 2, 3_600_000);
      await expect.poll(() => inbox.get('short')).toBeUndefined();
      expect(await inbox.get('long')).toBe(2);
    });
  });
}
