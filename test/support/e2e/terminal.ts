/** Runs terminal commands beside a bot. */
import { expect } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Adapters } from '../../../src/compose/adapters.ts';
import { runInTerminal } from '../processes/terminal.ts';
import { withAdapters } from '../storage/with-adapters.ts';
import { type HarnessOptions, startHarness } from './harness.ts';

export const IN = ['--workspace', SEED.team];

/** Sweeps often: a command that writes to the storage does not wake the bot. */
const SWEPT = { runner: { sweepMs: 20 } };

export async function besideBot(options: HarnessOptions = {}) {
  const harness = await startHarness({ overrides: SWEPT, ...options });
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const { code, out, err, logged } = await runInTerminal({ ...harness.environment, ...more }, args);
    return { code, output: out + err, logged };
  };
  const withStorage = <T>(work: (adapters: Adapters) => Promise<T>) => withAdapters(harness.config, work);
  return { ...harness, run, withStorage };
}

/** Starts a bot with a request that the order service has refused. @returns also its id */
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
