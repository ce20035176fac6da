/** Sends a direct message to a person who has no modal or thread to read. */
import type { webApi } from '@slack/bolt';
import { type Message, messageOf } from '../blocks/text.ts';

/** @param message mrkdwn, or a whole message */
export async function sendDirectMessage(
  client: webApi.WebClient,
  user: string,
  message: string | Message,
): Promise<void> {
  const whole = typeof message === 'string' ? messageOf(message) : message;
  await client.chat.postMessage({ channel: await directMessage(client, user), ...whole });
}

/** The channel of the direct messages with one person. @throws where Slack does not open it */
export async function directMessage(client: webApi.WebClient, user: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: user });
  return channel?.id ?? '';
}
