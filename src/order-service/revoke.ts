/** Lets a token revoke itself, and says what became of it. */
import type { Revocation } from '../requests/ports.ts';
import type { OrderService } from './client.ts';
import { OrderServiceError, RefusedError } from './errors.ts';

/** @returns `dead` for a 401: a token that the service does not know authenticates nobody (section 4, "Revoke token") */
export async function revoke(service: OrderService, token: string): Promise<Revocation> {
  try {
    await service.revokeToken(token);
    return { type: 'revoked' };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    if (error.status === 401) return { type: 'dead' };
    return error instanceof RefusedError ? { type: 'refused', code: error.code } : { type: 'unreachable' };
  }
}
