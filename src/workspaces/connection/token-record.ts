/**
 * Stores the holders of each token, in a record for each fingerprint, which belongs to no workspace. A holder is added before its
 * connection is written, and dropped after it is removed. While the revocation of a token is claimed, nobody begins to hold it.
 */
import { z } from 'zod';
import { withoutClaim } from '../../outbox/claim.ts';
import { type HeldClaim, isClaimed, recordChanges } from '../../outbox/record-changes.ts';
import {
  byId,
  type Condition,
  type Entry,
  listById,
  NO_WORKSPACE,
  NOT_STORED,
  type RecordStore,
  writeRecord,
} from '../../outbox/record-store.ts';
import type { Cipher } from '../cipher.ts';

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
  /** The generations that were dropped, and when: keyv may get their token late. */
  dropped: z.array(z.object({ generation: z.string(), at: z.number() })),
  /** The claim to revoke the token, which ends by the store's clock. */
  claim: z.object({ owner: z.string(), expiresAt: z.number() }).optional(),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

/** Longer than revoking takes: a call of 20 seconds that begins within half of this time, and a check of 20 seconds. */
export const CLAIM_MS = 90_000;

/**
 * Claims the revocation of a token. `shared`: a holder that stays has the token. `busy`: somebody else has claimed it.
 *
 * @param isLeaving tells the holders that give up the token
 */
export type ClaimToken = (
  token: string,
  isLeaving: (holder: Holder) => boolean,
) => Promise<HeldClaim | 'shared' | 'busy'>;

/** The most records of one workspace that are read at once. */
const HELD_AT_ONCE = 100;

type Deps = { records: RecordStore<TokenRecord>; cipher: Cipher; uuid: () => string };

export type TokenHolders = ReturnType<typeof createTokenHolders>;

export function createTokenHolders({ records, cipher, uuid }: Deps) {
  const changes = recordChanges(records, unheld, entryOf);
  const { now, read, change } = changes;
  /** A token has a record for each key that may have made its fingerprint. */
  const readAll = (token: string) => Promise.all(cipher.fingerprints(token).map(read));

  return {
    now,
    all: () => listById(records, NO_WORKSPACE),
    recordsOf: async (token: string) => (await readAll(token)).map(({ record }) => record),
    /** Adds a holder, unless the token is being revoked. */
    async add(token: string, holder: Holder): Promise<NamedToken | 'revoking'> {
      const fingerprint = cipher.fingerprint(token);
      const { holders } = await change(fingerprint, (record, at) =>
        isClaimed(record, at) ? record : { ...record, holders: [...record.holders, holder] },
      );
      return holders.includes(holder) ? { generation: holder.generation, fingerprint } : 'revoking';
    },
    /**
     * Returns the conditions under which a connection may name the token: they are no longer met once the token is claimed,
     * or the holder dropped.
     */
    async provided(token: string, { generation }: NamedToken): Promise<Condition[] | 'revoking' | 'dropped'> {
      const all = await readAll(token);
      if (all.some((each) => isClaimed(each.record, each.now))) return 'revoking';
      const isHeld = all.some(({ record }) => record.holders.some((each) => each.generation === generation));
      return isHeld ? all.map(({ record }) => unchanged(record)) : 'dropped';
    },
    async drop({ fingerprint, generation }: NamedToken): Promise<void> {
      await change(fingerprint, (record, at) => withoutHolder(record, generation, at));
    },
    /** Drops a holder as long as a condition is met. @returns whether it is dropped */
    async dropIf(condition: Condition, { fingerprint, generation }: NamedToken): Promise<boolean> {
      for (;;) {
        const { record, now: at } = await read(fingerprint);
        const next = withoutHolder(record, generation, at);
        const entry = entryOf(next);
        if (next === record || !entry) return true;
        const { type } = await writeRecord(records, entry, [condition]);
        if (type !== 'conflict') return type === 'written';
      }
    },
    /** Forgets dropped generations, and a claim that has expired. */
    async settle(fingerprint: string, generations: readonly string[]): Promise<void> {
      await change(fingerprint, (record, at) => settled(record, generations, at));
    },
    /** Returns the holders of other workspaces, also of those whose connection is still being written. */
    async others(token: string, workspace: string): Promise<Holder[]> {
      const all = await readAll(token);
      return all.flatMap(({ record }) => record.holders.filter((each) => each.workspace !== workspace));
    },
    /** Returns tokens of a workspace, not all if there are very many, whether or not its connection can be read. */
    async of(workspace: string): Promise<NamedToken[]> {
      const held = await records.listBySubject(NO_WORKSPACE, workspace, HELD_AT_ONCE);
      return held.records.flatMap(({ id: fingerprint, holders }) =>
        holders
          .filter((holder) => holder.workspace === workspace)
          .map(({ generation }) => ({ generation, fingerprint })),
      );
    },
    claim: claiming(changes, { cipher, uuid }),
  };
}

/** Creates the function that claims all records of a token, or none. */
function claiming(
  { claim }: ReturnType<typeof recordChanges<TokenRecord>>,
  { cipher, uuid }: Pick<Deps, 'cipher' | 'uuid'>,
): ClaimToken {
  return async (token, isLeaving) => {
    let isShared = false;
    const isFree = ({ holders }: TokenRecord) => {
      isShared = !holders.every(isLeaving);
      return !isShared;
    };
    const held = await claim(cipher.fingerprints(token), { owner: uuid() }, CLAIM_MS, isFree);
    return held ?? (isShared ? 'shared' : 'busy');
  };
}

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
  return { ...byId(record), subjects: holders.map(({ workspace }) => workspace) };
}

function withoutHolder(record: TokenRecord, generation: string, now: number): TokenRecord {
  const holders = record.holders.filter((each) => each.generation !== generation);
  return holders.length === record.holders.length
    ? record
    : { ...record, holders, dropped: [...record.dropped, { generation, at: now }] };
}

function settled(record: TokenRecord, generations: readonly string[], now: number): TokenRecord {
  const isOver = record.claim !== undefined && !isClaimed(record, now);
  if (generations.length === 0 && !isOver) return record;
  const dropped = record.dropped.filter(({ generation }) => !generations.includes(generation));
  return { ...(isOver ? withoutClaim(record) : record), dropped };
}

const unchanged = ({ id, version }: TokenRecord): Condition => ({
  type: 'tokens',
  workspace: NO_WORKSPACE,
  id,
  version: version === NOT_STORED ? undefined : version,
});
