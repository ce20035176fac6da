/**
 * Removes a reply that stands in the channel. Slack does not refuse a reply to a message that is gone: it posts it into the
 * channel, where it means nothing.
 */
import type { webApi } from '@slack/bolt';
import { MISPLACED, type PostResult } from '../../../outbox/delivery.ts';
import type { Log } from '../../../outbox/ports.ts';
import { failureOf } from '../../client/failure.ts';

type Location = { channel: string; ts: string };

/**
 * @returns `refused`: the reply goes elsewhere, since it was removed, or may be; `posted`: Slack does not allow its removal,
 *   so it counts as the reply
 */
export async function removeMisplacedReply(
  client: webApi.WebClient,
  log: Log,
  reply: Location,
): Promise<Extract<PostResult, { type: 'posted' | 'refused' }>> {
  try {
    await client.chat.delete(reply);
  } catch (error) {
    const { type, code } = failureOf(error);
    if (code !== 'message_not_found') log.warn({ ...reply, code }, 'misplaced reply not removed');
    if (code !== 'message_not_found' && type === 'refused') return { type: 'posted', ...reply };
  }
  return { type: 'refused', code: MISPLACED };
}
