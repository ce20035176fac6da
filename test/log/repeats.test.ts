import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { capturedStream } from '../support/captured-stream.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 0, 5);

async function capture() {
  const { stream, lines } = capturedStream();
  return {
    log: await createLogger({ level: 'debug', pretty: false }, stream),
    lines: () => lines.map((line) => JSON.parse(line)),
  };
}

describe('a line of the log that repeats', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is written at once, then once a minute with how many were left out since when, then not at all', async () => {
    vi.setSystemTime(T0);
    const { log, lines } = await capture();
    for (let n = 0; n < 30; n++) log.error({ queue: 'requests', err: new Error('READONLY') }, 'refused');
    expect(lines()).toMatchObject([{ msg: 'refused' }]);
    expect(lines()[0]).not.toHaveProperty('repeats');
    vi.advanceTimersByTime(MINUTE);
    vi.advanceTimersByTime(1_000);
    for (let n = 0; n < 2; n++) log.error({ queue: 'requests', err: new Error('READONLY') }, 'refused');
    vi.advanceTimersByTime(MINUTE);
    vi.advanceTimersByTime(10 * MINUTE);
    expect(lines().slice(1)).toMatchObject([
      { msg: 'refused', repeats: 29, since: T0, err: { message: 'READONLY' } },
      { msg: 'refused', repeats: 2, since: T0 + MINUTE + 1_000 },
    ]);
  });

  test('is news again after a quiet minute', async () => {
    const { log, lines } = await capture();
    log.warn({}, 'refused');
    vi.advanceTimersByTime(2 * MINUTE);
    log.warn({}, 'refused');
    expect(lines()).toHaveLength(2);
  });

  test('keeps no process running until its minute is over', async () => {
    const { log } = await capture();
    vi.useRealTimers();
    const holding = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout');
    const before = holding();
    log.warn({}, 'refused');
    expect(holding()).toEqual(before);
  });

  test.each([
    ['another workspace', { workspace: 'T2' }],
    ['another request', { request: 'b' }],
    ['another reference', { reference: 'R2' }],
    ['another error', { err: new Error('other') }],
  ])('is not one that names %s', async (_name, change) => {
    const { log, lines } = await capture();
    const fields = { workspace: 'T1', request: 'a', reference: 'R1', err: new Error('one') };
    log.error(fields, 'fault');
    log.error({ ...fields, ...change }, 'fault');
    expect(lines()).toHaveLength(2);
  });

  test('may differ in how long something took', async () => {
    const { log, lines } = await capture();
    log.warn({ offsetSeconds: 600, ms: 1, retryAfterMs: 10, digest: 'a' }, 'refused');
    log.warn({ offsetSeconds: 601, ms: 2, retryAfterMs: 20, digest: 'b' }, 'refused');
    vi.advanceTimersByTime(MINUTE);
    expect(lines()).toMatchObject([{ offsetSeconds: 600 }, { offsetSeconds: 601, repeats: 1 }]);
  });

  test('is written each time where it tells of no trouble', async () => {
    const { log, lines } = await capture();
    log.info({}, 'event received');
    log.info({}, 'event received');
    expect(lines()).toHaveLength(2);
  });

  test('is written each time where there are too many different ones to remember', async () => {
    const { log, lines } = await capture();
    for (let n = 0; n < 1_000; n++) log.warn({ request: `r${n}` }, 'refused');
    log.warn({ request: 'one more' }, 'refused');
    log.warn({ request: 'one more' }, 'refused');
    expect(lines()).toHaveLength(1_002);
  });
});

const ENV = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'secret',
  PUBLIC_URL: 'https://bot.example/',
  ORDER_SERVICE_URL: 'https://orders.example/',
};

/** Runs a script in a process of its own. @returns the messages and repeats of the lines that it writes to a stream */
function linesOf(script: string, stream: 'stdout' | 'stderr'): [string, number | undefined][] {
  const cwd = temporaryFolder();
  const env = { ...process.env, ...ENV };
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    ...{ cwd, env, encoding: 'utf8' },
  });
  return ended[stream]
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ msg, repeats }) => [msg, repeats]);
}

const moduleAt = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path));

const LOGGED = `
  for (let n = 0; n < 5; n++) log.error({}, 'refused');
  log.error({}, 'refused otherwise');`;

test('a process that ends writes how many lines were left out since the last minute, and when it says so itself', () => {
  const script = `
    const { createLogger } = await import(${moduleAt('log.ts')});
    const log = await createLogger({ level: 'info', pretty: false, writer: { replica: 'r', version: '0' } });
    ${LOGGED}
    log.flush();
    log.info({}, 'stopped');
    log.error({}, 'refused');
    process.exit();`;
  expect(linesOf(script, 'stdout')).toEqual([
    ['refused', undefined],
    ['refused otherwise', undefined],
    ['refused', 4],
    ['stopped', undefined],
    ['refused', 1],
  ]);
});

test('a terminal command that ends or fails writes how many lines were left out, too', () => {
  const script = `
    const { withAdapters } = await import(${moduleAt('cli/command.ts')});
    const failing = async ({ log }) => {
      ${LOGGED}
      throw new Error();
    };
    await withAdapters(failing, { creates: true }).catch(() => {});`;
  expect(linesOf(script, 'stderr')).toEqual([
    ['refused', undefined],
    ['refused otherwise', undefined],
    ['refused', 4],
  ]);
});
