/** Tries something in Slack that nobody waits for, and tells what a failure means for it. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../requests/ports.ts';
import type { SlackClients } from './clients.ts';
import { failureOf, type SlackFailure } from './failure.ts';

/** @param about the record that it is done for. Never throws */
export async function attempt<T>(
  { clients, log }: { clients: SlackClients; log: Log },
  about: { workspace: string; id: string },
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  try {
    return await act(await clients.background(about.workspace));
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ record: about.id, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  }
}

/** Looking for something does no harm: whatever is not a "no" is looked for again. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}
