/** What becomes of a token that another one has taken the place of, where an admin wants it revoked. */
import type { Revocation } from '../requests/ports.ts';
import type { Connection, Connections } from './connections.ts';

export type FormerToken =
  /** `in_doubt`: it is not known that the new token works, and the former one may have to be connected again. */
  { type: 'none' | 'same' | 'shared' | 'in_doubt' } | Revocation;

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
  next: { token: string; works: boolean },
): Promise<FormerToken> {
  try {
    const token = former && connections.token(former);
    if (!former || token === undefined) return { type: 'none' };
    if (token === next.token) return { type: 'same' };
    if (!next.works) return { type: 'in_doubt' };
    if (await connections.isShared(former)) return { type: 'shared' };
    return await revoke(token);
  } catch (error) {
    return {
      type: 'unknown',
      code: 'FAULT',
      error: error instanceof Error ? error : new Error(String(error)),
    };
  }
}
