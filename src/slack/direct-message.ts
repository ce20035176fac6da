/** Tells one person something, where no modal or thread is left to say it in. */
import type { webApi } from '@slack/bolt';

/** @param text mrkdwn */
export async function tellDirectly(client: webApi.WebClient, user: string, text: string): Promise<void> {
  await client.chat.postMessage({ channel: await directMessage(client, user), text });
}

/** The channel of the direct messages with one person. @throws where Slack does not open it */
export async function directMessage(client: webApi.WebClient, user: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: user });
  return channel?.id ?? '';
}
