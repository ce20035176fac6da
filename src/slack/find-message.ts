/** Looks for a message of ours that may have been posted, by its metadata. */
import type { webApi } from '@slack/bolt';

/** How far Slack's clock and ours may lie apart, and how long after it was tried a post may still have come through. */
const BEFORE_MS = 60_000;
const AFTER_MS = 5 * 60_000;
const PAGE = 200;
/** All pages together fit into half of a claim; 600 messages in six minutes are more than people write. */
const MOST_PAGES = 3;

type Place = { channel: string; thread_ts?: string };
/** What a message of ours is marked with, and known again by. */
export type Marker = { event_type: string; event_payload: Record<string, string | number> };

type Marked = { ts?: string; bot_id?: string; metadata?: { event_type?: string; event_payload?: object } };

/**
 * @param wanted `since`: when the post was tried, epoch milliseconds
 * @returns the message's ts; undefined where it is not among the messages of that time
 * @throws what the Web API client throws
 */
export async function findMessage(
  client: webApi.WebClient,
  place: Place,
  wanted: { botId: string; metadata: Marker; since: number },
): Promise<string | undefined> {
  const range = { oldest: seconds(wanted.since - BEFORE_MS), latest: seconds(wanted.since + AFTER_MS) };
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await read(client, place, { ...range, ...(cursor ? { cursor } : {}) });
    // Anyone can write the same metadata; only what this bot has posted counts.
    const found = answer.messages.find(
      (message) => message.bot_id === wanted.botId && isMarked(message, wanted.metadata),
    );
    cursor = answer.next;
    if (found || !cursor) return found?.ts;
  }
  return undefined;
}

/** Slack's timestamps: seconds, with a fraction. */
const seconds = (at: number): string => (at / 1_000).toFixed(6);

async function read(
  client: webApi.WebClient,
  place: Place,
  range: { oldest: string; latest: string; cursor?: string },
) {
  const { channel, thread_ts } = place;
  const options = { channel, limit: PAGE, include_all_metadata: true, ...range };
  const answer = thread_ts
    ? await client.conversations.replies({ ...options, ts: thread_ts })
    : await client.conversations.history(options);
  const messages: Marked[] = answer.messages ?? [];
  return { messages, next: answer.response_metadata?.next_cursor || undefined };
}

function isMarked({ metadata }: Marked, { event_type, event_payload }: Marker): boolean {
  const payload = new Map(Object.entries(metadata?.event_payload ?? {}));
  const same = Object.entries(event_payload).every(([key, value]) => payload.get(key) === value);
  return metadata?.event_type === event_type && same;
}
