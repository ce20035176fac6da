import { expect, test } from 'vitest';
import { dependenciesOf, readLockFile, unaccepted } from '../../tools/dependencies.ts';

test('the licences of all dependencies are accepted', () => {
  const all = dependenciesOf(readLockFile());
  expect(all.length).toBeGreaterThan(100);
  expect(unaccepted(all)).toEqual([]);
});

test('a licence that asks for more is refused, also below another package; of a choice, one is enough', () => {
  const packages = {
    '': { license: 'MIT' },
    'node_modules/a': { version: '1.0.0', license: 'GPL-3.0' },
    'node_modules/a/node_modules/@b/c': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', license: 'MPL-2.0' },
    'node_modules/e': { version: '1.0.0', license: 'MPL-2.0', dev: true },
    'node_modules/f': { version: '1.0.0', license: '(MIT OR GPL-2.0)' },
    'node_modules/sandbox': { link: true },
  };
  expect(unaccepted(dependenciesOf({ packages })).map(({ name }) => name)).toEqual(['a', '@b/c', 'd']);
});
