/** Adds and drops the holders of a token. One is added before its connection is written, and dropped after it is removed. */
import { type Condition, NO_WORKSPACE, NOT_STORED } from '../../../outbox/record-store.ts';
import type { Cipher } from '../../cipher.ts';
import {
  type Holder,
  isClaimed,
  type NamedToken,
  othersIn,
  type TokenRecord,
  type TokenRecords,
  withoutHolder,
} from './token-record.ts';

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
      return all.flatMap(({ record }) => othersIn(record, workspace));
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
