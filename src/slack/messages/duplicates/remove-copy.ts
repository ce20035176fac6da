/** Removes another copy of a message of ours, and nothing that people have used. */
import type { webApi } from '@slack/bolt';
import { failureOf, platformCode } from '../../client/failure.ts';

type Message = { channel: string; ts: string };

/** `used`: people have reacted or replied to it, or Slack does not let us delete it. */
export type CopyRemoved = { type: 'gone' } | { type: 'used'; voters: string[] };

/** @throws what the Web API client throws: it may still stand */
export async function removeCopy(client: webApi.WebClient, { channel, ts }: Message): Promise<CopyRemoved> {
  try {
    const { voters, isUsed } = await readUse(client, { channel, ts });
    if (isUsed) return { type: 'used', voters };
    await client.chat.delete({ channel, ts });
    return { type: 'gone' };
  } catch (error) {
    if (platformCode(error) === 'message_not_found') return { type: 'gone' };
    if (failureOf(error).type === 'refused') return { type: 'used', voters: [] };
    throw error;
  }
}

/** Those who have reacted to a message. @throws what the Web API client throws */
export const votersOn = async (client: webApi.WebClient, message: Message): Promise<string[]> =>
  (await readUse(client, message)).voters;

async function readUse(client: webApi.WebClient, { channel, ts }: Message) {
  const { message } = await client.reactions.get({ channel, timestamp: ts, full: true });
  const { reactions = [], reply_count = 0 } = (message ?? {}) as Used;
  const voters = [...new Set(reactions.flatMap(({ users = [] }) => users))];
  return { voters, isUsed: reactions.length > 0 || reply_count > 0 };
}

/** The use of a message by reactions.get (https://docs.slack.dev/reference/methods/reactions.get). */
type Used = { reactions?: { users?: string[] }[]; reply_count?: number };
