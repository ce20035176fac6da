/**
 * Removes a reply that stands in the channel. Slack does not refuse a reply to a message that is gone: it posts it into the
 * channel, where it means nothing.
 */
import type { webApi } from '@slack/bolt';
import type { PostResult } from '../../../requests/model/messages/delivery.ts';
import type { Log } from '../../../requests/ports/ports.ts';
import { failureOf } from '../../client/failure.ts';

type Location = { channel: string; ts: string };

/**
 * @returns `refused`, so that the reply goes elsewhere; `doubtful` if it may stand, or be removed minutes later: the search
 *   for it removes it again. A reply that Slack does not let us delete stays the reply: the channel can read it.
 */
export async function removeMisplacedReply(
  client: webApi.WebClient,
  log: Log,
  reply: Location,
): Promise<Exclude<PostResult, { type: 'later' }>> {
  try {
    await client.chat.delete(reply);
    return { type: 'refused', code: 'thread_not_found' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'message_not_found') return { type: 'refused', code: 'thread_not_found' };
    log.warn({ ...reply, code: failure.code }, 'misplaced reply not removed');
    return failure.type === 'refused'
      ? { type: 'posted', ...reply }
      : { type: 'doubtful', code: failure.code };
  }
}
