/** Use case: an agent looks through the sub-brands of the organization. */
import type { SubBrandList } from '../requests/ports.ts';
import type { Connections, TokenKind } from './connections.ts';

export type SubBrandsDeps = {
  connections: Connections;
  list: (token: string) => Promise<SubBrandList>;
  /** Epoch milliseconds. */
  now: () => number;
};

export type FoundSubBrands = SubBrandList | { type: 'not_connected' } | { type: 'graphql_refused' };

/** While somebody turns pages, the list is not read again for each of them. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 100;

export function createSubBrands({ connections, list, now }: SubBrandsDeps) {
  const cached = new Map<string, { until: number; generation: string; found: FoundSubBrands }>();
  return async (workspace: string): Promise<FoundSubBrands> => {
    const connection = await connections.find(workspace);
    const token = connection && connections.token(connection);
    if (!connection || token === undefined) return { type: 'not_connected' };
    const { generation } = connection;
    const entry = cached.get(workspace);
    if (entry && entry.generation === generation && entry.until > now()) return entry.found;
    const found = explain(await list(token), connection.tokenKind);
    if (cached.size >= CACHE_ENTRIES) cached.clear();
    if (found.type === 'found') cached.set(workspace, { until: now() + CACHE_MS, generation, found });
    return found;
  };
}

/** REST endpoints are ending their support of GraphQL tokens (order-service-interface.md, section 5). */
function explain(found: SubBrandList, kind: TokenKind): FoundSubBrands {
  const denied = found.type === 'refused' && (found.status === 401 || found.status === 403);
  return denied && kind === 'graphql' ? { type: 'graphql_refused' } : found;
}
