/**
 * Keeps new token pairs that are not stored yet. Slack issues a pair once and invalidates the old refresh token, so
 * until the pair is stored, this process uses it and keeps trying.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions } from '../../requests/ports/locks.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';

/** `spent`: the refresh token exchanged for this pair. Only an installation with that token is its predecessor. */
export type NewPair = { spent: string; renewed: StoredInstallation };

/** Both are milliseconds. */
export type WriteTimings = {
  /** The time for which the first tries hold the lock, before others may have it. */
  writingMs: number;
  /** The wait between two tries. */
  pauseMs: number;
};

export type NewPairs = {
  /** Returns the successor of a stored installation, if one is not stored yet; otherwise the stored one. */
  newest(stored: StoredInstallation): StoredInstallation;
  /**
   * Only within `withLock`, and for no longer than `writingMs` and one try. Never throws: a failed write is tried again
   * later.
   */
  keep(pair: NewPair): Promise<void>;
  /** Resolves when all pairs are stored. */
  idle(): Promise<void>;
  /** Stops trying. @returns the installations whose pairs are lost */
  giveUp(): string[];
};

type Deps = { store: InstallationStore; log: Log; timings: WriteTimings; lockOptions: LockOptions };

export function createNewPairs({ store, log, timings, lockOptions }: Deps): NewPairs {
  const unwritten = new Map<string, NewPair>();
  const triedLater = new Set<Promise<void>>();
  let over = false;

  /** Only within `withLock`. @throws if the storage is unavailable */
  async function write(pair: NewPair): Promise<void> {
    const { renewed } = pair;
    const stored = await store.get(renewed.id);
    // Otherwise it was removed, installed again, or stored by a try without an answer.
    if (stored && follows(pair, stored)) await store.replaceTokens(stored, renewed.tokens, renewed.expiresAt);
    unwritten.delete(renewed.id);
    if (stored?.generation === renewed.generation)
      log.info(installedFields(renewed.id), 'Slack token renewed');
  }

  async function tryLater(pair: NewPair): Promise<void> {
    while (!over && unwritten.has(pair.renewed.id)) {
      await sleep(timings.pauseMs);
      await store.withLock(pair.renewed.id, lockOptions, () => write(pair)).catch(() => {});
    }
  }

  return {
    newest(stored) {
      const pair = unwritten.get(stored.id);
      return pair && follows(pair, stored) ? pair.renewed : stored;
    },
    async keep(pair) {
      const { id } = pair.renewed;
      unwritten.set(id, pair);
      const until = performance.now() + timings.writingMs;
      for (;;) {
        try {
          return await write(pair);
        } catch (err) {
          if (over || performance.now() >= until) {
            log.error({ ...installedFields(id), err }, 'new Slack token not stored yet');
            break;
          }
          await sleep(timings.pauseMs);
        }
      }
      const later = tryLater(pair).finally(() => triedLater.delete(later));
      triedLater.add(later);
    },
    async idle() {
      while (triedLater.size > 0) await Promise.all(triedLater);
    },
    giveUp() {
      over = true;
      return [...unwritten.keys()];
    },
  };
}

const follows = ({ spent, renewed }: NewPair, stored: StoredInstallation) =>
  stored.generation === renewed.generation && stored.tokens.refresh === spent;
