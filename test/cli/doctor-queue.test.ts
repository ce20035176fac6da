/** What doctor says of a queue that does not work. */
import { expect, test } from 'vitest';
import { checkQueue } from '../../src/cli/doctor/storage.ts';

const checked = async (message: string) => {
  const sleep = () => new Promise<void>(() => {});
  const queues = { check: () => Promise.reject(new Error(message)) };
  const [finding] = await checkQueue({ queues, outside: { runtime: { sleep } } } as never);
  return finding?.text;
};

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'Redis is full: raise maxmemory'],
  ["NOPERM this user has no permissions to run the 'evalsha' command", 'ACL LOG" shows what was denied.'],
  ['no answer', 'Compare the rights of the user of STORAGE_URL'],
])('if Redis says "%s", doctor says what to do about that', async (message, remedy) => {
  expect(await checked(message)).toContain(`Redis refuses the queue (${message}). `);
  expect(await checked(message)).toContain(remedy);
});
