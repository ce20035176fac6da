/** Lets a token revoke itself, and says what became of it. */
import type { Revocation } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import { NoAnswerError, OrderServiceError, RateLimitedError, RefusedError } from './errors.ts';

/** @returns `dead` for a 401: a token that the service does not know authenticates nobody (section 4, "Revoke token") */
export async function revoke(service: OrderService, token: string): Promise<Revocation> {
  try {
    await service.revokeToken(token);
    return { type: 'revoked' };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    return fromError(error);
  }
}

function fromError(error: OrderServiceError): Revocation {
  if (error.status === 401) return { type: 'dead' };
  if (error instanceof RefusedError) return { type: 'refused', code: error.code };
  if (error instanceof RateLimitedError) {
    const { retryAfterMs } = error;
    return { type: 'rate_limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  // Sent, and nobody can tell what came of it: a time-out, a line that was cut, a 5xx.
  if (error instanceof NoAnswerError) return { type: 'unknown', code: error.code, error };
  return { type: 'unreachable' };
}
