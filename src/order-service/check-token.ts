/** Checks a token with the only read-only call. */
import type { TokenCheck } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import { codeOf, isUnreachable } from './outcome.ts';

/** An organization without sub-brands is normal (order-service-interface.md, section 4, "Get sub-brands"). */
const NO_SUB_BRANDS = 'SUB_BRANDS_NOT_FOUND';

/**
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
