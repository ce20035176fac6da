/** The terminal beside a bot that runs. */
import { expect } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Adapters, openAdapters } from '../../../src/compose/adapters.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { runInTerminal } from '../processes/terminal.ts';
import { type HarnessOptions, startHarness } from './harness.ts';

export const IN = ['--workspace', SEED.team];

/** The sweep finds what a command has written: nothing wakes the bot. */
const SWEPT = { runner: { sweepMs: 20 } };

export async function besideBot(options: HarnessOptions = {}) {
  const harness = await startHarness({ overrides: SWEPT, ...options });
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const { code, out, err, logged } = await runInTerminal({ ...harness.environment, ...more }, args);
    return { code, output: out + err, logged };
  };
  /** Works on the bot's storage, as a terminal command does. */
  const withStorage = async <T>(work: (adapters: Adapters) => Promise<T>): Promise<T> => {
    const adapters = await openAdapters(harness.config);
    try {
      await adapters.storage.open(SILENT);
      return await work(adapters);
    } finally {
      await adapters.close();
    }
  };
  return { ...harness, run, withStorage };
}

/** A bot that runs, and a request that the order service has refused. */
export async function failedRequest(reason = 'Ordered twice') {
  const all = await besideBot();
  const body = { code: 'FORBIDDEN', message: 'Not now' };
  all.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 403, body } });
  await all.cancelOrder('A-1001', { reason });
  await all.shows('A-1001', /refused/);
  const { output } = await all.run(['requests', 'list', ...IN, '--json']);
  const { id } = JSON.parse(output);
  expect(id).toMatch(/^[a-z0-9]{12}$/);
  return { ...all, id: String(id) };
}
