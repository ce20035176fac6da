/**
 * Replaces bot tokens that expire after twelve hours, in time, once, on one replica: a refresh token works a single
 * time (https://docs.slack.dev/authentication/using-token-rotation).
 */
import pRetry from 'p-retry';
import type { Log } from '../../outbox/ports.ts';
import type { Replicated } from '../../outbox/replicated.ts';
import type { LockOptions } from '../../requests/ports/locks.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type {
  BotTokens,
  InstallationStore,
  StoredInstallation,
} from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import { failureOf } from '../client/failure.ts';
import { createNewPairs, type NewPairs, type WriteTimings } from './new-pairs.ts';

/** Early enough that an outage of an hour, of Slack or the storage, does no harm. */
const EARLY_MS = 2 * 60 * 60_000;
/** A token valid for at least so long is used while its successor is fetched, because a person may be waiting. */
const WORKS_STILL_MS = 5 * 60_000;
/** After a failure Slack is not asked for so long, and nobody waits, even for an expired token. */
const FAILED_MS = 60_000;
const SLACK_MS = 7_000;
const SLACK_TRIES = 2;
/** The read before and the last try to write: at most eleven answers of a storage with a time-out of 1.5 s. */
const STORAGE_MS = 17_000;

const TIMINGS: WriteTimings = { writingMs: 20_000, pauseMs: 1_000 };

/** Longer than the calls to Slack and the writes take together. */
const lockOptionsFor = ({ writingMs, pauseMs }: WriteTimings): LockOptions => ({
  ttlMs: SLACK_TRIES * SLACK_MS + writingMs + pauseMs + STORAGE_MS,
  timeoutMs: 10_000,
});

type Rotating = {
  store: InstallationStore;
  replicated: Replicated;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  log: Log;
  runtime: Pick<Runtime, 'now' | 'monotonic' | 'sleep'>;
  timings?: WriteTimings;
};

export type Rotation = {
  /** @returns an installation with a lasting token, or the given one if Slack issues no other. Never throws */
  freshen(stored: StoredInstallation): Promise<StoredInstallation>;
  /** Waits until no pair is being fetched or waits to be stored, or until `timeout` resolves: then it gives up. */
  stop(timeout: Promise<unknown>): Promise<void>;
};

export function createRotation(rotating: Rotating): Rotation {
  const { store, replicated, log, runtime, timings = TIMINGS } = rotating;
  const { now } = runtime;
  const lockOptions = lockOptionsFor(timings);
  const pairs = createNewPairs({ store, replicated, runtime, log, timings, lockOptions });
  const underWay = new Map<string, Promise<StoredInstallation>>();
  /** The time of the last failure of each installation. */
  const failures = new Map<string, number>();
  const leftMs = ({ expiresAt }: StoredInstallation) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();
  const isDue = (stored: StoredInstallation) =>
    stored.tokens.refresh !== undefined && leftMs(stored) <= EARLY_MS;
  const hasJustFailed = ({ id }: StoredInstallation) =>
    now() - (failures.get(id) ?? Number.NEGATIVE_INFINITY) < FAILED_MS;

  /**
   * Replaces a token, one at a time in this process, too. Never rejects: a token that may still work is worth a try.
   */
  function replace(stored: StoredInstallation): Promise<StoredInstallation> {
    const { id } = stored;
    const running = underWay.get(id);
    if (running) return running;
    const replacing = store
      .withLock(id, lockOptions, () => refresh(rotating, pairs, stored, isDue))
      .then((current) => {
        failures.delete(id);
        return current;
      })
      .catch((err) => {
        failures.set(id, now());
        log.error({ ...installedFields(id), err }, 'expiring Slack token not renewed');
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
    async stop(timeout) {
      const idle = async () => {
        while (underWay.size > 0) await Promise.all(underWay.values());
        await pairs.idle();
      };
      await Promise.race([idle(), timeout]);
      for (const installation of pairs.giveUp())
        log.error(
          installedFields(installation),
          'new Slack token perhaps lost during shutdown: if nothing works there, install Countermand again',
        );
    },
  };
}

/** Only within `withLock`. */
async function refresh(
  rotating: Rotating,
  pairs: NewPairs,
  asked: StoredInstallation,
  isDue: (current: StoredInstallation) => boolean,
): Promise<StoredInstallation> {
  // It may have been removed meanwhile, or another replica may have replaced the token.
  const stored = await rotating.store.get(asked.id);
  if (!stored) return asked;
  const newest = pairs.newest(stored);
  const spent = stored.tokens.refresh;
  if (newest !== stored || !isDue(stored) || spent === undefined) return newest;
  const renewed = { ...stored, ...(await askSlack(rotating, spent)) };
  await pairs.keep({ spent: [spent], renewed });
  return renewed;
}

/** Repeats a doubtful call once: for a moment Slack returns a lost answer again. */
const askSlack = (rotating: Rotating, refreshToken: string) =>
  pRetry(() => askOnce(rotating, refreshToken), {
    retries: SLACK_TRIES - 1,
    minTimeout: 0,
    shouldRetry: ({ error }) => failureOf(error).type === 'doubtful',
  });

async function askOnce({ api, clientId, clientSecret, runtime }: Rotating, refreshToken: string) {
  const client = webClient(undefined, api, SLACK_MS);
  const { access_token, refresh_token, expires_in } = await client.oauth.v2.access({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  if (!access_token) throw new Error('Slack gave no token in exchange.');
  const tokens: BotTokens = { bot: access_token, ...(refresh_token ? { refresh: refresh_token } : {}) };
  return { tokens, expiresAt: expires_in === undefined ? undefined : runtime.now() + expires_in * 1_000 };
}
