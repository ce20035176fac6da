/** Calls Slack for an effect, joins public channels where only a member may call, and says what a failure means. */
import type { webApi } from '@slack/bolt';
import type { UpdateResult } from '../../outbox/delivery.ts';
import type { Log } from '../../outbox/ports.ts';
import type { ApproversProblem } from '../../requests/model/approvals/policy.ts';
import type { SlackClients, SlackEffect } from '../client/clients.ts';
import { failureOf, type SlackFailure } from '../client/failure.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Names an effect in the queues of the rate limits. @param messageKey of a request's message */
export const callerOf = (id: string, effect: string, messageKey?: string): string =>
  [id, effect, messageKey].filter((part) => part !== undefined).join(' ');

/** Calls Slack for an effect, which nobody waits for. Never throws: a failure is a result. */
export const callSlack = <T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> =>
  clients.forEffect(effect, act).catch((error) => {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    // The line about the effect has the code, too.
    log.debug({ workspace, ...about, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  });

/**
 * Reads or searches Slack for an effect. Never throws. Reading changes nothing, so a failure that leaves the result in doubt is
 * one after which the read is repeated (`later`).
 */
export async function readSlack<T>(
  calls: SlackCalls,
  effect: SlackEffect,
  read: (client: webApi.WebClient) => Promise<T>,
): Promise<T | Exclude<SlackFailure, { type: 'doubtful' }>> {
  const done = await callSlack(calls, effect, async (client) => ({
    type: 'read' as const,
    result: await read(client),
  }));
  if (done.type === 'read') return done.result;
  return done.type === 'doubtful' ? { ...done, type: 'later' } : done;
}

/**
 * Performs a call in a channel, and joins a public channel first if necessary.
 *
 * @throws whatever `call` throws or, if the bot may not join, Slack's refusal: then nothing was done
 */
export async function ensureMember<T>(
  client: webApi.WebClient,
  channel: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (failureOf(error).code !== 'not_in_channel') throw error;
    await client.conversations.join({ channel });
    return call();
  }
}

/** Slack's answer about a message that was deleted, or never existed. */
export const MESSAGE_GONE = 'message_not_found';

/** The answers to chat.update that mean that nobody can see the message, or reply to it, now or any more. */
export const MESSAGE_OUT_OF_REACH: ReadonlySet<string> = new Set([
  MESSAGE_GONE,
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

/** Says what a failed update means for its message. */
export function toUpdateResult(failure: SlackFailure): Exclude<UpdateResult, { type: 'posted' }> {
  if (failure.type !== 'refused') return failure;
  const { code } = failure;
  if (code === MESSAGE_GONE) return { type: 'gone', code };
  return { type: MESSAGE_OUT_OF_REACH.has(code) ? 'out_of_reach' : 'kept', code };
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
};

/** Gives a failure in the approvals channel the name by which the core knows the problem. */
export function namedProblem<T extends { code: string }>(failure: T): T {
  return { ...failure, code: CHANNEL_PROBLEMS[failure.code] ?? failure.code };
}
