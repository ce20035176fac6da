/**
 * Removes the copies of a message that was posted twice (promise 3; docs/reliability.md, “Each message once”). A copy that
 * people have used, or that Slack does not let us delete, becomes a link to the one that stays. A message whose post is in
 * doubt is searched for before it is posted again, so that copies are rare (find-message.ts).
 */
import type { webApi } from '@slack/bolt';
import { type CopiesPlace, type TidyResult, tidyAt } from '../../outbox/delivery.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import { COPY_METADATA } from '../blocks/ids.ts';
import { inRichText, type Message } from '../blocks/text.ts';
import { failureOf, MESSAGE_GONE, platformCode, readSlack, type SlackCalls } from '../client/call-slack.ts';
import { copyMessage } from './content/render.ts';
import { claimedMessageEffect, type Location, type OutgoingMessage } from './deliver.ts';
import { findMessages, type Search, searchFor } from './find-message.ts';

/** Removes all copies of a message but one, in one place. Never throws. */
export async function tidyCopies(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  copies: CopiesPlace,
  guard: ClaimGuard,
): Promise<TidyResult> {
  const { delivery } = outgoing;
  const effect = claimedMessageEffect(outgoing, 'tidy', { guard, copies });
  return readSlack(deps, effect, async (client) => {
    const search = await searchFor(deps, client, outgoing, copies);
    const isElsewhere = isInAnotherPlace(outgoing, copies);
    return findAndTidy(client, search, {
      recorded: delivery.status === 'posted' ? { ...delivery, isElsewhere } : undefined,
      known: tidyAt(delivery.tidies, copies)?.found ?? [],
      inTime: guard.inTime,
      log: deps.log,
    });
  });
}

/** Whether the recorded message is in another place than the copies: another destination, or the thread of another message. */
function isInAnotherPlace({ placeOf, to: current }: OutgoingMessage, { to, thread }: CopiesPlace): boolean {
  const place = placeOf();
  const parent = 'channel' in place ? place.thread : undefined;
  return to !== current || (thread !== undefined && thread !== parent);
}

type Tidying = {
  /** The message that stays, if it still stands. `isElsewhere`: in another place than the copies. */
  recorded: (Location & { isElsewhere: boolean }) | undefined;
  /** The copies that earlier tries have found. */
  known: readonly string[];
  inTime: () => boolean;
  log: Log;
};

/** Searches for the copies and, once all are found, removes them. @throws what the Web API client throws: nothing was removed */
async function findAndTidy(
  client: webApi.WebClient,
  search: Search,
  { recorded, known, inTime, log }: Tidying,
): Promise<TidyResult> {
  const { channel } = search.place;
  const searched = await findMessages(client, including(recorded, search), { inTime });
  if (searched.type === 'refused') return searched;
  const all = [...new Set([...known, ...searched.found])].toSorted((a, b) => Number(a) - Number(b));
  // Only once all were found is it known which one stays.
  if (searched.type === 'searching') return { ...searched, found: all };
  const isMisplaced = searched.isMisplaced === true;
  const { kept, found } = await chooseKept(client, channel, all, {
    recorded,
    isMisplaced,
    seen: searched.found,
  });
  const copies = found
    .filter((ts) => kept?.channel !== channel || kept.ts !== ts)
    .map((ts) => ({ channel, ts }));
  const isNew = kept !== undefined && kept.ts !== recorded?.ts;
  const uncounted = isNew ? (await readUse(client, kept)).voters : [];
  const done = await removeCopies(client, copies, { kept, known, log });
  // The next try reads on from here, so it does not find the message that stays. Without that one in `left`, a copy would count
  // as the only message.
  const isNeeded = done.left.length > 0 && kept?.channel === channel;
  const left = isNeeded ? [...done.left, kept.ts] : done.left;
  return { type: 'tidied', kept, uncounted, ...done, left };
}

type Choosing = Pick<Tidying, 'recorded'> & { isMisplaced: boolean; seen: readonly string[] };

/**
 * Chooses the message that stays: the recorded one if it still stands, otherwise the earliest. One that only an earlier try has
 * found, or that is recorded elsewhere, may have been deleted since: then the next one is chosen. A misplaced reply is kept only
 * if it is the recorded one: another process may be removing it.
 *
 * @param found the earliest first
 * @param choosing `seen`: what this try has found
 */
async function chooseKept(
  client: webApi.WebClient,
  channel: string,
  found: readonly string[],
  { recorded, isMisplaced, seen }: Choosing,
): Promise<{ kept: Location | undefined; found: readonly string[] }> {
  const isCandidate = recorded && (recorded.isElsewhere || found.includes(recorded.ts));
  const others = isMisplaced ? [] : found.map((ts) => ({ channel, ts }));
  const gone = new Set<string>();
  const standing = () => found.filter((ts) => !gone.has(ts));
  for (const kept of isCandidate ? [{ channel: recorded.channel, ts: recorded.ts }, ...others] : others) {
    if (gone.has(kept.ts)) continue;
    const isSeen = kept.channel === channel && seen.includes(kept.ts);
    if (isSeen || (await stands(client, kept))) return { kept, found: standing() };
    gone.add(kept.ts);
  }
  return { kept: undefined, found: standing() };
}

/** Whether a message has not been deleted. @throws what the Web API client throws: that is not known */
const stands = (client: webApi.WebClient, message: Location): Promise<boolean> =>
  readUse(client, message).then(
    () => true,
    (error) => {
      if (platformCode(error) === MESSAGE_GONE) return false;
      throw error;
    },
  );

type Removed = Pick<
  Extract<TidyResult, { type: 'tidied' }>,
  'removed' | 'linked' | 'voters' | 'left' | 'code'
>;

/**
 * Removes copies. A copy that people have used becomes a link only at the next try, when the record has its voters: no search
 * finds a link, so if the process crashed after making one, they would be lost.
 * `known`: the copies that earlier tries have found.
 */
async function removeCopies(
  client: webApi.WebClient,
  copies: readonly Location[],
  { kept, known, log }: { kept: Location | undefined; known: readonly string[]; log: Log },
): Promise<Removed> {
  const result: Removed = { removed: 0, linked: 0, voters: [], left: [] };
  for (const copy of copies) {
    try {
      const done = await removeCopy(client, copy);
      if (done.type === 'gone') result.removed += 1;
      // If no message stays, a link would lead nowhere: the used copy is left as it is.
      else if (kept) {
        result.voters = [...new Set([...result.voters, ...done.voters])];
        if (known.includes(copy.ts)) {
          await replaceByLink(client, copy, kept);
          result.linked += 1;
        } else result.left.push(copy.ts);
      }
    } catch (error) {
      const { type, code } = failureOf(error);
      log.warn({ ...copy, code }, 'a copy of a message was not removed yet');
      result.left.push(copy.ts);
      if (type === 'refused') result.code = code;
    }
  }
  return result;
}

/** Widens a search so that it includes the recorded message, whenever that was posted. */
function including(recorded: Tidying['recorded'], search: Search): Search {
  const at = recorded && !recorded.isElsewhere ? Number(recorded.ts) * 1_000 : undefined;
  if (at === undefined) return search;
  return { ...search, since: Math.min(search.since, at), until: Math.max(search.until, at) };
}

/**
 * Replaces a copy by a link to the message that stays, without the metadata of its step, so that no search finds it.
 *
 * @throws what the Web API client throws: the copy may stand as it is
 */
async function replaceByLink(client: webApi.WebClient, copy: Location, kept: Location): Promise<void> {
  const metadata = { event_type: COPY_METADATA, event_payload: {} };
  const { permalink } = await client.chat.getPermalink({ channel: kept.channel, message_ts: kept.ts });
  const message = copyMessage(permalink);
  const update = (shown: Message) => client.chat.update({ ...copy, ...shown, metadata });
  // A copy that is rich text alone can only become rich text again.
  await update(message).catch((error) => {
    if (platformCode(error) !== 'block_mismatch') throw error;
    return update(inRichText(message));
  });
}

/** `used`: people have reacted or replied to the copy, or Slack does not let us delete it. */
type CopyRemoved = { type: 'gone' } | { type: 'used'; voters: string[] };

/** Deletes a copy unless it was used. @throws what the Web API client throws: the copy may still stand */
async function removeCopy(client: webApi.WebClient, { channel, ts }: Location): Promise<CopyRemoved> {
  try {
    const { voters, isUsed } = await readUse(client, { channel, ts });
    if (isUsed) return { type: 'used', voters };
    await client.chat.delete({ channel, ts });
    return { type: 'gone' };
  } catch (error) {
    if (platformCode(error) === MESSAGE_GONE) return { type: 'gone' };
    if (failureOf(error).type === 'refused') return { type: 'used', voters: [] };
    throw error;
  }
}

async function readUse(client: webApi.WebClient, { channel, ts }: Location) {
  const { message } = await client.reactions.get({ channel, timestamp: ts, full: true });
  const { reactions = [], reply_count = 0 } = (message ?? {}) as Used;
  const voters = [...new Set(reactions.flatMap(({ users = [] }) => users))];
  return { voters, isUsed: reactions.length > 0 || reply_count > 0 };
}

/**
 * The part of reactions.get's answer that shows the use of a message (https://docs.slack.dev/reference/methods/reactions.get).
 */
type Used = { reactions?: { users?: string[] }[]; reply_count?: number };
