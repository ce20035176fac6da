/** What an answer of the service says about the token that it was asked with. Pure. */

/** `accepted`: whatever else it answered, it knows the caller. */
export type TokenVerdict = 'accepted' | 'refused';

/**
 * A missing or invalid token yields 401 (order-service-interface.md, section 5). A caller who lacks a permission is a
 * known one, and the interface does not show the status of that: so its code counts for more (section 7).
 *
 * @param status of an answer that the service has given
 */
export function tokenVerdict(answer: {
  status?: number | undefined;
  code?: string | undefined;
}): TokenVerdict {
  return answer.status === 401 && answer.code !== 'FORBIDDEN' ? 'refused' : 'accepted';
}

/**
 * Whether what was refused may have been refused for the kind of the token alone: REST endpoints are ending their support
 * of GraphQL tokens, each in its own time (order-service-interface.md, section 5).
 *
 * @param status of an answer that the service has given
 */
export function deniesGraphql(status: number | undefined, kind: 'rest' | 'graphql'): boolean {
  return kind === 'graphql' && (status === 401 || status === 403);
}
