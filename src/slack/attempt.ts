/** Tries something in Slack that nobody waits for, and tells what a failure means for it. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../requests/ports.ts';
import type { Turns } from '../requests/turns.ts';
import type { SlackClients } from './clients.ts';
import { failureOf, type SlackFailure } from './failure.ts';

export type Attempting = { clients: SlackClients; turns: Pick<Turns, 'hold'>; log: Log };

/** @param about the record that it is done for. Never throws */
export async function attempt<T>(
  { clients, turns, log }: Attempting,
  about: { workspace: string; id: string },
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  try {
    return await act(await clients.background(about.workspace));
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ record: about.id, code: failure.code, type: failure.type }, 'slack call failed');
    await holdIfLimited(turns, about.workspace, failure).catch((err) => log.warn({ err }, 'not held'));
    return failure;
  }
}

/** Looking for something does no harm: whatever is not a "no" is looked for again. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}

/** Whoever was told to wait for a while waits for everything else in that workspace, too; for others it is no concern. */
async function holdIfLimited(turns: Pick<Turns, 'hold'>, workspace: string, failure: SlackFailure) {
  if (failure.type === 'later' && failure.retryAfterMs !== undefined) {
    await turns.hold(workspace, failure.retryAfterMs, 'rate_limited');
  }
}
