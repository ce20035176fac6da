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
