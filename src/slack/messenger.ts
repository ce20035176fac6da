/** The core's messenger, over Slack: posts, updates, finds and removes the bot's own messages. */
import type { webApi } from '@slack/bolt';
import type { Found, Posting, Updating } from '../requests/delivery.ts';
import type { Log, Messenger } from '../requests/ports.ts';
import type { RequestRecord, Step } from '../requests/record.ts';
import { attempt, toLater } from './attempt.ts';
import type { SlackClients } from './clients.ts';
import { failureOf, type SlackFailure } from './failure.ts';
import { findMessage } from './find-message.ts';
import { STEP_METADATA } from './ids.ts';
import { card, type Message } from './ui/card.ts';
import { reply } from './ui/reply.ts';

/** Where a message belongs: a channel, or a thread in it. */
type Place = { channel: string; thread_ts?: string };

/** The number of the card among the steps of a request, in the metadata of its message. */
const CARD = 0;

/** The answers to chat.update that mean that nobody can see the card, or reply to it, any more. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

export function createMessenger(clients: SlackClients, log: Log): Messenger {
  const deps = { clients, log };
  return {
    postCard: (record) =>
      attempt(deps, record, (client) =>
        postJoining(client, log, { channel: record.channel, ...card(record), ...metadata(record, CARD) }),
      ),
    async updateCard(record) {
      const { place } = record.card;
      if (!place) return { type: 'gone', code: 'message_not_found' };
      const updated = await attempt(deps, record, async (client) => {
        await client.chat.update({ ...place, ...card(record) });
        return { type: 'posted' as const };
      });
      return updated.type === 'posted' ? updated : toUpdating(updated);
    },
    postReply: (record, step) =>
      attempt(deps, record, async (client) => {
        const place = await placeOf(client, record, step);
        return post(client, log, { ...place, ...reply(record, step), ...metadata(record, step.n) });
      }),
    async find(record, step) {
      const found = await attempt(deps, record, (client) => find(client, clients, record, step));
      return found.type === 'posted' || found.type === 'absent' ? found : toLater(found);
    },
    async remove(record, message) {
      const failure = await attempt(deps, record, (client) =>
        client.chat.delete(message).then(() => undefined),
      );
      if (failure) log.error({ request: record.id, message }, 'a post that is not wanted was not removed');
    },
  };
}

function toUpdating(failure: SlackFailure): Updating {
  if (failure.type === 'refused')
    return { type: GONE.has(failure.code) ? 'gone' : 'kept', code: failure.code };
  return { ...failure, type: 'later' };
}

type FoundOrNot = Extract<Found, { type: 'posted' | 'absent' }>;

async function find(
  client: webApi.WebClient,
  clients: SlackClients,
  record: RequestRecord,
  step: Step | undefined,
): Promise<FoundOrNot> {
  const delivery = step ? step.reply?.delivery : record.card.delivery;
  const place = step ? await placeOf(client, record, step) : { channel: record.channel };
  const since = delivery?.status === 'doubtful' ? delivery.since : record.askedAt;
  const { botId } = await clients.installation(record.workspace);
  const ts = await findMessage(client, place, { botId, ...metadata(record, step?.n ?? CARD), since });
  return ts === undefined ? { type: 'absent' } : { type: 'posted', channel: place.channel, ts };
}

type Posted = Message & Place & ReturnType<typeof metadata>;

/** Posts where the bot is, or may join by itself: into public channels. */
async function postJoining(client: webApi.WebClient, log: Log, message: Posted): Promise<Posting> {
  try {
    return await post(client, log, message);
  } catch (error) {
    if (failureOf(error).code !== 'not_in_channel') throw error;
    await client.conversations.join({ channel: message.channel });
    return post(client, log, message);
  }
}

async function post(client: webApi.WebClient, log: Log, message: Posted): Promise<Posting> {
  const posted = await client.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  const { channel, ts } = posted;
  if (!channel || !ts) return { type: 'doubtful', code: 'no_ts' };
  if (message.thread_ts === undefined || posted.message?.thread_ts === message.thread_ts) {
    return { type: 'posted', channel, ts };
  }
  // Slack does not refuse a reply to a message that is gone: it posts it into the channel, where it means nothing.
  await client.chat.delete({ channel, ts }).catch((error) => {
    log.error({ channel, ts, code: failureOf(error).code }, 'a stray reply was not removed');
  });
  return { type: 'refused', code: 'thread_not_found' };
}

async function placeOf(client: webApi.WebClient, record: RequestRecord, step: Step): Promise<Place> {
  const { place } = record.card;
  if (step.reply?.to === 'thread' && place) return { channel: place.channel, thread_ts: place.ts };
  const { channel } = await client.conversations.open({ users: record.asker });
  return { channel: channel?.id ?? '' };
}

function metadata(record: RequestRecord, step: number) {
  return { metadata: { event_type: STEP_METADATA, event_payload: { request: record.id, step } } };
}
