/** Tells the core what a failure of Slack means for an effect. */

import type { UpdateResult } from '../../outbox/delivery.ts';
import type { ApproversProblem } from '../../requests/model/approvals/policy.ts';
import type { SlackFailure } from '../client/failure.ts';

/** A search does no harm: unless it was refused, it is repeated. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}

/** The answers to chat.update that mean that nobody can see the message, or reply to it, any more. */
export const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

/** What a failure to update a message means for it. */
export function toUpdateResult(failure: SlackFailure): Exclude<UpdateResult, { type: 'posted' }> {
  if (failure.type !== 'refused') return failure;
  return { type: GONE.has(failure.code) ? 'gone' : 'kept', code: failure.code };
}

/** Gives a failure in the approvals channel the name by which the core knows the problem. */
export function namedProblem<T extends { code: string }>(result: T): T {
  return { ...result, code: CHANNEL_PROBLEMS[result.code] ?? result.code };
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
};
