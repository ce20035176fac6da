/** Calls Slack for an effect: with the client of its workspace, and in the channel as a member. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import type { SlackClients, SlackEffect } from '../client/clients.ts';
import { failureOf, type SlackFailure } from '../client/failure.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Calls Slack for an effect, which nobody waits for. Never throws: a failure is a result. */
export async function callSlack<T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  try {
    return await clients.forEffect(effect, act);
  } catch (error) {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    // The line about the effect has the code, too.
    log.debug({ workspace, ...about, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  }
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
