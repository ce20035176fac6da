/** Keeps API tokens in keyv, sealed, each under its generation: a generation never gets another token. */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../../cache.ts';
import { type Cipher, type SealContext, SealError } from '../../cipher.ts';
import type { Holder } from './token-record.ts';

/** Everything throws if the storage is unavailable. */
export type SealedTokens = {
  write(holder: Holder, token: string): Promise<void>;
  /** @returns undefined if there is none any more @throws SealError or z.ZodError if it can't be opened or read */
  read(holder: Holder): Promise<string | undefined>;
  /** Whether it is sealed by the first key. */
  isCurrent(generation: string): Promise<boolean>;
  remove(generation: string): Promise<void>;
};

const Stored = z.string().optional();

/** Opening one costs more than the read of the connection that names it. */
const TOKENS_REMEMBERED = 10_000;

const contextOf = (workspace: string): SealContext => ({ workspace, purpose: 'api token' });

/** @param values throws if the storage is unavailable */
export function createSealedTokens(values: Keyv, cipher: Cipher): SealedTokens {
  const opened = createCache<string>(TOKENS_REMEMBERED);
  const keyOf = ({ workspace, generation }: Holder) => `${workspace} ${generation}`;
  return {
    write: async ({ workspace, generation }, token) =>
      void (await values.set(generation, cipher.seal(contextOf(workspace), token))),
    async read(holder) {
      const known = opened.get(keyOf(holder));
      if (known !== undefined) return known;
      const sealed = Stored.parse(await values.get(holder.generation));
      if (sealed === undefined) return undefined;
      const token = cipher.open(contextOf(holder.workspace), sealed);
      opened.set(keyOf(holder), token);
      return token;
    },
    async isCurrent(generation) {
      const sealed = Stored.parse(await values.get(generation));
      if (sealed === undefined) throw new SealError('The token of this connection is missing.');
      return cipher.isCurrent(sealed);
    },
    remove: async (generation) => void (await values.delete(generation)),
  };
}
