/**
 * Keeps new token pairs that are not stored yet, on every server that could take over. Slack issues a pair once and
 * invalidates the old refresh token, so until then this process uses the pair and keeps trying.
 */

import type { Log } from '../../outbox/ports.ts';
import type { Replicated } from '../../outbox/replicated.ts';
import type { LockOptions } from '../../requests/ports/locks.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';

/**
 * `spent`: the refresh token exchanged for this pair, and those before it whose pairs were not stored for good either. Only
 * an installation with one of them is its predecessor.
 */
export type NewPair = { spent: readonly string[]; renewed: StoredInstallation };

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
  /** Stops trying. @returns the installations whose pairs are lost, or would be by a failover */
  giveUp(): string[];
};

type Deps = {
  store: InstallationStore;
  replicated: Replicated;
  runtime: Pick<Runtime, 'monotonic' | 'sleep'>;
  log: Log;
  timings: WriteTimings;
  lockOptions: LockOptions;
};

export function createNewPairs(deps: Deps): NewPairs {
  const { store, replicated, runtime, log, timings, lockOptions } = deps;
  const unwritten = new Map<string, NewPair>();
  const triedLater = new Set<Promise<void>>();
  let over = false;

  /** Only within `withLock`. @throws if the storage is unavailable, or a failover could still undo the write */
  async function write(pair: NewPair): Promise<void> {
    const { renewed } = pair;
    const stored = await replicated(async () => {
      const found = await store.get(renewed.id);
      // Otherwise it was removed, installed again, or stored by an earlier try.
      if (found && follows(pair, found)) await store.replaceTokens(found, renewed.tokens, renewed.expiresAt);
      return found;
    });
    if (unwritten.get(renewed.id) === pair) unwritten.delete(renewed.id);
    if (stored?.generation === renewed.generation)
      log.info(installedFields(renewed.id), 'Slack token renewed');
  }

  async function tryLater(pair: NewPair): Promise<void> {
    while (!over && unwritten.get(pair.renewed.id) === pair) {
      await runtime.sleep(timings.pauseMs);
      await store.withLock(pair.renewed.id, lockOptions, () => write(pair)).catch(() => {});
    }
  }

  return {
    newest(stored) {
      const pair = unwritten.get(stored.id);
      return pair && follows(pair, stored) ? pair.renewed : stored;
    },
    async keep({ spent, renewed }) {
      const { id, generation } = renewed;
      const former = unwritten.get(id);
      const before = former?.renewed.generation === generation ? former.spent : [];
      const pair = { spent: [...before, ...spent], renewed };
      unwritten.set(id, pair);
      const until = runtime.monotonic() + timings.writingMs;
      for (;;) {
        try {
          return await write(pair);
        } catch (err) {
          if (over || runtime.monotonic() >= until) {
            log.error({ ...installedFields(id), err }, 'new Slack token not stored yet');
            break;
          }
          await runtime.sleep(timings.pauseMs);
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
  stored.generation === renewed.generation && spent.includes(stored.tokens.refresh ?? '');
