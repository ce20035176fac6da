/** Tries a token with the one call that changes nothing. */
import type { TokenCheck } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import { NoAnswerError, OrderServiceError, UnreachableError } from './errors.ts';

/** An organization without sub-brands is a normal one (order-service-interface.md, section 4, "Get sub-brands"). */
const NO_SUB_BRANDS = 'SUB_BRANDS_NOT_FOUND';

/** @returns `refused` for a 401 alone: nothing else says that the token is wrong; of a GraphQL token not even that (connect.ts) */
export async function checkToken(service: OrderService, token: string): Promise<TokenCheck> {
  try {
    await service.getSubBrands(token);
    return { type: 'accepted' };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    return fromError(error);
  }
}

function fromError(error: OrderServiceError): TokenCheck {
  const { status, code } = error;
  if (status === 401) return { type: 'refused' };
  if (code === NO_SUB_BRANDS) return { type: 'accepted' };
  if (status === 403 || code === 'FORBIDDEN') return { type: 'limited', code };
  const silent = error instanceof NoAnswerError && (error.reason === 'timeout' || error.reason === 'cut');
  if (silent || error instanceof UnreachableError) return { type: 'unreachable' };
  return { type: 'unverified', code };
}
