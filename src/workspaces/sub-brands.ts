/** Use case: an agent lists the sub-brands of the organization. */
import { createCache } from '../cache.ts';
import { deniesGraphql, type TokenVerdict, verdictOfRefusal } from '../requests/model/refusal.ts';
import type { ConnectionState, HeldToken, SubBrandList, Tokens } from '../requests/ports/ports.ts';

type SubBrandsDeps = {
  tokens: Tokens;
  list: (token: string) => Promise<SubBrandList>;
  monotonic: () => number;
};

export type FoundSubBrands =
  | SubBrandList
  | { type: Exclude<ConnectionState, 'connected'> }
  | { type: 'graphql_refused' };

/** The list is cached while a person turns its pages. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 100;

/** Creates the function that lists the sub-brands of a workspace's organization. */
export function createSubBrands({ tokens, list, monotonic }: SubBrandsDeps) {
  const cached = createCache<FoundSubBrands>(CACHE_ENTRIES, { ttlMs: CACHE_MS, now: monotonic });
  const underWay = new Map<string, Promise<FoundSubBrands>>();

  async function read(token: HeldToken, key: string): Promise<FoundSubBrands> {
    const answer = await list(token.token);
    const verdict = verdictOf(answer);
    await tokens.recordVerdict(token, verdict);
    const found = explain(answer, token, verdict);
    if (found.type === 'found') cached.set(key, found);
    return found;
  }

  /** A person may ask again and again while the service is slow: no rate limit covers these calls. */
  const readOnce = (token: HeldToken, key: string) =>
    underWay.getOrInsertComputed(key, () => read(token, key).finally(() => underWay.delete(key)));

  return async (workspace: string): Promise<FoundSubBrands> => {
    const token = await tokens.take(workspace);
    if (typeof token === 'string') return { type: token };
    const key = `${workspace} ${token.generation}`;
    // The one call that an open pause lets through has to be made: its answer ends the pause.
    if (token.isTrial) return read(token, key);
    return cached.get(key) ?? readOnce(token, key);
  };
}

/** The verdict about the token; undefined if the service has not answered, or may not be who answered. */
function verdictOf(found: SubBrandList): TokenVerdict | undefined {
  if (found.type === 'found' || found.type === 'none') return 'accepted';
  return found.type === 'refused' ? verdictOfRefusal(found) : undefined;
}

function explain(
  found: SubBrandList,
  { kind }: HeldToken,
  verdict: TokenVerdict | undefined,
): FoundSubBrands {
  if (found.type === 'refused' && deniesGraphql(found, kind)) return { type: 'graphql_refused' };
  return verdict === 'refused' ? { type: 'token_refused' } : found;
}
