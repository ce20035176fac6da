import { expect, test } from 'vitest';
import { readPort } from '../../../lib/arguments.ts';

test.each(['0', '4000', '65535'])('a port can be %s', (given) => {
  expect(readPort(given)).toBe(Number(given));
});

test.each(['abc', '65536', '-1', '40.5', '', '0x10'])('a port can’t be "%s"', (given) => {
  expect(readPort(given)).toBeUndefined();
});
