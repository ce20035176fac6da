/** Has a token revoke itself, and reports the result. */

import type { ClaimGuard } from '../outbox/ports.ts';
import type { HeldToken, Revocation } from '../requests/ports/ports.ts';
import { checkToken } from './check-token.ts';
import type { OrderService } from './client.ts';
import { codeOf, errorOf, isUnreachable } from './outcome.ts';

/**
 * Only a 204 says that the token is revoked (section 4, "Revoke token"). Any other answer leaves that open, and the
 * token itself is asked once: a revoked one authenticates nobody.
 *
 * @returns `dead` for a 401: the token was unknown before
 */
export async function revoke(
  service: OrderService,
  token: string,
  kind: HeldToken['kind'],
  guard: ClaimGuard,
): Promise<Revocation> {
  const outcome = await service.revokeToken(token, guard);
  if (outcome.type === 'answered') return { type: 'revoked' };
  if (outcome.type === 'refused' && outcome.httpStatus === 401) return { type: 'dead' };
  if (isUnreachable(outcome)) return { type: 'unreachable' };
  if (await isRefusedNow(service, token, kind)) return { type: 'revoked' };
  return { type: 'unknown', code: codeOf(outcome), error: errorOf(outcome) };
}

/** A refused GraphQL token may be a live one: REST endpoints are ending their support of that kind (section 5). */
async function isRefusedNow(service: OrderService, token: string, kind: HeldToken['kind']): Promise<boolean> {
  if (kind === 'graphql') return false;
  return (await checkToken(service, token)).type === 'refused';
}
