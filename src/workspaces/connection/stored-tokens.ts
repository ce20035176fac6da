/**
 * Writes and removes tokens, so that no token is left that no record names. The holder is written first, then the token,
 * then the connection that names it. Once the connection is gone on all replicas of the storage, the token is removed, and then the
 * holder is dropped; earlier, a server that takes over might have the connection without its token. The record of the holders
 * names the dropped token for another day.
 */
import type { Log, Replicated } from '../../outbox/ports.ts';
import { type Condition, isUnreadable, type Written } from '../../outbox/record-store.ts';
import type { SealedTokens } from './connection.ts';
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
  await sealed.remove(named.generation);
  // Last: if this is cut short, the holder tells the next run that a token may be left.
  await holders.drop(named);
}

/**
 * Removes all tokens of a workspace, whether or not its connection can be read. If a record of their holders can't be read, it
 * stays, because it may name other workspaces, too.
 *
 * @param named the token that the connection named, as far as that could be read
 */
export async function forgetTokens(
  deps: StoredTokens,
  workspace: string,
  named: NamedToken | undefined,
): Promise<void> {
  try {
    for (;;) {
      const held = await deps.holders.of(workspace);
      if (held.length === 0) return;
      for (const each of held) await dropToken(deps, each);
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (named) await deps.sealed.remove(named.generation);
  }
}

/** How long each sweep removes a dropped token once more: its write to keyv may have been under way when it was dropped. */
const LATE_MS = 24 * 60 * 60_000;

/**
 * Returns the condition under which no connection names the token of a holder: that its connection stays as it was read; undefined
 * if the connection names the token, or can't be read.
 */
export type LeftAsLongAs = (holder: Holder) => Promise<Condition | undefined>;

/**
 * Removes the tokens that no connection names: a connect, a disconnect or an uninstall that was cut short has left them. A record
 * that can't be read ends the sweep.
 */
export async function sweepTokens(
  deps: StoredTokens,
  isLeft: LeftAsLongAs,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  try {
    for await (const record of deps.holders.all()) {
      if (stopping.aborted) return;
      // A failure for one record must not keep the tokens of the others.
      await sweepRecord(deps, isLeft, record).catch((err) => log.error({ err }, 'unused tokens not removed'));
    }
  } catch (err) {
    if (!isUnreadable(err)) throw err;
    log.error({ err }, 'unused tokens not found: a record of the holders of tokens cannot be read');
  }
}

/**
 * Drops the holders of a token that were left in one workspace, as the sweep does: they would count as somebody else who has the
 * token.
 */
export async function dropLeft(
  deps: StoredTokens,
  isLeft: LeftAsLongAs,
  { workspace, token }: { workspace: string; token: string },
): Promise<void> {
  const isLeftThere: LeftAsLongAs = async (holder) =>
    holder.workspace === workspace ? isLeft(holder) : undefined;
  for (const record of await deps.holders.recordsOf(token)) await sweepRecord(deps, isLeftThere, record);
}

async function sweepRecord(
  deps: StoredTokens,
  isLeft: LeftAsLongAs,
  { id: fingerprint, holders, dropped }: TokenRecord,
): Promise<void> {
  for (const holder of holders) {
    const { generation } = holder;
    const condition = (await isLeft(holder)) && (await deps.replicated(() => isLeft(holder)));
    // A connect that is under way may name the token by now: then it stays.
    if (condition && (await deps.holders.dropIf(condition, { generation, fingerprint })))
      await deps.sealed.remove(generation);
  }
  const now = await deps.holders.now();
  for (const { generation } of dropped) await deps.sealed.remove(generation);
  const late = dropped.filter(({ at }) => now - at >= LATE_MS).map(({ generation }) => generation);
  await deps.holders.settle(fingerprint, late);
}
