/**
 * Replaces the bot tokens that expire after twelve hours, in time and on one replica only: a refresh token works a single time
 * (https://docs.slack.dev/authentication/using-token-rotation). So it is exchanged under a claim in the installation's record. If
 * the new pair is lost, with the answer or with the process, the next claim tries the old refresh token again: for a while Slack
 * accepts it. If Slack refuses it, that is recorded, and the admins are told that Countermand has to be installed again. They are
 * told with the last token, which works for up to two hours more.
 */
import { isRecent } from '../../requests/model/recent.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import { type BotTokens, installedFields } from '../../workspaces/installation/installation-record.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import type { TellOfRenewal } from '../../workspaces/tell-admins.ts';
import { failureOf } from '../client/call-slack.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import { createNewPairs, type NewPairs, type NewPairsDeps } from './new-pairs.ts';

/** The remaining validity at which a token is replaced: an outage of an hour, of Slack or the storage, then does no harm. */
const EARLY_MS = 2 * 60 * 60_000;
/** A token that is valid for longer than this is used while its successor is fetched, because a person may be waiting. */
const STILL_VALID_MS = 5 * 60_000;
/** The time after a failure for which Slack is not asked, and nobody waits, even if the token has expired. */
const FAILED_MS = 60_000;
/** The time after Slack's refusal of a refresh token for which that token is not tried again. */
const REFUSED_MS = 60 * 60_000;
const SLACK_TIMEOUT_MS = 7_000;
/** The exchange begins within half of a claim, and takes less than the other half. */
const CLAIM_MS = 40_000;
/** The longest wait for another replica that renews the token: a person waits, and Slack waits 3 s for an answer. */
const OTHERS_MS = 2_000;

type Rotating = NewPairsDeps & {
  store: InstallationStore;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  tellOfRenewal: TellOfRenewal;
  runtime: Pick<Runtime, 'now' | 'monotonic'>;
};

export type Rotation = ReturnType<typeof createRotation>;

export function createRotation(rotating: Rotating) {
  const { log, runtime } = rotating;
  const { now, monotonic } = runtime;
  const pairs = createNewPairs(rotating);
  const underWay = new Map<string, Promise<StoredInstallation>>();
  /** The time of the last failure of each installation, monotonic. */
  const failures = new Map<string, number>();
  const hasFailed = (id: string) => monotonic() - (failures.get(id) ?? Number.NEGATIVE_INFINITY) < FAILED_MS;
  const leftMs = ({ expiresAt }: StoredInstallation) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();
  const wasRefused = ({ refusedAt }: StoredInstallation) =>
    refusedAt !== undefined && isRecent(refusedAt, now(), REFUSED_MS);
  const isDue = (stored: StoredInstallation) =>
    stored.tokens.refresh !== undefined && leftMs(stored) <= EARLY_MS && !wasRefused(stored);

  /** Replaces a token, one at a time in this process. Never rejects: a token that may still work is worth a try. */
  function replace(stored: StoredInstallation): Promise<StoredInstallation> {
    const { id } = stored;
    const running = underWay.get(id);
    if (running) return running;
    const noteFailure = () => void failures.set(id, monotonic());
    const replacing = renew(rotating, pairs, stored, isDue)
      .then((current) => {
        if (isDue(current)) noteFailure();
        else failures.delete(id);
        return current;
      })
      .catch((err) => {
        noteFailure();
        log.error({ ...installedFields(id), err }, 'expiring Slack token not renewed');
        return stored;
      })
      .finally(() => underWay.delete(id));
    underWay.set(id, replacing);
    return replacing;
  }

  return {
    /** @returns an installation whose token is valid for a while, or the given one if Slack issues no other. Never throws */
    async freshen(stored: StoredInstallation): Promise<StoredInstallation> {
      const newest = pairs.newest(stored);
      if (newest !== stored || !isDue(stored) || hasFailed(stored.id)) return newest;
      const replacing = replace(stored);
      return leftMs(stored) > STILL_VALID_MS ? stored : replacing;
    },
    /** Waits until no pair is being fetched or waits to be stored, or until `timeout` resolves: then it gives up. */
    async stop(timeout: Promise<unknown>): Promise<void> {
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

/**
 * Exchanges the refresh token, unless another replica has.
 *
 * @returns the installation after that; the given one if another replica renews it for longer than this one waits
 * @throws if Slack does not answer, or the storage is unavailable
 */
async function renew(
  rotating: Rotating,
  pairs: NewPairs,
  asked: StoredInstallation,
  isDue: (current: StoredInstallation) => boolean,
): Promise<StoredInstallation> {
  const { store, replicated, log, runtime } = rotating;
  const { id } = asked;
  const until = runtime.monotonic() + CLAIM_MS / 2;
  // Otherwise a failover could undo the claim, and another process exchange the same token.
  const claim = await replicated(() => store.claim(id, 'renewing', { ms: CLAIM_MS, waitMs: OTHERS_MS }));
  // The installation may have been removed meanwhile, or another replica may have replaced the token.
  const current = await store.get(id);
  if (!claim || !current || !isDue(current) || pairs.isUnwritten(id)) {
    await claim?.release();
    return current ? pairs.newest(current) : asked;
  }
  try {
    const renewed = await exchange(rotating, current, () => runtime.monotonic() < until);
    // The claim ends with the write. If that fails, it stands until it expires: only then is the old token tried again.
    await pairs.keep({ exchanged: current, renewed });
    return renewed;
  } catch (error) {
    const { code, type } = failureOf(error);
    // Slack may still be exchanging the token.
    if (type !== 'doubtful') await claim.release();
    if (code !== 'invalid_refresh_token') throw error;
    // If the notices can't be stored, the next try stores them: they are the same.
    await replicated(() => rotating.tellOfRenewal(current));
    await store.recordRefusal(current);
    log.error(
      { event: 'slack_token_not_renewed', ...installedFields(id), err: error },
      'Slack does not renew the token: install Countermand there again before the token expires',
    );
    return (await store.get(id)) ?? asked;
  }
}

/**
 * Exchanges the refresh token for a new pair. A doubtful call is repeated once: for a moment Slack returns a lost answer again.
 *
 * @param inTime whether the call may be sent
 */
async function exchange(
  rotating: Rotating,
  installation: StoredInstallation,
  inTime: () => boolean,
): Promise<StoredInstallation> {
  const { api, clientId, clientSecret, runtime } = rotating;
  const client = webClient(undefined, api, SLACK_TIMEOUT_MS, {
    admission: () => ({ admit: async () => {}, inTime }),
  });
  const call = () =>
    client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: installation.tokens.refresh ?? '',
    });
  const { access_token, refresh_token, expires_in } = await call().catch((first) => {
    if (failureOf(first).type !== 'doubtful') throw first;
    return call().catch((second) => {
      // The first call is in doubt even if the second one was not sent.
      throw failureOf(second).type === 'later' ? first : second;
    });
  });
  if (!access_token) throw new Error('Slack gave no token in exchange.');
  const tokens: BotTokens = { bot: access_token, ...(refresh_token ? { refresh: refresh_token } : {}) };
  const { expiresAt: _ended, refusedAt: _former, ...rest } = installation;
  return {
    ...rest,
    tokens,
    ...(expires_in === undefined ? {} : { expiresAt: runtime.now() + expires_in * 1_000 }),
  };
}
