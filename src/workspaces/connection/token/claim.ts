/** Claims the revocation of a token, so that nobody begins to hold it meanwhile. */
import type { Cipher } from '../../cipher.ts';
import { isClaimed, othersIn, type TokenRecords, withoutClaim } from './token-record.ts';

/** Longer than revoking takes: a call of 20 seconds that begins within half of this time, and a check of 20 seconds. */
export const CLAIM_MS = 90_000;

export type Claim = {
  /** Whether the claim still stands. @throws if the storage is unavailable */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
};

/** `shared`: another workspace holds the token. `busy`: somebody else has claimed it. */
export type ClaimToken = (token: string, workspace: string) => Promise<Claim | 'shared' | 'busy'>;

/** A token has a record for each key that may have made its fingerprint, and all of them are claimed. */
export function createClaimToken(
  { read, change }: TokenRecords,
  { cipher, uuid }: { cipher: Pick<Cipher, 'fingerprints'>; uuid: () => string },
): ClaimToken {
  return async (token, workspace) => {
    const owner = uuid();
    const fingerprints = cipher.fingerprints(token);
    const claim: Claim = {
      async isHeld() {
        const all = await Promise.all(fingerprints.map(read));
        return all.every(({ record, now }) => record.claim?.owner === owner && isClaimed(record, now));
      },
      async release() {
        for (const each of fingerprints) await change(each, (record) => withoutClaim(record, owner));
      },
    };
    for (const each of fingerprints) {
      const after = await change(each, (record, now) =>
        isClaimed(record, now) || othersIn(record, workspace).length > 0
          ? record
          : { ...record, claim: { owner, expiresAt: now + CLAIM_MS } },
      );
      if (after.claim?.owner === owner) continue;
      await claim.release();
      return othersIn(after, workspace).length > 0 ? 'shared' : 'busy';
    }
    return claim;
  };
}
