/** Calls Slack for an effect, which nobody waits for, and tells what a failure means for it. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../requests/ports.ts';
import type { SlackClients, SlackEffect } from './clients.ts';
import { failureOf, type SlackFailure } from './failure.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Never throws. */
export async function callSlack<T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  const began = performance.now();
  try {
    return await act(await clients.forEffect(effect));
  } catch (error) {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    const ms = Math.round(performance.now() - began);
    log.warn({ workspace, ...about, code: failure.code, type: failure.type, ms }, 'slack call failed');
    return failure;
  }
}

/** Looking for something does no harm: whatever is not a "no" is looked for again. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}
