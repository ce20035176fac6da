/**
 * Keeps what a refresh token was exchanged for until it is stored on every server that could take over: if the new pair of tokens
 * is lost, the app has to be installed again.
 */
import type { Log, Replicated } from '../../outbox/ports.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import { installedFields } from '../../workspaces/installation/installation-record.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';

/** The time for which a call that needs a token waits until the new pair is stored. */
const WRITING_MS = 20_000;
/** The wait between two tries to store a pair. */
const PAUSE_MS = 1_000;

export type NewPairsDeps = {
  store: Pick<InstallationStore, 'get' | 'replaceTokens'>;
  replicated: Replicated;
  log: Log;
  runtime: Pick<Runtime, 'sleep'>;
};

/** A new pair that is not stored for good. Until then this process uses it, and keeps trying. */
type NewPair = { exchanged: StoredInstallation; renewed: StoredInstallation };

export type NewPairs = ReturnType<typeof createNewPairs>;

/** Whether two stored installations have the same refresh token, and the app was not installed anew in between. */
const isSame = (one: StoredInstallation, other: StoredInstallation): boolean =>
  one.generation === other.generation && one.tokens.refresh === other.tokens.refresh;

/** Stores new pairs of tokens, on every server that could take over, however long that takes. */
export function createNewPairs({ store, replicated, runtime, log }: NewPairsDeps) {
  const unwritten = new Map<string, NewPair>();
  const writing = new Set<Promise<void>>();
  let isOver = false;

  /**
   * Tries to store a pair.
   *
   * @returns whether nothing is left to do: it is stored, or useless because the app was installed anew
   */
  async function tryToStore({ exchanged, renewed }: NewPair): Promise<boolean> {
    const { id, tokens, expiresAt } = renewed;
    try {
      const isStored = await replicated(async () => {
        const current = await store.get(id);
        if (current && isSame(current, exchanged)) return store.replaceTokens(exchanged, tokens, expiresAt);
        // An earlier try has stored it: only the replicas are still waited for.
        return current?.tokens.bot === tokens.bot;
      });
      unwritten.delete(id);
      if (isStored) log.info({ event: 'slack_token_renewed', ...installedFields(id) }, 'Slack token renewed');
      return true;
    } catch (err) {
      log.debug({ ...installedFields(id), err }, 'new Slack token not stored: will retry');
      return false;
    }
  }

  async function storeUntilDone(pair: NewPair): Promise<void> {
    while (!isOver && !(await tryToStore(pair))) await runtime.sleep(PAUSE_MS);
  }

  return {
    /** Returns the successor of a stored installation, if one is not stored yet; otherwise the stored one. */
    newest(stored: StoredInstallation): StoredInstallation {
      const pair = unwritten.get(stored.id);
      return pair && isSame(stored, pair.exchanged) ? pair.renewed : stored;
    },
    isUnwritten: (id: string): boolean => unwritten.has(id),
    /** Keeps a pair until it is stored, and waits for that for a while. Never throws. */
    async keep(pair: NewPair): Promise<void> {
      const { id } = pair.renewed;
      unwritten.set(id, pair);
      const done = storeUntilDone(pair).finally(() => writing.delete(done));
      writing.add(done);
      // With a signal the timer does not keep the process alive: a terminal command would end 20 s after its output.
      await Promise.race([done, runtime.sleep(WRITING_MS, new AbortController().signal)]);
      if (unwritten.has(id)) log.error(installedFields(id), 'new Slack token not stored yet');
    },
    /** Waits until no pair waits to be stored. */
    async idle(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing);
    },
    /** Stops trying. @returns the installations whose pairs are lost, or would be by a failover */
    giveUp(): string[] {
      isOver = true;
      return [...unwritten.keys()];
    },
  };
}
