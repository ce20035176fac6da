/** Use case: an agent looks through the sub-brands of the organization. */

import { deniesGraphql, type TokenVerdict, tokenVerdict } from '../requests/model/facts/token-verdict.ts';
import type { ConnectionState, HeldToken, SubBrandList, Tokens } from '../requests/ports/ports.ts';

export type SubBrandsDeps = {
  tokens: Tokens;
  list: (token: string) => Promise<SubBrandList>;
  /** Epoch milliseconds. */
  now: () => number;
};

export type FoundSubBrands =
  | SubBrandList
  | { type: Exclude<ConnectionState, 'connected'> }
  | { type: 'graphql_refused' };

/** While somebody turns pages, the list is not read again for each of them. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 100;

export function createSubBrands({ tokens, list, now }: SubBrandsDeps) {
  const cached = new Map<string, { until: number; generation: string; found: FoundSubBrands }>();
  return async (workspace: string): Promise<FoundSubBrands> => {
    const token = await tokens.take(workspace);
    if (typeof token === 'string') return { type: token };
    const { generation } = token;
    const entry = cached.get(workspace);
    if (entry && entry.generation === generation && entry.until > now()) return entry.found;
    const answer = await list(token.token);
    const verdict = verdictOf(answer);
    if (verdict) await tokens.note(token, verdict);
    const found = explain(answer, token, verdict);
    if (cached.size >= CACHE_ENTRIES) cached.clear();
    if (found.type === 'found') cached.set(workspace, { until: now() + CACHE_MS, generation, found });
    return found;
  };
}

/** Undefined where the service has not answered. */
function verdictOf(found: SubBrandList): TokenVerdict | undefined {
  if (found.type === 'found' || found.type === 'none') return 'accepted';
  return found.type === 'refused' ? tokenVerdict(found) : undefined;
}

function explain(
  found: SubBrandList,
  { kind }: HeldToken,
  verdict: TokenVerdict | undefined,
): FoundSubBrands {
  if (found.type === 'refused' && deniesGraphql(found.status, kind)) return { type: 'graphql_refused' };
  return verdict === 'refused' ? { type: 'token_refused' } : found;
}
