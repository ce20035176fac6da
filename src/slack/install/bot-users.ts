/** Tells the bot's own users from the other authors of messages. */
import { createCache } from '../../cache.ts';
import { ifUnopened } from '../../workspaces/cipher.ts';
import type { InstallationStore } from '../../workspaces/installation/installations.ts';
import type { Installations } from '../client/installation.ts';

/**
 * The time for which the list of bot users is kept: each reaction that is no vote asks, and nobody installs the bot, makes a
 * request and gets a vote in less.
 */
const KEPT_MS = 5_000;

/** With very many installations, the list is kept for this many times the time that it took. */
const SHARE = 20;

/** The installations that are read at once. */
const AT_ONCE = 100;

const LIST = 'list';

export function createIsBot(
  store: Pick<InstallationStore, 'ids' | 'facts'>,
  monotonic: () => number,
): Installations['isBot'] {
  const lists = createCache<Promise<BotUsers>>(1, { ttlMs: KEPT_MS, now: monotonic });
  function list(): Promise<BotUsers> {
    const began = monotonic();
    const listing = listBots(store);
    lists.set(LIST, listing, { ttl: 0 });
    const keep = () => lists.set(LIST, listing, { ttl: Math.max(KEPT_MS, SHARE * (monotonic() - began)) });
    // After a failure, the next event tries again.
    listing.then(keep, () => lists.delete(LIST));
    return listing;
  }
  return async (user) => {
    const { users, hasUnreadable } = await (lists.get(LIST) ?? list());
    return hasUnreadable || users.has(user);
  };
}

type BotUsers = { users: ReadonlySet<string>; hasUnreadable: boolean };

async function listBots({ ids, facts }: Pick<InstallationStore, 'ids' | 'facts'>): Promise<BotUsers> {
  const users = new Set<string>();
  let hasUnreadable = false;
  async function read(id: string) {
    const found = await facts(id).catch(ifUnopened('unreadable' as const));
    if (found === 'unreadable') hasUnreadable = true;
    else if (found) users.add(found.botUserId);
  }
  let reading: Promise<void>[] = [];
  for await (const id of ids()) {
    reading.push(read(id));
    if (reading.length < AT_ONCE) continue;
    await Promise.all(reading);
    reading = [];
  }
  await Promise.all(reading);
  return { users, hasUnreadable };
}
