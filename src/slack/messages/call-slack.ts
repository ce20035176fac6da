/** Calls Slack for an effect, which nobody waits for, and tells what a failure means for it. */

import type { webApi } from '@slack/bolt';
import { fieldsOf } from '../../requests/model/facts/log-fields.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { ClaimGuard, Log } from '../../requests/ports/ports.ts';
import type { SlackClients, SlackEffect } from '../client/clients.ts';
import { failureOf, type SlackFailure } from '../client/failure.ts';
import { mainCall, type SlackAct, waiterOf } from './effect-limits.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Never throws. */
export async function callSlack<T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  try {
    return await act(await clients.forEffect(effect));
  } catch (error) {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    log.warn({ workspace, ...about, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  }
}

/** Looking for something does no harm: whatever is not a "no" is looked for again. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}

/** An act on a request as an effect on Slack. */
export function effectOf(record: RequestRecord, act: SlackAct, guard: ClaimGuard): SlackEffect {
  const { workspace } = record;
  const yields = act.type === 'tidy';
  const about = { ...fieldsOf(record), act: act.type };
  return { workspace, about, who: waiterOf(record, act), main: mainCall(record, act), guard, yields };
}
