/** Does something in a channel that the bot may have to join first: public ones it joins by itself. */
import type { webApi } from '@slack/bolt';
import { failureOf } from './failure.ts';

/** @throws what `act` throws or, where the bot may not join, what Slack says to that: nothing was done then */
export async function joining<T>(
  client: webApi.WebClient,
  channel: string,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (failureOf(error).code !== 'not_in_channel') throw error;
    await client.conversations.join({ channel });
    return act();
  }
}
