/**
 * Searches Slack for messages of the bot that may have been posted, by their metadata. Slack may return any number of
 * messages per page, and may rate-limit each page, so an interrupted search continues where it stopped: in a busy
 * channel a search that began anew each time would never end. It stores no cursor, because cursors expire soon.
 */
import type { webApi } from '@slack/bolt';
import { type CopiesPlace, type FindResult, tidyAt } from '../../outbox/delivery.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import { ensureMember, failureOf, platformCode, readSlack, type SlackCalls } from '../client/call-slack.ts';
import type { SlackClients } from '../client/clients.ts';
import {
  claimedMessageEffect,
  type Marker,
  type MessageThread,
  type OutgoingMessage,
  removeMisplacedReply,
  threadAt,
} from './deliver.ts';

/**
 * How inexact the times of a search may be: Slack's clock is known to a few seconds, and the clock of the storage may have been
 * corrected since the post.
 */
const BEFORE_MS = 5 * 60_000;
/** The inexactness after the post, with the time in which a written post arrives. */
const AFTER_MS = 5 * 60_000;
const PAGE = 200;

/**
 * `since` and `until`: when the post may have been written, epoch milliseconds by Slack's clock, whether the store's clock was
 * then as far from it as now, or right. `bound`: the progress of an earlier search.
 */
export type Search = {
  place: MessageThread;
  botUserId: string;
  metadata: Marker;
  since: number;
  until: number;
  bound?: string | undefined;
};

/**
 * `found`: the timestamps of the bot's messages. `isMisplaced`: these messages are in the channel, because the parent of their
 * thread was deleted. `refused`: some messages can't be read.
 */
export type Searched = { found: string[]; isMisplaced?: true } & (
  | { type: 'complete' }
  | { type: 'refused'; code: string }
  | { type: 'searching'; bound: string | undefined; retryAfterMs: number }
);

type SlackMessage = {
  ts?: string;
  subtype?: string;
  user?: string;
  metadata?: { event_type?: string; event_payload?: object };
};

/**
 * The subtype of a message that admins have redacted, by Enterprise Key Management. It has no author and no metadata
 * (https://docs.slack.dev/reference/events/message/ekm_access_denied).
 */
const REDACTED = 'ekm_access_denied';

/**
 * `isOneEnough`: whether the search ends with the first message that it finds. `inTime`: whether the claim still stands, which is
 * asked before each further page.
 */
type Options = { isOneEnough?: boolean; inTime: () => boolean };

/** Searches for a message whose post is in doubt. Never throws. */
export async function findMessage(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  guard: ClaimGuard,
): Promise<FindResult> {
  const effect = claimedMessageEffect(outgoing, 'find', { guard });
  return readSlack(deps, effect, async (client) =>
    findPosted(client, await searchFor(deps, client, outgoing), { ...guard, log: deps.log }),
  );
}

/** Says where and when to search for a message in doubt or, with the place of copies, for the copies to be tidied. */
export async function searchFor(
  { clients }: SlackCalls,
  client: webApi.WebClient,
  outgoing: OutgoingMessage,
  copies?: CopiesPlace,
): Promise<Search> {
  const { delivery, marker, claimedAt } = outgoing;
  const tidy = copies && tidyAt(delivery.tidies, copies);
  const doubt = delivery.status === 'doubtful' ? delivery : tidy;
  if (!doubt) throw new Error('No post of this message is in doubt.');
  const { since, until, bound, thread } = doubt;
  const place = await threadAt(client, outgoing.placeOf(copies), thread);
  const { botUserId } = await clients.installation(outgoing.workspace);
  const ahead = await slackAhead(clients, client, claimedAt);
  // The store's clock may have gone wrong since the post. One that was wrong then, and was set since, is not known.
  const period = { since: since + Math.min(ahead, 0), until: until + Math.max(ahead, 0) };
  return { place, botUserId, metadata: marker, ...period, bound };
}

/**
 * Returns the milliseconds by which Slack's clock is ahead of the store's; 0 if Slack does not tell.
 *
 * @throws if Slack can't be asked
 */
async function slackAhead(
  clients: Pick<SlackClients, 'slackNow'>,
  client: webApi.WebClient,
  claimedAt: number | undefined,
): Promise<number> {
  if (clients.slackNow() === undefined) await client.auth.test();
  const slackNow = clients.slackNow();
  return slackNow === undefined || claimedAt === undefined ? 0 : slackNow - claimedAt;
}

/**
 * Searches for a message that may have been posted. A reply that is found in the channel, and not in its thread, is removed:
 * the process that posted it may be removing it, too.
 */
async function findPosted(
  client: webApi.WebClient,
  search: Search,
  { inTime, log }: { inTime: () => boolean; log: Log },
): Promise<FindResult> {
  const { channel } = search.place;
  // Joining may be what is in doubt, and only a member can search a channel.
  const searched = await ensureMember(client, channel, () =>
    findMessages(client, search, { isOneEnough: true, inTime }),
  );
  const [ts] = searched.found;
  if (ts && searched.isMisplaced) return removeMisplacedReply(client, log, { channel, ts });
  if (ts) return { type: 'posted', channel, ts };
  return searched.type === 'complete' ? { type: 'absent' } : searched;
}

/**
 * Searches a channel or a thread. If the thread's parent is gone, it searches the channel, where Slack posts such replies.
 *
 * @throws whatever the Web API client throws for the first page
 */
export async function findMessages(
  client: webApi.WebClient,
  search: Search,
  options: Options,
): Promise<Searched> {
  try {
    return await searchPlace(client, search, options);
  } catch (error) {
    const { channel, thread_ts } = search.place;
    if (thread_ts === undefined || platformCode(error) !== 'thread_not_found') throw error;
    return { ...(await searchPlace(client, { ...search, place: { channel } }, options)), isMisplaced: true };
  }
}

async function searchPlace(
  client: webApi.WebClient,
  search: Search,
  { isOneEnough = false, inTime }: Options,
): Promise<Searched> {
  const found: string[] = [];
  let { bound } = search;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    // Once the claim has expired, the next effect continues the search.
    if (page > 1 && !inTime()) return { type: 'searching', found, bound, retryAfterMs: 0 };
    const answer = await readPage(client, search, { cursor, isFirst: page === 1 });
    if ('retryAfterMs' in answer) return { type: 'searching', found, bound, ...answer };
    const ours = answer.messages.filter((message) => isOurs(message, search));
    found.push(...ours.flatMap(({ ts }) => ts ?? []));
    if (isOneEnough && found.length > 0) return { type: 'complete', found };
    // One of the redacted messages may be ours: the next search reads them again.
    if (answer.messages.some(({ subtype }) => subtype === REDACTED))
      return { type: 'refused', code: REDACTED, found };
    bound = boundAfter(search.place, answer.messages, bound);
    cursor = answer.next;
    if (!cursor) return { type: 'complete', found };
  }
}

type Page = { messages: SlackMessage[]; next: string | undefined };

/** @returns the wait, if Slack asks for one or a further page could not be read @throws whatever the first page throws */
async function readPage(
  client: webApi.WebClient,
  search: Search,
  { cursor, isFirst }: { cursor: string | undefined; isFirst: boolean },
): Promise<Page | { retryAfterMs: number }> {
  try {
    return await read(client, search, cursor);
  } catch (error) {
    const failure = failureOf(error);
    if (isFirst || failure.type === 'refused') throw error;
    return { retryAfterMs: 'retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 1_000 };
  }
}

/**
 * Reads a page. Slack lists a channel from the newest message to the oldest, and a thread from the oldest, with its parent on
 * each page.
 */
async function read(client: webApi.WebClient, search: Search, cursor: string | undefined): Promise<Page> {
  const { place, since, until, bound } = search;
  const { channel, thread_ts } = place;
  const oldest = timestamp(since - BEFORE_MS);
  const latest = timestamp(until + AFTER_MS);
  const options = { channel, limit: PAGE, include_all_metadata: true, ...(cursor ? { cursor } : {}) };
  const answer = thread_ts
    ? await client.conversations.replies({ ...options, oldest: bound ?? oldest, latest, ts: thread_ts })
    : await client.conversations.history({ ...options, oldest, latest: bound ?? latest });
  const messages: SlackMessage[] = answer.messages ?? [];
  return {
    messages: messages.filter(({ ts }) => ts !== thread_ts),
    next: answer.response_metadata?.next_cursor || undefined,
  };
}

/** @param at epoch milliseconds */
const timestamp = (at: number): string => (at / 1_000).toFixed(6);

/** The progress of a search after one more page: the last message that was read, in the order in which Slack returns them. */
function boundAfter(
  { thread_ts }: MessageThread,
  messages: SlackMessage[],
  bound: string | undefined,
): string | undefined {
  const known = messages.flatMap(({ ts }) => ts ?? []).concat(bound ?? []);
  const inOrder = known.toSorted((a, b) => Number(a) - Number(b));
  return thread_ts ? inOrder.at(-1) : inOrder[0];
}

/**
 * Whether a message is the bot's own: anyone can write the same metadata, so only posts of this bot count. Its user id is the
 * same in all workspaces of an installation, and its bot_id "is unique for every workspace the bot is in"
 * (https://docs.slack.dev/reference/methods/bots.info; slackapi/java-slack-sdk#846). Only messages of classic apps have no user
 * (https://docs.slack.dev/reference/events/message/bot_message).
 */
function isOurs({ user, metadata }: SlackMessage, { botUserId, metadata: wanted }: Search): boolean {
  const payload = new Map(Object.entries(metadata?.event_payload ?? {}));
  const isSame = Object.entries(wanted.event_payload).every(([key, value]) => payload.get(key) === value);
  return user === botUserId && metadata?.event_type === wanted.event_type && isSame;
}
