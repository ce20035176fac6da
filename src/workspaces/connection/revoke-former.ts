/** Revokes a replaced token, if the admin wants that. */
import type { Revocation, Revoke } from '../../requests/ports/ports.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

export type FormerToken =
  /** `in_doubt`: the new token may not work, and the former one may have to be connected again. */
  | { type: 'none' | 'same' | 'shared' | 'in_doubt' }
  /** A fault of ours happened before the service was asked. */
  | { type: 'not_sent'; error: Error }
  | Revocation;

type Next = { token: string; works: boolean };

type Deps = { connections: Connections; revoke: Revoke };

/**
 * Revokes the former token. It is already overwritten in the storage, so whatever is not done now, a person must do.
 *
 * @param former the connection before; undefined: there was none
 * @param next its replacement. `works`: the service has accepted its token
 * @returns the result; it never throws, because the workspace is connected whatever happens here
 */
export async function revokeFormer(
  { connections, revoke }: Deps,
  former: Connection | undefined,
  next: Next,
): Promise<FormerToken> {
  const judged = await judge(connections, former, next).catch(
    (error) => ({ type: 'not_sent', error: asError(error) }) as const,
  );
  if (judged.type !== 'to_revoke') return judged;
  return revoke(judged.token, judged.kind).catch((error) => ({
    type: 'unknown',
    code: 'FAULT',
    error: asError(error),
  }));
}

/** @throws if the stored data can't be read or opened */
async function judge(connections: Connections, former: Connection | undefined, next: Next) {
  const token = former && connections.token(former);
  if (!former || token === undefined) return { type: 'none' } as const;
  if (token === next.token) return { type: 'same' } as const;
  if (!next.works) return { type: 'in_doubt' } as const;
  if (await connections.isShared(former)) return { type: 'shared' } as const;
  return { type: 'to_revoke', token, kind: former.tokenKind } as const;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
