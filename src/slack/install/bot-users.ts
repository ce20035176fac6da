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

const LIST = 'list';

export function createIsBot(
  store: Pick<InstallationStore, 'ids' | 'facts'>,
  monotonic: () => number,
): Installations['isBot'] {
  const lists = createCache<Promise<BotUsers>>(1, { ttlMs: KEPT_MS, now: monotonic });
  function list(): Promise<BotUsers> {
    const listing = listBots(store);
    lists.set(LIST, listing);
    // The next event tries again.
    listing.catch(() => lists.delete(LIST));
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
  for await (const id of ids()) {
    const found = await facts(id).catch(ifUnopened('unreadable' as const));
    if (found === 'unreadable') hasUnreadable = true;
    else if (found) users.add(found.botUserId);
  }
  return { users, hasUnreadable };
}
