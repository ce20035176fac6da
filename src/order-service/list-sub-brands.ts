/** Reads the sub-brands of a token's organization. Reads may be repeated freely. */
import type { SubBrandList } from '../requests/ports.ts';
import type { OrderService } from './client.ts';
import { OrderServiceError, RefusedError } from './errors.ts';

/** Section 4, "Get sub-brands": no sub-brands exist. */
const NONE = 'SUB_BRANDS_NOT_FOUND';

export async function listSubBrands(service: OrderService, token: string): Promise<SubBrandList> {
  try {
    const brands = await service.getSubBrands(token);
    return brands.length === 0 ? { type: 'none' } : { type: 'found', brands };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    if (error.code === NONE) return { type: 'none' };
    const { status, code, message } = error;
    return error instanceof RefusedError
      ? { type: 'refused', status, code, message }
      : { type: 'unreachable' };
  }
}
