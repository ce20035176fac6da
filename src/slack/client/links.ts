/** Creates links to messages. A link is optional: if Slack does not provide one in time, there is none. */
import { cardOf } from '../../requests/model/facts/messages.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { SlackClients } from './clients.ts';

export type Links = { toCard(record: RequestRecord): Promise<string | undefined> };

export function createLinks(clients: SlackClients): Links {
  return {
    async toCard(record) {
      const { delivery } = cardOf(record);
      if (delivery.status !== 'posted') return undefined;
      try {
        const client = await clients.interactive(record.workspace);
        const { channel, ts } = delivery;
        return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
      } catch {
        return undefined;
      }
    },
  };
}

/** @param domain as Slack names it in what a person does; undefined if it did not */
export const originOf = (domain: string | undefined): string =>
  `https://${domain ? `${encodeURIComponent(domain)}.` : ''}slack.com`;

/**
 * Slack's own address of a message, built of what is known: chat.getPermalink would need the bot to be a member, and a call
 * more.
 *
 * @param origin of the workspace: "https://acme.slack.com" @param place `thread`: its parent, which may be the message itself
 */
export function linkTo(
  origin: string,
  { channel, ts, thread }: { channel: string; ts: string; thread: string },
): string {
  const inThread =
    thread === ts ? '' : `?thread_ts=${encodeURIComponent(thread)}&cid=${encodeURIComponent(channel)}`;
  return `${origin}/archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}${inThread}`;
}
