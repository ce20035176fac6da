/** Links to messages. A link is a help, not a need: where Slack does not give one in time, there is none. */
import type { RequestRecord } from '../../requests/model/record.ts';
import type { SlackClients } from './clients.ts';

export type Links = { toCard(record: RequestRecord): Promise<string | undefined> };

export function createLinks(clients: SlackClients): Links {
  return {
    async toCard({ workspace, card: { delivery } }) {
      if (delivery.status !== 'posted') return undefined;
      try {
        const client = await clients.interactive(workspace);
        const { channel, ts } = delivery;
        return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
      } catch {
        return undefined;
      }
    },
  };
}
