/** A bot as a process whose standard output is a pipe that nobody reads. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { botEnvironment } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { openProcessHarness } from '../support/harness.ts';

const FILLER = '"filler"\n';

/** A pipe that holds as much as it takes. */
function fullPipe() {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const buffer = Buffer.alloc(1024 * 1024);
  /** @returns what was read or written; undefined if the pipe is empty or full */
  const trying = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch {
      return undefined;
    }
  };
  while (trying(() => writeSync(fd, FILLER)) === FILLER.length);
  let text = '';
  return {
    fd,
    read() {
      for (let bytes = 1; bytes > 0; ) {
        bytes = trying(() => readSync(fd, buffer)) ?? 0;
        text += buffer.toString('utf8', 0, bytes);
      }
      return text;
    },
  };
}

test('a bot whose output nobody reads goes on, and loses neither lines of the log nor entries of the audit trail', async () => {
  const port = await freePort();
  const { slack, service, connect } = await openProcessHarness(port);
  const pipe = fullPipe();
  const database = join(temporaryFolder(), 'bot.db');
  const env = { ...botEnvironment({ slack, service }, { port, database }), AUDIT_FILE: '-' };
  const bot = spawn(process.execPath, [inject('bundle')], { env, stdio: ['ignore', pipe.fd, 'inherit'] });
  onTestFinished(() => void bot.kill('SIGKILL'));
  const answer = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(() => answer('/readyz'), { timeout: 20_000 }).toBe(200);
  await connect();
  expect(await answer('/healthz')).toBe(200);
  await expect.poll(pipe.read, { timeout: 20_000 }).toMatch(/"act":"connected".*\n/);
  const lines = pipe.read().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'Countermand is ready' }),
      expect.objectContaining({ type: 'audit_entry', act: 'connected' }),
    ]),
  );
});
