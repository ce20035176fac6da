import { describe, expect, test } from 'vitest';
import { invented, pathsOf } from '../../record/recording.ts';

test('the shape of a value is its keys, and of a map that it is one', () => {
  const value = {
    user: { id: 'U1' },
    list: [{ a: 1 }, { b: 2 }],
    state: { values: { order: { order_id: { type: 'plain_text_input' } } } },
    members: { U0ANA00001: true, U0BEN00001: true },
  };
  expect([...pathsOf(value)]).toEqual([
    '.user',
    '.user.id',
    '.list',
    '.list[].a',
    '.list[].b',
    '.state',
    '.state.values',
    '.state.values.*',
    '.state.values.*.*',
    '.state.values.*.*.type',
    '.members',
    '.members.*',
  ]);
});

describe('a key is invented', () => {
  test.each<[string, unknown, unknown, string[]]>([
    ['where Slack has others in its place', { a: { b: 1 } }, { a: { c: 1 } }, ['.a.b']],
    ['not where Slack has it, too', { a: { b: 1 } }, { a: { b: 2, c: 1 } }, []],
    ['not within what was never more than null', { a: { b: 1 } }, { a: null }, []],
    ['not within a list that was always empty', { a: [{ b: 1 }] }, { a: [] }, []],
    ['in any item of a list', { a: [{ b: 1 }, { c: 1 }] }, { a: [{ b: 1 }] }, ['.a[].c']],
  ])('%s', (_when, ours, real, paths) => {
    expect(invented(ours, real)).toEqual(paths);
  });
});
