import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reportFault } from '../../src/fault.ts';
import { createLogger } from '../../src/log.ts';
import { capturedStream } from '../support/captured-stream.ts';

const MINUTE = 60_000;

async function capture() {
  const { stream, lines } = capturedStream();
  return {
    log: await createLogger({ level: 'info', pretty: false }, stream),
    lines: () => lines.map((line) => JSON.parse(line)),
  };
}

describe('a fault', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 5) }));
  afterEach(() => void vi.useRealTimers());

  const away = (log: Parameters<typeof reportFault>[0], workspace = 'T1', why = 'storage away') =>
    reportFault(log, new Error(why), { workspace, ms: Math.random() });

  test('that comes a thousand times is one line, with the reference that everybody reads', async () => {
    const { log, lines } = await capture();
    const references = new Set(Array.from({ length: 1_000 }, () => away(log)));
    expect(lines().map(({ reference }) => reference)).toEqual([...references]);
    expect([...references]).toEqual([expect.stringMatching(/^[A-Z0-9]{8}$/)]);
    vi.advanceTimersByTime(MINUTE);
    expect(lines()).toMatchObject([{ msg: 'fault' }, { msg: 'fault', repeats: 999 }]);
  });

  test('has a reference of its own in each workspace and for each error', async () => {
    const { log, lines } = await capture();
    const references = [away(log), away(log, 'T2'), away(log, 'T1', 'Slack away')];
    expect(new Set(references).size).toBe(3);
    expect(lines().map(({ reference }) => reference)).toEqual(references);
  });

  test('is in the log by the reference that was given, at any time', async () => {
    const { log, lines } = await capture();
    const references: string[] = [];
    for (let n = 0; n < 50; n++) {
      references.push(away(log));
      vi.advanceTimersByTime(7_000);
    }
    const logged = new Set(lines().map(({ reference }) => reference));
    expect(references.filter((reference) => !logged.has(reference))).toEqual([]);
    expect(lines().length).toBeLessThan(20);
  });
});
