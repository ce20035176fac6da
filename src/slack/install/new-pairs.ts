/**
 * Pairs of tokens that Slack has given and that are not yet written down. Slack gives a pair once, and what it was given
 * for is spent: until it is written, this process works with it and goes on trying.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from '../../requests/ports/locks.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';

/** `spent`: the refresh token that it was given for. What does not hold that one is not what it follows. */
export type NewPair = { spent: string; renewed: StoredInstallation };

/** Both are milliseconds. */
export type WriteTimings = {
  /** How long it is tried at once, before others may have the lock. */
  writingMs: number;
  /** Between two tries. */
  pauseMs: number;
};

export type NewPairs = {
  /** What follows the stored one, if it is not written yet; else what is stored. */
  newest(stored: StoredInstallation): StoredInstallation;
  /** Only within `alone`, and for no longer than `writingMs` and one try. Never throws: what is not written is tried later. */
  keep(pair: NewPair): Promise<void>;
  /** Resolves when all is written. */
  idle(): Promise<void>;
  /** Nothing is tried any more. @returns the installations whose pairs are lost */
  giveUp(): string[];
};

type Deps = { store: InstallationStore; log: Log; timings: WriteTimings; patience: Patience };

export function createNewPairs({ store, log, timings, patience }: Deps): NewPairs {
  const unwritten = new Map<string, NewPair>();
  const triedLater = new Set<Promise<void>>();
  let over = false;

  /** Only within `alone`. @throws where the storage is away */
  async function write(pair: NewPair): Promise<void> {
    const { renewed } = pair;
    const stored = await store.get(renewed.id);
    // Else it was removed, installed anew, or written by a try that had no answer.
    if (stored && follows(pair, stored)) await store.replaceTokens(stored, renewed.tokens, renewed.expiresAt);
    unwritten.delete(renewed.id);
    if (stored?.generation === renewed.generation)
      log.info(installedFields(renewed.id), 'a Slack token was replaced in time');
  }

  async function tryLater(pair: NewPair): Promise<void> {
    while (!over && unwritten.has(pair.renewed.id)) {
      await sleep(timings.pauseMs);
      await store.alone(pair.renewed.id, patience, () => write(pair)).catch(() => {});
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
            log.error({ ...installedFields(id), err }, 'a new Slack token could not be written down so far');
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
