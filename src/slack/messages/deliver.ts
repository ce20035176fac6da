/** Posts and updates messages of the bot, whatever they are about. */
import type { webApi } from '@slack/bolt';
import type { PostResult, UpdateResult } from '../../outbox/delivery.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import { callSlack, ensureMember, type SlackCalls, toLater, toUpdateResult } from './call-slack.ts';
import { removeMisplacedReply } from './find-message.ts';
import {
  claimedMessageEffect,
  type MessageThread,
  type OutgoingMessage,
  type Rendered,
  threadAt,
} from './outgoing.ts';

/** Never throws. */
export async function postMessage(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  guard: ClaimGuard,
): Promise<PostResult> {
  const effect = claimedMessageEffect(outgoing, 'post', { guard });
  const prepared = await callSlack(deps, effect, (client) => outgoing.render(client, 'post'));
  if (prepared.type === 'hidden') return outgoing.named({ type: 'refused' as const, code: prepared.code });
  if (prepared.type !== 'written') return toLater(prepared);
  const { message, seen } = prepared;
  const posted = await callSlack(deps, effect, async (client) => {
    const place = await threadAt(client, outgoing.placeOf());
    const whole = { ...place, ...message, metadata: outgoing.marker };
    const done = await ensureMember(client, place.channel, () => post(client, deps.log, whole));
    return done.type === 'posted' ? { ...done, ...seen } : done;
  });
  return posted.type === 'refused' ? outgoing.named(posted) : posted;
}

/** Never throws. */
export async function updateMessage(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  guard: ClaimGuard,
): Promise<UpdateResult> {
  const { location } = outgoing;
  if (!location) return { type: 'gone', code: 'message_not_found' };
  const effect = claimedMessageEffect(outgoing, 'update', { guard });
  const prepared = await callSlack(deps, effect, (client) => outgoing.render(client, 'update'));
  if (prepared.type === 'hidden') return { type: 'out_of_reach', code: prepared.code };
  if (prepared.type !== 'written') return { ...prepared, type: 'later' };
  const updated = await callSlack(deps, effect, async (client) => {
    await client.chat.update({ ...location, ...prepared.message });
    return { type: 'posted' as const, ...prepared.seen };
  });
  return updated.type === 'posted' ? updated : outgoing.named(toUpdateResult(updated));
}

type Posted = Rendered['message'] & MessageThread & { metadata: OutgoingMessage['marker'] };

async function post(client: webApi.WebClient, log: Log, message: Posted): Promise<PostResult> {
  const posted = await client.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  const { channel, ts } = posted;
  if (!channel || !ts) return { type: 'doubtful', code: 'no_ts' };
  if (message.thread_ts === undefined || posted.message?.thread_ts === message.thread_ts) {
    return { type: 'posted', channel, ts };
  }
  return removeMisplacedReply(client, log, { channel, ts });
}
