/** Makes the calls that belong to no request: checks a token with the only read-only call, revokes it, and lists sub-brands. */
import type { ClaimGuard } from '../outbox/ports.ts';
import type { HeldToken, Revocation, Runtime, SubBrandList, TokenCheck } from '../requests/ports/ports.ts';
import { RUNTIME } from '../runtime.ts';
import type { OrderService } from './client.ts';
import {
  codeOf,
  errorOf,
  type Failure,
  isUnreachable,
  messageOf,
  type NoAnswerReason,
  type Outcome,
} from './outcome.ts';

/** An organization without sub-brands is normal (order-service-interface.md, section 4, "Get sub-brands"). */
const NO_SUB_BRANDS = 'SUB_BRANDS_NOT_FOUND';

/**
 * Checks a token by a read.
 *
 * @returns `refused` for a 401 alone: nothing else proves the token wrong, and for a GraphQL token not even that
 *   (connect.ts)
 */
export async function checkToken(service: OrderService, token: string): Promise<TokenCheck> {
  const outcome = await service.getSubBrands(token);
  if (outcome.type === 'answered') return { type: 'accepted' };
  const code = codeOf(outcome);
  const status = 'httpStatus' in outcome ? outcome.httpStatus : undefined;
  if (status === 401) return { type: 'refused' };
  if (code === NO_SUB_BRANDS) return { type: 'accepted' };
  if (status === 403 || code === 'FORBIDDEN') return { type: 'limited', code };
  const isSilent = outcome.type === 'no_answer' && (outcome.why === 'timeout' || outcome.why === 'cut');
  return isSilent || isUnreachable(outcome) ? { type: 'unreachable' } : { type: 'unverified', code };
}

/**
 * Revokes a token. Only a 204 says that it is revoked (section 4, "Revoke token"). Any other answer leaves that open, and the
 * token is checked once: a revoked token authenticates nobody.
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

/** The longest first try before a second one: a person is looking at an empty modal. */
const QUICK_MS = 5_000;

/** Lists the sub-brands of a token's organization, with one retry after a transient failure: reads can be repeated freely. */
export async function listSubBrands(
  service: OrderService,
  token: string,
  monotonic: Runtime['monotonic'] = RUNTIME.monotonic,
): Promise<SubBrandList> {
  const since = monotonic();
  const first = await service.getSubBrands(token);
  const mayRepeat = isTransient(first) && monotonic() - since < QUICK_MS;
  const outcome = mayRepeat ? await service.getSubBrands(token) : first;
  if (outcome.type !== 'answered') return listFailure(outcome);
  return outcome.value.length === 0 ? { type: 'none' } : { type: 'found', brands: outcome.value };
}

const TRANSIENT: ReadonlySet<NoAnswerReason> = new Set(['cut', 'server_error']);

const isTransient = (outcome: Outcome<unknown>): boolean =>
  isUnreachable(outcome) || (outcome.type === 'no_answer' && TRANSIENT.has(outcome.why));

function listFailure(failure: Failure): SubBrandList {
  const code = codeOf(failure);
  if (code === NO_SUB_BRANDS) return { type: 'none' };
  if (failure.type === 'refused')
    return { type: 'refused', status: failure.httpStatus, code, message: messageOf(failure) };
  if (failure.type === 'not_received' && failure.why === 'rate_limited') {
    const { retryAfterMs } = failure;
    return { type: 'rate_limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { type: isUnreachable(failure) ? 'unreachable' : 'failed', error: errorOf(failure) };
}
