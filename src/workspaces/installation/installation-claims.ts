/** Claims installations, so that one process at a time renews or removes them. */
import type { Runtime } from '../../requests/ports/ports.ts';
import { isClaimed } from '../record-changes.ts';
import type { ClaimedAct, InstallationRecord, installationChanges } from './installation-record.ts';

/** The right of one process to renew or to remove an installation. */
export type InstallationClaim = {
  owner: string;
  isHeld(): Promise<boolean>;
  /** Removes the claim, if it has not been replaced. */
  release(): Promise<void>;
};

/** Milliseconds. `ms`: until the claim expires. `waitMs`: the longest wait while somebody else has claimed the installation. */
export type ClaimTimes = { ms: number; waitMs?: number };

/** The interval between two tries. */
const PAUSE_MS = 100;

type ClaimDeps = Pick<Runtime, 'uuid' | 'monotonic' | 'sleep'> & {
  changes: ReturnType<typeof installationChanges>;
  /** Removes a record that can't be read. */
  dropUnreadable: (id: string) => Promise<void>;
};

/** Creates the function that claims an installation, or a workspace without an installation of its own. */
export function createClaimInstallation({
  changes: { read, change },
  dropUnreadable,
  uuid,
  ...runtime
}: ClaimDeps) {
  /** @returns undefined if somebody else has claimed it */
  return async (
    id: string,
    act: ClaimedAct,
    { ms, waitMs = 0 }: ClaimTimes,
  ): Promise<InstallationClaim | undefined> => {
    if (act === 'removing') await dropUnreadable(id);
    const owner = uuid();
    const isOwn = ({ claim }: InstallationRecord) => claim?.owner === owner;
    const claim: InstallationClaim = {
      owner,
      async isHeld() {
        const { record, now } = await read(id);
        return isOwn(record) && isClaimed(record, now);
      },
      release: async () =>
        void (await change(id, (record) => (isOwn(record) ? withoutClaim(record) : record))),
    };
    return retryWhileClaimed(runtime, waitMs, async () => {
      const after = await change(id, (record, now) =>
        isClaimed(record, now) ? record : { ...record, claim: { owner, act, expiresAt: now + ms } },
      );
      return isOwn(after) ? claim : undefined;
    });
  };
}

export const withoutClaim = ({ claim: _ended, ...record }: InstallationRecord): InstallationRecord => record;

/**
 * Repeats an attempt that gives nothing because somebody else has claimed the record.
 *
 * @param waitMs the longest time for that
 */
export async function retryWhileClaimed<T>(
  { monotonic, sleep }: Pick<Runtime, 'monotonic' | 'sleep'>,
  waitMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const until = monotonic() + waitMs;
  for (;;) {
    const done = await attempt();
    if (done || monotonic() >= until) return done;
    await sleep(PAUSE_MS);
  }
}
