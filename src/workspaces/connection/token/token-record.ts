/**
 * Holders of a token: a record for each fingerprint, which belongs to no workspace. A holder is added before its connection is
 * written, and dropped after it is removed. Claims the revocation of a token, so that nobody begins to hold it meanwhile.
 */
import { z } from 'zod';
import { isStanding } from '../../../outbox/claim.ts';
import {
  type Condition,
  type Entry,
  LISTED_AT,
  listById,
  NO_WORKSPACE,
  NOT_STORED,
  type RecordStore,
} from '../../../outbox/record-store.ts';
import type { Cipher } from '../../cipher.ts';

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

const isClaimed = ({ claim }: TokenRecord, now: number): boolean =>
  claim !== undefined && isStanding(claim.expiresAt, now);

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

export type TokenRecords = {
  now(): Promise<number>;
  /** @returns a record without holders if there is none */
  read(fingerprint: string): Promise<{ record: TokenRecord; now: number }>;
  /**
   * Changes a record by compare-and-set. One that says nothing any more is removed.
   *
   * @param decide returns the same record to change nothing; called again after a conflict
   */
  change(
    fingerprint: string,
    decide: (record: TokenRecord, now: number) => TokenRecord,
  ): Promise<TokenRecord>;
  /** The records in which a workspace is a holder; of very many, some. */
  heldBy(workspace: string): Promise<TokenRecord[]>;
  /** All records, page by page. */
  all(): AsyncGenerator<TokenRecord, void>;
};

/** The most records that are read at once. */
const HELD_AT_ONCE = 100;

export function createTokenRecords(store: RecordStore<TokenRecord>): TokenRecords {
  const read: TokenRecords['read'] = async (fingerprint) =>
    (await store.get({ workspace: NO_WORKSPACE, id: fingerprint })) ?? {
      record: unheld(fingerprint),
      now: await store.now(),
    };

  return {
    now: store.now,
    read,
    async change(fingerprint, decide) {
      for (;;) {
        const { record, now } = await read(fingerprint);
        const next = decide(record, now);
        if (next === record || (await write(store, next))) return next;
      }
    },
    heldBy: async (workspace) => (await store.listBySubject(NO_WORKSPACE, workspace, HELD_AT_ONCE)).records,
    all: () => listById(store, NO_WORKSPACE),
  };
}

const unheld = (fingerprint: string): TokenRecord => ({
  workspace: NO_WORKSPACE,
  id: fingerprint,
  version: NOT_STORED,
  holders: [],
  dropped: [],
});

/** @returns whether nobody else has written meanwhile */
async function write(store: RecordStore<TokenRecord>, record: TokenRecord): Promise<boolean> {
  const { version, holders, dropped, claim } = record;
  const isStored = version !== NOT_STORED;
  if (holders.length === 0 && dropped.length === 0 && !claim)
    return !isStored || (await store.remove(record, version)) === 'removed';
  const subjects = holders.map(({ workspace }) => workspace);
  const entry: Entry<TokenRecord> = { record, subjects, at: LISTED_AT, slot: undefined, dueAt: undefined };
  if (!isStored) return (await store.create(entry)).type === 'created';
  return (await store.update(entry, version)).type === 'updated';
}

/** Longer than revoking takes: a call of 20 seconds that begins within half of this time, and a check of 20 seconds. */
export const CLAIM_MS = 90_000;

export type Claim = {
  /** Whether the claim still stands. @throws if the storage is unavailable */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
};

/**
 * `shared`: a holder that stays has the token. `busy`: somebody else has claimed it.
 *
 * @param isLeaving tells the holders that give it up
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

/** Everything throws if the storage is unavailable, or a record can't be read. */
export type TokenHolders = {
  /** Adds a holder, unless the token is being revoked. */
  add(token: string, holder: Holder): Promise<NamedToken | 'revoking'>;
  /**
   * The conditions under which a connection may name the token: what they depend on changes when the token is claimed, or the
   * holder is dropped.
   */
  provided(token: string, named: NamedToken): Promise<Condition[] | 'revoking' | 'dropped'>;
  drop(named: NamedToken): Promise<void>;
  /** Those of other workspaces, also while their connection is being written. */
  others(token: string, workspace: string): Promise<Holder[]>;
  /** The tokens of a workspace, whether or not its connection can be read; of very many, some. */
  of(workspace: string): Promise<NamedToken[]>;
};

export function createTokenHolders(
  { read, change, heldBy }: TokenRecords,
  cipher: Pick<Cipher, 'fingerprint' | 'fingerprints'>,
): TokenHolders {
  const readAll = (token: string) => Promise.all(cipher.fingerprints(token).map(read));

  return {
    async add(token, holder) {
      const fingerprint = cipher.fingerprint(token);
      const { holders } = await change(fingerprint, (record, now) =>
        isClaimed(record, now) ? record : { ...record, holders: [...record.holders, holder] },
      );
      return holders.includes(holder) ? { generation: holder.generation, fingerprint } : 'revoking';
    },
    async provided(token, { generation }) {
      const all = await readAll(token);
      if (all.some(({ record, now }) => isClaimed(record, now))) return 'revoking';
      const isHeld = all.some(({ record }) => record.holders.some((each) => each.generation === generation));
      return isHeld ? all.map(({ record }) => unchanged(record)) : 'dropped';
    },
    drop: async ({ fingerprint, generation }) =>
      void (await change(fingerprint, (record, now) => withoutHolder(record, generation, now))),
    async others(token, workspace) {
      const all = await readAll(token);
      return all.flatMap(({ record }) => record.holders.filter((each) => each.workspace !== workspace));
    },
    async of(workspace) {
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
