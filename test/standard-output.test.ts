/** Lines to a pipe, as they go to standard output: a pipe takes no more once it is full and nobody reads it. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLineOutput } from '../src/standard-output.ts';
import { temporaryFolder } from './support/storage/stores.ts';

/** Longer than what a pipe takes either whole or not at all. */
const LINE = `${'x'.repeat(9_999)}\n`;
const MOST_WAITING = 1024 * 1024;

function pipe() {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const buffer = Buffer.alloc(4 * MOST_WAITING);
  const output = createLineOutput((bytes) => writeSync(fd, bytes));
  return { output, read: () => buffer.toString('utf8', 0, readSync(fd, buffer)) };
}

test('a line is written at once', () => {
  const { output, read } = pipe();
  output.write('one\n');
  expect(output.flush()).toBeUndefined();
  expect(read()).toBe('one\n');
});

test('lines that a full pipe does not take wait, and are written whole and in order once somebody reads', async () => {
  const { output, read } = pipe();
  const lines = Array.from({ length: 20 }, (_, n) => `${n}${LINE}`);
  for (const line of lines) output.write(line);
  expect(output.flush()).toMatchObject({ code: 'EAGAIN' });
  let text = read();
  await expect
    .poll(() => {
      if (output.flush() || text.length < lines.join('').length) text += read();
      return text === lines.join('');
    })
    .toBe(true);
});

test('what waits is written without a further line', async () => {
  const { output, read } = pipe();
  while (!output.flush()) output.write(LINE);
  read();
  await expect.poll(read, { interval: 5 }).toMatch(/^x*\n$/);
});

test('beyond one megabyte lines are dropped, whole', () => {
  const taken: Buffer[] = [];
  let isFull = true;
  const output = createLineOutput((bytes) => {
    if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    taken.push(bytes);
    return bytes.length;
  });
  const isKept: boolean[] = [];
  for (let written = 0; written <= 2 * MOST_WAITING; written += LINE.length) isKept.push(output.write(LINE));
  expect([isKept.at(0), isKept.at(-1)]).toEqual([true, false]);
  isFull = false;
  output.write('last\n');
  const text = Buffer.concat(taken).toString();
  expect(text.length).toBeLessThanOrEqual(MOST_WAITING);
  expect(text.length).toBeGreaterThan(MOST_WAITING - LINE.length);
  expect(text.replaceAll(LINE, '')).toBe('last\n');
});

test('the end of the process waits a moment for a reader, and not for ever', () => {
  const full = Object.assign(new Error('full'), { code: 'EAGAIN' });
  let refusals = 3;
  const slow = createLineOutput((bytes) => {
    if (refusals-- > 0) throw full;
    return bytes.length;
  });
  slow.write('last\n');
  slow.end();
  expect(slow.flush()).toBeUndefined();
  const stuck = createLineOutput(() => {
    throw full;
  });
  stuck.write('last\n');
  stuck.end();
  expect(stuck.flush()).toBe(full);
});
