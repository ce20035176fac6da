/** Finds installations whose tokens lack scopes, because they were made for an earlier version of the bot. */
import type { Log } from '../../outbox/ports.ts';
import type { InstallationStore } from '../../workspaces/installation/installations.ts';
import { missingScopes } from '../client/access.ts';
import { SCOPES } from '../client/scopes.ts';

/** As many as an operator reads; the count says how many there are. */
const MOST_NAMED = 20;

/**
 * Compares the scopes granted to each installation with those that the bot needs, and logs one line about all that lack
 * any.
 *
 * @param stopping aborted at shutdown
 * @throws if the storage is unavailable
 */
export async function checkScopesOfAll(
  store: Pick<InstallationStore, 'ids' | 'facts'>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  const lacking: string[] = [];
  const missing = new Set<string>();
  for await (const id of store.ids()) {
    if (stopping.aborted) return;
    const scopes = missingScopes((await store.facts(id))?.scopes ?? SCOPES);
    if (scopes.length > 0) lacking.push(id);
    for (const scope of scopes) missing.add(scope);
  }
  if (lacking.length === 0) return;
  log.error(
    {
      event: 'slack_scopes_missing',
      installations: lacking.length,
      first: lacking.slice(0, MOST_NAMED),
      missing: [...missing],
    },
    'bot tokens lack scopes that Countermand needs: install it in these workspaces again',
  );
}
