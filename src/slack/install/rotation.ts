/**
 * Bot tokens that end after twelve hours are replaced in time, once, by one replica: what a new pair is given for works
 * a single time (https://docs.slack.dev/authentication/using-token-rotation).
 */
import type { Patience } from '../../requests/ports/locks.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type {
  BotTokens,
  InstallationStore,
  StoredInstallation,
} from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';
import { failureOf } from '../client/failure.ts';
import { type SlackApi, webClient } from '../client/web-client.ts';
import { createNewPairs, type NewPairs, type WriteTimings } from './new-pairs.ts';

/** Early enough that a Slack or a storage that is away for an hour does no harm. */
const EARLY_MS = 2 * 60 * 60_000;
/** A token that lasts so long is worked with while the next one is fetched: somebody may be waiting. */
const WORKS_STILL_MS = 5 * 60_000;
/** After a failure Slack is left alone for so long, and nobody waits: not even for a token that has ended. */
const FAILED_MS = 60_000;
const SLACK_MS = 7_000;
/** An answer that was lost can be had again, for a moment. */
const SLACK_TRIES = 2;
/** Reading before, and the last try to write: no more than eight answers of a storage that gives up after 1.5 s. */
const STORAGE_MS = 12_000;

const TIMINGS: WriteTimings = { writingMs: 20_000, pauseMs: 1_000 };

/** Longer than asking Slack and writing down take together. */
const patienceOf = ({ writingMs, pauseMs }: WriteTimings): Patience => ({
  heldMs: SLACK_TRIES * SLACK_MS + writingMs + pauseMs + STORAGE_MS,
  waitMs: 10_000,
});

type Rotating = {
  store: InstallationStore;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  log: Log;
  /** Epoch milliseconds. */
  now: () => number;
  timings?: WriteTimings;
};

export type Rotation = {
  /** @returns an installation whose token lasts, or the one that there was where Slack gives no other. Never throws */
  freshen(stored: StoredInstallation): Promise<StoredInstallation>;
  /** Waits until no pair is being fetched or waits to be written, or until `patience` is over: then it gives up. */
  stop(patience: Promise<unknown>): Promise<void>;
};

export function createRotation(rotating: Rotating): Rotation {
  const { store, log, now, timings = TIMINGS } = rotating;
  const patience = patienceOf(timings);
  const pairs = createNewPairs({ store, log, timings, patience });
  const underWay = new Map<string, Promise<StoredInstallation>>();
  /** By installation: when it was. */
  const failures = new Map<string, number>();
  const leftMs = ({ expiresAt }: StoredInstallation) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();
  const isDue = (stored: StoredInstallation) =>
    stored.tokens.refresh !== undefined && leftMs(stored) <= EARLY_MS;
  const hasJustFailed = ({ id }: StoredInstallation) =>
    now() - (failures.get(id) ?? Number.NEGATIVE_INFINITY) < FAILED_MS;

  /** One at a time in this process, too, and never a rejection: a token that may still work is worth a try. */
  function replace(stored: StoredInstallation): Promise<StoredInstallation> {
    const { id } = stored;
    const running = underWay.get(id);
    if (running) return running;
    const replacing = store
      .alone(id, patience, () => refresh(rotating, pairs, stored, isDue))
      .then((current) => {
        failures.delete(id);
        return current;
      })
      .catch((err) => {
        failures.set(id, now());
        log.error({ ...installedFields(id), err }, 'a Slack token that is about to end was not replaced');
        return stored;
      })
      .finally(() => underWay.delete(id));
    underWay.set(id, replacing);
    return replacing;
  }

  return {
    async freshen(stored) {
      const newest = pairs.newest(stored);
      if (newest !== stored || !isDue(stored) || hasJustFailed(stored)) return newest;
      const replacing = replace(stored);
      return leftMs(stored) > WORKS_STILL_MS ? stored : replacing;
    },
    async stop(givenUp) {
      const idle = async () => {
        while (underWay.size > 0) await Promise.all(underWay.values());
        await pairs.idle();
      };
      await Promise.race([idle(), givenUp]);
      for (const installation of pairs.giveUp())
        log.error(
          installedFields(installation),
          'a new Slack token was lost at the stop: install Countermand there again',
        );
    },
  };
}

/** Only within `alone`. */
async function refresh(
  rotating: Rotating,
  pairs: NewPairs,
  asked: StoredInstallation,
  isDue: (current: StoredInstallation) => boolean,
): Promise<StoredInstallation> {
  // Meanwhile it may have been removed, or another replica may have done it.
  const stored = await rotating.store.get(asked.id);
  if (!stored) return asked;
  const newest = pairs.newest(stored);
  const spent = stored.tokens.refresh;
  if (newest !== stored || !isDue(stored) || spent === undefined) return newest;
  const renewed = { ...stored, ...(await askSlack(rotating, spent)) };
  await pairs.keep({ spent, renewed });
  return renewed;
}

async function askSlack(rotating: Rotating, refreshToken: string) {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(rotating, refreshToken);
    } catch (error) {
      if (tries === SLACK_TRIES || failureOf(error).type !== 'doubtful') throw error;
    }
  }
}

async function askOnce({ api, clientId, clientSecret, now }: Rotating, refreshToken: string) {
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
