/** Derives from an answer of the service whether it accepts the token. */

/** `accepted`: the service knows the caller, whatever else it answered. */
export type TokenVerdict = 'accepted' | 'refused';

/**
 * Judges the token by an answer. A missing or invalid token yields 401 (order-service-interface.md, section 5). A
 * caller without a permission is a known one, and the interface does not show that status, so the code takes precedence
 * (section 7).
 *
 * @param answer given by the service
 */
export function tokenVerdict(answer: {
  status?: number | undefined;
  code?: string | undefined;
}): TokenVerdict {
  return answer.status === 401 && answer.code !== 'FORBIDDEN' ? 'refused' : 'accepted';
}

/**
 * Whether the kind of token may be the only reason for a refusal: REST endpoints are ending their support of GraphQL
 * tokens, each at its own time (order-service-interface.md, section 5).
 *
 * @param status of an answer given by the service
 */
export function deniesGraphql(status: number | undefined, kind: 'rest' | 'graphql'): boolean {
  return kind === 'graphql' && (status === 401 || status === 403);
}
