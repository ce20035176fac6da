/** Performs a call in a channel, and joins a public channel first if necessary. */
import type { webApi } from '@slack/bolt';
import { failureOf } from './failure.ts';

/** @throws whatever `call` throws or, if the bot may not join, Slack's refusal: then nothing was done */
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
