/** What becomes of a token that another one has taken the place of, where an admin wants it revoked. */
import type { Revocation } from '../../requests/ports/ports.ts';
import type { Connection, Connections } from './connections.ts';

export type FormerToken =
  /** `in_doubt`: it is not known that the new token works, and the former one may have to be connected again. */
  | { type: 'none' | 'same' | 'shared' | 'in_doubt' }
  /** Something of ours has failed before the service was asked. */
  | { type: 'not_sent'; error: Error }
  | Revocation;

type Next = { token: string; works: boolean };

type Deps = { connections: Connections; revoke: (token: string) => Promise<Revocation> };

/**
 * Only here is the former token still known: it is overwritten already, so whatever is not done now, a person has to do.
 *
 * @param former the connection as it was before; undefined: there was none
 * @param next what has taken its place. `works`: the service has accepted it
 * @returns never throws: the workspace is connected, and nothing that happens here changes that
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
  return revoke(judged.token).catch((error) => ({ type: 'unknown', code: 'FAULT', error: asError(error) }));
}

/** @throws where what is stored can't be read or opened */
async function judge(connections: Connections, former: Connection | undefined, next: Next) {
  const token = former && connections.token(former);
  if (!former || token === undefined) return { type: 'none' } as const;
  if (token === next.token) return { type: 'same' } as const;
  if (!next.works) return { type: 'in_doubt' } as const;
  if (await connections.isShared(former)) return { type: 'shared' } as const;
  return { type: 'to_revoke', token } as const;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
