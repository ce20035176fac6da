/** Sets of members by key. Each storage runs this same suite. */
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import type { MemberIndex } from '../../../src/workspaces/member-index.ts';

const all = (index: MemberIndex, key: string) => index.members(key, { after: undefined, limit: 1_000 });

/** @param open a new, empty storage */
export function memberIndexContract(name: string, open: () => Promise<Pick<Storage, 'indexed'>>): void {
  describe(`an index on ${name}`, () => {
    const openIndex = async () => (await open()).indexed('a').index;

    test('lists a member under the keys that were added, and after a keep under the kept ones alone', async () => {
      const index = await openIndex();
      await index.add('T1', ['all', 'token 1']);
      await index.add('T1', ['token 2']);
      await index.add('T2', ['all']);
      expect([await all(index, 'all'), await all(index, 'token 1'), await all(index, 'token 2')]).toEqual([
        ['T1', 'T2'],
        ['T1'],
        ['T1'],
      ]);
      await index.keep('T1', ['all', 'token 3']);
      expect([await all(index, 'token 1'), await all(index, 'token 2')]).toEqual([[], []]);
      expect([await all(index, 'all'), await all(index, 'token 3')]).toEqual([['T1', 'T2'], ['T1']]);
      await index.keep('T1', []);
      expect([await all(index, 'all'), await index.count('all')]).toEqual([['T2'], 1]);
    });

    test('does nothing that was done already', async () => {
      const index = await openIndex();
      for (let times = 0; times < 2; times++) {
        await index.add('T1', ['all']);
        await index.keep('T1', ['all']);
      }
      expect([await all(index, 'all'), await index.count('all')]).toEqual([['T1'], 1]);
    });

    test('is read page by page in the order of bytes, also where the last member of a page is gone since', async () => {
      const index = await openIndex();
      const members = ['T10', 'T2', 'T1', 'Tä', 'T😀', 't1'];
      for (const member of members) await index.add(member, ['all']);
      const inOrder = ['T1', 'T10', 'T2', 'Tä', 'T😀', 't1'].sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
      const first = await index.members('all', { after: undefined, limit: 2 });
      await index.keep('T10', []);
      const second = await index.members('all', { after: 'T10', limit: 2 });
      const third = await index.members('all', { after: second.at(-1), limit: 9 });
      expect([...first, ...second, ...third]).toEqual(inOrder);
      expect(await index.members('all', { after: inOrder.at(-1), limit: 2 })).toEqual([]);
    });

    test('keeps any text as it is, and no key is taken for another one', async () => {
      const storage = await open();
      const [one, other] = [storage.indexed('a').index, storage.indexed('a:list').index];
      const hostile = ['\u0000\n*?[x]:"\\ 😀', 'T1:all', ':', 'all'];
      for (const text of hostile) await one.add(text, [text, `${text}:`]);
      await other.add('T1', ['all']);
      for (const text of hostile)
        expect([await all(one, text), await all(one, `${text}:`)]).toEqual([[text], [text]]);
      expect(await all(other, 'all')).toEqual(['T1']);
    });
  });
}
