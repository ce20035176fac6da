import { expect, test } from 'vitest';
import { SILENT } from '../src/outbox/ports.ts';
import { untilDone } from '../src/until-done.ts';

const SECOND = 1_000;

/**
 * Attempts something that fails.
 *
 * @param endsAfter the number of waits after which the wait is ended
 * @param askedMs what each error asks for
 */
async function failing({ endsAfter, askedMs }: { endsAfter: number; askedMs: number | undefined }) {
  const stopping = new AbortController();
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    if (waits.length < endsAfter) return;
    stopping.abort();
    throw new Error('ended');
  };
  const done = await untilDone(
    () => Promise.reject(new Error('away')),
    { log: SILENT, signal: stopping.signal, random: () => 1, sleep },
    { waitAskedBy: () => askedMs, message: 'away, will retry' },
  );
  return { done, waits: waits.map((ms) => ms / SECOND) };
}

test('the waits are doubled, up to half a minute, until they are ended', async () => {
  const waits = [1, 2, 4, 8, 16, 30, 30];
  expect(await failing({ endsAfter: waits.length, askedMs: 0 })).toEqual({ done: undefined, waits });
});

test('no wait is shorter than what the error asks for', async () => {
  expect((await failing({ endsAfter: 5, askedMs: 7 * SECOND })).waits).toEqual([7, 7, 7, 8, 16]);
});

test('replicas that were started together do not come back together', async () => {
  const waits: number[] = [];
  const attempt = async () => {
    if (waits.length < 2) throw new Error('away');
    return 'done';
  };
  const drawn = [0, 1];
  const waiting = { log: SILENT, signal: new AbortController().signal, random: () => drawn.shift() ?? 0 };
  const sleep = async (ms: number) => void waits.push(ms);
  const asked = { waitAskedBy: () => 0, message: 'away, will retry' };
  expect(await untilDone(attempt, { ...waiting, sleep }, asked)).toBe('done');
  expect(waits).toEqual([0.75 * SECOND, 2 * SECOND]);
});

test('a wait is over as soon as the process is told to stop', async () => {
  const stopping = new AbortController();
  const waiting = Promise.withResolvers<void>();
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('ended')));
      waiting.resolve();
    });
  const done = untilDone(
    () => Promise.reject(new Error('away')),
    { log: SILENT, signal: stopping.signal, random: () => 0, sleep },
    { waitAskedBy: () => 0, message: 'away, will retry' },
  );
  await waiting.promise;
  stopping.abort();
  expect(await done).toBeUndefined();
});

test('an error after which waiting is useless is thrown at once', async () => {
  await expect(failing({ endsAfter: 1, askedMs: undefined })).rejects.toThrow('away');
});
