/** Reads what Slack says of a workspace as a whole, with the bot's token: its address, and what the token may do. */
import { createCache } from '../../cache.ts';
import { missingScopes } from '../client/access.ts';
import type { SlackClients } from '../client/clients.ts';
import { MOST_REMEMBERED } from './remembered.ts';

/** `origin`: "https://acme.slack.com"; undefined if Slack did not say. `missingScopes`: the same. */
export type AboutWorkspace = {
  origin: string | undefined;
  missingScopes: readonly string[] | undefined;
};

/** Slack leads from a former address to the new one. */
const KEPT_MS = 60 * 60_000;

/** @param isNow whether Slack is asked again, and nothing older is taken. @throws if Slack can't be asked */
export type ReadAboutWorkspace = (workspace: string, isNow?: boolean) => Promise<AboutWorkspace>;

/** @param now milliseconds that only ever grow */
export function createAboutWorkspace(
  clients: Pick<SlackClients, 'interactive'>,
  now: () => number,
): ReadAboutWorkspace {
  const known = createCache<AboutWorkspace>(MOST_REMEMBERED, { ttlMs: KEPT_MS, now });
  return async (workspace, isNow = false) => {
    const before = isNow ? undefined : known.get(workspace);
    if (before) return before;
    const { url, response_metadata } = await (await clients.interactive(workspace)).auth.test();
    const { scopes } = response_metadata ?? {};
    const about = {
      origin: URL.parse(url ?? '')?.origin,
      missingScopes: scopes && missingScopes(scopes),
    };
    known.set(workspace, about);
    return about;
  };
}
