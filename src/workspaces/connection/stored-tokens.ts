/**
 * Seals, writes and removes tokens, so that no token is left that no record names. The holder is written first, then the token,
 * then the connection that names it. Once the connection is gone on all replicas of the storage, the holder is dropped, and then
 * the token is removed; earlier, a server that takes over might have the connection without its token. The record of the holders
 * names the dropped token for another day.
 */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import type { Log, Replicated } from '../../outbox/ports.ts';
import type { Condition, Written } from '../../outbox/record-store.ts';
import { type Cipher, MissingTokenError, type SealContext } from '../cipher.ts';
import type { Holder, NamedToken, TokenHolders, TokenRecord } from './token-record.ts';

export type StoredTokens = {
  holders: TokenHolders;
  sealed: SealedTokens;
  replicated: Replicated;
  uuid: () => string;
};

/** After `conflict` (somebody else has written the connection) and `revoking` (of the token), nothing was written. */
export type ConnectionWritten = 'written' | 'conflict' | 'revoking';

/** Writes a connection that names the token, under these conditions beside its own. */
export type WriteNamed = (named: NamedToken, provided: Condition[]) => Promise<Written>;

/**
 * Stores a token under a new generation, and has a connection name it.
 *
 * @param write called again if one of the conditions is not met
 */
export async function nameToken(
  deps: StoredTokens,
  { workspace, token }: { workspace: string; token: string },
  write: WriteNamed,
): Promise<ConnectionWritten> {
  for (;;) {
    const holder: Holder = { workspace, generation: deps.uuid() };
    const named = await deps.holders.add(token, holder);
    if (named === 'revoking') return named;
    await deps.sealed.write(holder, token);
    const done = await writeProvided(deps.holders, token, named, write);
    if (done === 'written') return done;
    await dropToken(deps, named);
    // `dropped`: the sweep took the holder for a leftover, so another generation is tried.
    if (done !== 'dropped') return done;
  }
}

async function writeProvided(
  holders: TokenHolders,
  token: string,
  named: NamedToken,
  write: WriteNamed,
): Promise<ConnectionWritten | 'dropped'> {
  for (;;) {
    const provided = await holders.provided(token, named);
    if (typeof provided === 'string') return provided;
    const written = await write(named, provided);
    if (written.type !== 'unmet') return written.type;
  }
}

/** Removes a token that no connection names any more, on any replica of the storage. */
export async function dropToken({ holders, sealed }: StoredTokens, named: NamedToken): Promise<void> {
  await holders.drop(named);
  await sealed.remove(named.generation);
}

/** Removes all tokens of a workspace, whether or not its connection can be read. */
export async function forgetTokens(deps: StoredTokens, workspace: string): Promise<void> {
  for (;;) {
    const held = await deps.holders.of(workspace);
    if (held.length === 0) return;
    for (const named of held) await dropToken(deps, named);
  }
}

/** The age at which a dropped token is removed once more: its write to keyv may have been under way when it was dropped. */
const LATE_MS = 24 * 60 * 60_000;

/**
 * Removes the tokens that no connection names: a connect, a disconnect or an uninstall that was cut short has left them.
 *
 * @param isNamed whether the connection of a holder names its token
 */
export async function sweepTokens(
  deps: StoredTokens,
  isNamed: (holder: Holder) => Promise<boolean>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  for await (const record of deps.holders.all()) {
    if (stopping.aborted) return;
    // A failure for one record must not keep the tokens of the others.
    await sweepRecord(deps, isNamed, record).catch((err) => log.error({ err }, 'unused tokens not removed'));
  }
}

/**
 * Drops the holders of a token that were left in one workspace, as the sweep does: they would count as somebody else who has the
 * token.
 */
export async function dropLeft(
  deps: StoredTokens,
  isNamed: (holder: Holder) => Promise<boolean>,
  { workspace, token }: { workspace: string; token: string },
): Promise<void> {
  const isOther = (holder: Holder) => holder.workspace !== workspace;
  for (const record of await deps.holders.recordsOf(token))
    await sweepRecord(deps, async (holder) => isOther(holder) || isNamed(holder), record);
}

async function sweepRecord(
  deps: StoredTokens,
  isNamed: (holder: Holder) => Promise<boolean>,
  { id: fingerprint, holders, dropped }: TokenRecord,
): Promise<void> {
  for (const holder of holders) {
    const isLeft = async () => !(await isNamed(holder));
    if ((await isLeft()) && (await deps.replicated(isLeft)))
      await dropToken(deps, { generation: holder.generation, fingerprint });
  }
  const now = await deps.holders.now();
  const late = dropped.filter(({ at }) => now - at >= LATE_MS).map(({ generation }) => generation);
  for (const generation of late) await deps.sealed.remove(generation);
  await deps.holders.settle(fingerprint, late);
}

const Stored = z.string().optional();

/** Opening a token costs more than the read of the connection that names it. */
const TOKENS_REMEMBERED = 10_000;

const contextOf = (workspace: string): SealContext => ({ workspace, purpose: 'api token' });

type SealedTokens = ReturnType<typeof createSealedTokens>;

/** Keeps API tokens in keyv, sealed, each under its generation: a generation never gets another token. */
export function createSealedTokens(values: Keyv, cipher: Cipher) {
  const opened = createCache<string>(TOKENS_REMEMBERED);
  const keyOf = ({ workspace, generation }: Holder) => `${workspace} ${generation}`;
  return {
    async write({ workspace, generation }: Holder, token: string): Promise<void> {
      await values.set(generation, cipher.seal(contextOf(workspace), token));
    },
    /** @returns undefined if it was removed @throws SealError or z.ZodError if it can't be opened or read */
    async read(holder: Holder): Promise<string | undefined> {
      const known = opened.get(keyOf(holder));
      if (known !== undefined) return known;
      const sealed = Stored.parse(await values.get(holder.generation));
      if (sealed === undefined) return undefined;
      const token = cipher.open(contextOf(holder.workspace), sealed);
      opened.set(keyOf(holder), token);
      return token;
    },
    /** Whether a token is sealed by the first key. */
    async isCurrent(generation: string): Promise<boolean> {
      const sealed = Stored.parse(await values.get(generation));
      if (sealed === undefined) throw new MissingTokenError();
      return cipher.isCurrent(sealed);
    },
    async remove(generation: string): Promise<void> {
      await values.delete(generation);
    },
  };
}
