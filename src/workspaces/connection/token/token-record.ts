/**
 * Holders of a token: a record for each fingerprint, which belongs to no workspace. A holder is added before its connection is
 * written, and dropped after it is removed. Claims the revocation of a token, so that nobody begins to hold it meanwhile.
 */
import { z } from 'zod';
import {
  byId,
  type Condition,
  type Entry,
  listById,
  NO_WORKSPACE,
  NOT_STORED,
  type RecordStore,
} from '../../../outbox/record-store.ts';
import type { Cipher } from '../../cipher.ts';
import { isClaimed, recordChanges } from '../../record-changes.ts';

/** A stored token: keyv holds it, sealed, under this generation. */
export const NamedToken = z.object({ generation: z.string(), fingerprint: z.string() });
export type NamedToken = z.infer<typeof NamedToken>;

const Holder = z.object({ workspace: z.string(), generation: z.string() });
export type Holder = z.infer<typeof Holder>;

export const TokenRecord = z.object({
  workspace: z.literal(NO_WORKSPACE),
  /** The fingerprint of the token. */
  id: z.string(),
  version: z.number(),
  holders: z.array(Holder),
  /** The generations that were dropped, and when, epoch milliseconds: keyv may get their token late. */
  dropped: z.array(z.object({ generation: z.string(), at: z.number() })),
  /** The claim to revoke the token, which ends by the store's clock. */
  claim: z.object({ owner: z.string(), expiresAt: z.number() }).optional(),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

function withoutHolder(record: TokenRecord, generation: string, now: number): TokenRecord {
  const holders = record.holders.filter((each) => each.generation !== generation);
  return holders.length === record.holders.length
    ? record
    : { ...record, holders, dropped: [...record.dropped, { generation, at: now }] };
}

function withoutClaim(record: TokenRecord, owner: string): TokenRecord {
  const { claim, ...rest } = record;
  return claim?.owner === owner ? rest : record;
}

/** Forgets dropped generations, and a claim that has expired. */
export function settled(record: TokenRecord, generations: readonly string[], now: number): TokenRecord {
  const { claim, ...rest } = record;
  const isOver = claim !== undefined && !isClaimed(record, now);
  if (generations.length === 0 && !isOver) return record;
  const dropped = record.dropped.filter(({ generation }) => !generations.includes(generation));
  return { ...(isOver ? rest : record), dropped };
}

export type TokenRecords = ReturnType<typeof createTokenRecords>;

/** The most records of one workspace that are read at once. */
const HELD_AT_ONCE = 100;

export const createTokenRecords = (store: RecordStore<TokenRecord>) => ({
  ...recordChanges(store, unheld, entryOf),
  /** The records in which a workspace is a holder; of very many, some. */
  heldBy: async (workspace: string) =>
    (await store.listBySubject(NO_WORKSPACE, workspace, HELD_AT_ONCE)).records,
  all: () => listById(store, NO_WORKSPACE),
});

const unheld = (fingerprint: string): TokenRecord => ({
  workspace: NO_WORKSPACE,
  id: fingerprint,
  version: NOT_STORED,
  holders: [],
  dropped: [],
});

function entryOf(record: TokenRecord): Entry<TokenRecord> | undefined {
  const { holders, dropped, claim } = record;
  if (holders.length === 0 && dropped.length === 0 && !claim) return undefined;
  const subjects = holders.map(({ workspace }) => workspace);
  return { ...byId(record), subjects };
}

/** Longer than revoking takes: a call of 20 seconds that begins within half of this time, and a check of 20 seconds. */
export const CLAIM_MS = 90_000;

export type Claim = {
  /** Whether the claim still stands. @throws if the storage is unavailable */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
};

/**
 * Claims the revocation of a token. `shared`: a holder that stays has the token. `busy`: somebody else has claimed it.
 *
 * @param isLeaving tells the holders that give up the token
 */
export type ClaimToken = (
  token: string,
  isLeaving: (holder: Holder) => boolean,
) => Promise<Claim | 'shared' | 'busy'>;

/** A token has a record for each key that may have made its fingerprint, and all of them are claimed. */
export function createClaimToken(
  { read, change }: TokenRecords,
  { cipher, uuid }: { cipher: Pick<Cipher, 'fingerprints'>; uuid: () => string },
): ClaimToken {
  return async (token, isLeaving) => {
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
    const isShared = ({ holders }: TokenRecord) => !holders.every(isLeaving);
    for (const each of fingerprints) {
      const after = await change(each, (record, now) =>
        isClaimed(record, now) || isShared(record)
          ? record
          : { ...record, claim: { owner, expiresAt: now + CLAIM_MS } },
      );
      if (after.claim?.owner === owner) continue;
      await claim.release();
      return isShared(after) ? 'shared' : 'busy';
    }
    return claim;
  };
}

export type TokenHolders = ReturnType<typeof createTokenHolders>;

/** Everything throws if the storage is unavailable, or a record can't be read. */
export function createTokenHolders(
  { read, change, heldBy }: TokenRecords,
  cipher: Pick<Cipher, 'fingerprint' | 'fingerprints'>,
) {
  const readAll = (token: string) => Promise.all(cipher.fingerprints(token).map(read));

  return {
    /** Adds a holder, unless the token is being revoked. */
    async add(token: string, holder: Holder): Promise<NamedToken | 'revoking'> {
      const fingerprint = cipher.fingerprint(token);
      const { holders } = await change(fingerprint, (record, now) =>
        isClaimed(record, now) ? record : { ...record, holders: [...record.holders, holder] },
      );
      return holders.includes(holder) ? { generation: holder.generation, fingerprint } : 'revoking';
    },
    /**
     * Returns the conditions under which a connection may name the token: they are no longer met once the token is claimed,
     * or the holder dropped.
     */
    async provided(token: string, { generation }: NamedToken): Promise<Condition[] | 'revoking' | 'dropped'> {
      const all = await readAll(token);
      if (all.some(({ record, now }) => isClaimed(record, now))) return 'revoking';
      const isHeld = all.some(({ record }) => record.holders.some((each) => each.generation === generation));
      return isHeld ? all.map(({ record }) => unchanged(record)) : 'dropped';
    },
    async drop({ fingerprint, generation }: NamedToken): Promise<void> {
      await change(fingerprint, (record, now) => withoutHolder(record, generation, now));
    },
    /** Returns the holders of other workspaces, also of those whose connection is still being written. */
    async others(token: string, workspace: string): Promise<Holder[]> {
      const all = await readAll(token);
      return all.flatMap(({ record }) => record.holders.filter((each) => each.workspace !== workspace));
    },
    /** The tokens of a workspace, whether or not its connection can be read; of very many, some. */
    async of(workspace: string): Promise<NamedToken[]> {
      const held = await heldBy(workspace);
      return held.flatMap(({ id: fingerprint, holders }) =>
        holders
          .filter((holder) => holder.workspace === workspace)
          .map(({ generation }) => ({ generation, fingerprint })),
      );
    },
  };
}

const unchanged = ({ id, version }: TokenRecord): Condition => ({
  type: 'tokens',
  workspace: NO_WORKSPACE,
  id,
  version: version === NOT_STORED ? undefined : version,
});
