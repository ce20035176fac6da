/** Tells one person something, where no modal or thread is left to say it in. */
import type { webApi } from '@slack/bolt';

/** @param text mrkdwn */
export async function tellDirectly(client: webApi.WebClient, user: string, text: string): Promise<void> {
  const { channel } = await client.conversations.open({ users: user });
  await client.chat.postMessage({ channel: channel?.id ?? '', text });
}
