import { expect, test } from 'vitest';
import { StorageUnavailableError, tryToOpen } from '../../src/storage/storage.ts';

test('a storage that is not there yet is tried again, and one that must not be used is not', async () => {
  expect(await tryToOpen(async () => {})).toBe(true);
  expect(await tryToOpen(() => Promise.reject(new StorageUnavailableError('down')))).toBe(false);
  await expect(tryToOpen(() => Promise.reject(new Error('The password is wrong.')))).rejects.toThrow(
    'password',
  );
});
