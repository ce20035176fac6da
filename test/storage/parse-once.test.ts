import Keyv from 'keyv';
import { describe, expect, test } from 'vitest';
import { createParseOnce } from '../../src/storage/parse-once.ts';

const opened = () => createParseOnce()(new Keyv());

describe('a stored value', () => {
  test('is the same object for as long as it reads the same', async () => {
    const keyv = opened();
    await keyv.set('a', { list: [{ id: 1 }] });
    const first = await keyv.get('a');
    expect(first).toEqual({ list: [{ id: 1 }] });
    expect(await keyv.get('a')).toBe(first);
  });

  test('is read anew once somebody has written another one', async () => {
    const store = new Map();
    const [parseOnce, other] = [createParseOnce(), new Keyv({ store })];
    const keyv = parseOnce(new Keyv({ store }));
    await other.set('a', { id: 1 });
    expect(await keyv.get('a')).toEqual({ id: 1 });
    await other.set('a', { id: 2 });
    expect(await keyv.get('a')).toEqual({ id: 2 });
    await other.delete('a');
    expect(await keyv.get('a')).toBeUndefined();
  });

  test('can be changed by nobody: others would read the change', async () => {
    const keyv = opened();
    await keyv.set('a', { list: [{ id: 1 }] });
    const value = await keyv.get<{ list: { id: number }[] }>('a');
    expect(() => value?.list.push({ id: 2 })).toThrow(TypeError);
    expect(() => Object.assign(value?.list[0] ?? {}, { id: 2 })).toThrow(TypeError);
  });

  test('that is no object is read as it is', async () => {
    const keyv = opened();
    await keyv.set('a', 'text');
    expect([await keyv.get('a'), await keyv.get('a')]).toEqual(['text', 'text']);
  });
});
