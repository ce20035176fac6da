/**
 * Bot tokens that end after twelve hours are replaced in time, once, by one replica: what a new pair is given for works
 * a single time (https://docs.slack.dev/authentication/using-token-rotation).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../requests/ports.ts';
import type { BotTokens, InstallationStore, StoredInstallation } from '../../workspaces/installations.ts';
import { type SlackApi, webClient } from '../web-client.ts';

/** Early enough that a Slack or a storage that is away for an hour does no harm. */
const EARLY_MS = 2 * 60 * 60_000;
/** A token that lasts so long is worked with while the next one is fetched: somebody may be waiting. */
const WORKS_STILL_MS = 5 * 60_000;
/** Longer than asking Slack and writing down take together. */
const PATIENCE = { heldMs: 60_000, waitMs: 10_000 };
const SLACK_MS = 7_000;
/** Slack gives a pair once: a storage that is away for a moment must not lose it. */
const WRITES = 20;
const WRITE_PAUSE_MS = 1_000;

type Rotating = {
  store: InstallationStore;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  log: Log;
  /** Epoch milliseconds. */
  now: () => number;
};

/** @returns gives back an installation whose token lasts, or the one that there was where Slack gives no other */
export function createRotation(rotating: Rotating) {
  const { log, now } = rotating;
  const underWay = new Map<string, Promise<StoredInstallation>>();
  const leftMs = ({ expiresAt }: StoredInstallation) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();

  /** One at a time in this process, too, and never a rejection: a token that may still work is worth a try. */
  function replace(stored: StoredInstallation): Promise<StoredInstallation> {
    const running = underWay.get(stored.id);
    if (running) return running;
    const replacing = refresh(rotating, stored, (current) => leftMs(current) < EARLY_MS)
      .catch((err) => {
        log.error({ installation: stored.id, err }, 'a Slack token that is about to end was not replaced');
        return stored;
      })
      .finally(() => underWay.delete(stored.id));
    underWay.set(stored.id, replacing);
    return replacing;
  }

  return async (stored: StoredInstallation): Promise<StoredInstallation> => {
    if (stored.tokens.refresh === undefined || leftMs(stored) > EARLY_MS) return stored;
    const replacing = replace(stored);
    return leftMs(stored) > WORKS_STILL_MS ? stored : replacing;
  };
}

function refresh(
  rotating: Rotating,
  stored: StoredInstallation,
  isDue: (current: StoredInstallation) => boolean,
): Promise<StoredInstallation> {
  const { store, log } = rotating;
  return store.alone(stored.id, PATIENCE, async () => {
    // Another replica may have done it while this one waited.
    const current = (await store.get(stored.id)) ?? stored;
    const { refresh: refreshToken } = current.tokens;
    if (!isDue(current) || refreshToken === undefined) return current;
    const { tokens, expiresAt } = await askSlack(rotating, refreshToken);
    await insist(() => store.replaceTokens(current, tokens, expiresAt));
    log.info({ installation: stored.id }, 'a Slack token was replaced in time');
    return { ...current, tokens, expiresAt };
  });
}

async function askSlack({ api, clientId, clientSecret, now }: Rotating, refreshToken: string) {
  const client = webClient(undefined, api, SLACK_MS);
  const { access_token, refresh_token, expires_in } = await client.oauth.v2.access({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  if (!access_token) throw new Error('Slack gave no token in exchange.');
  const tokens: BotTokens = { bot: access_token, ...(refresh_token ? { refresh: refresh_token } : {}) };
  return { tokens, expiresAt: expires_in === undefined ? undefined : now() + expires_in * 1_000 };
}

/** @throws what the last try has thrown */
async function insist(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === WRITES) throw error;
      await sleep(WRITE_PAUSE_MS);
    }
  }
}
