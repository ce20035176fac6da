/** Reads the sub-brands of a token's organization. Reads may be repeated freely. */
import type { SubBrandList } from '../requests/ports/ports.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { RUNTIME } from '../runtime.ts';
import type { OrderService } from './client.ts';
import {
  NoAnswerError,
  type NoAnswerReason,
  OrderServiceError,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from './errors.ts';

/** Section 4, "Get sub-brands": no sub-brands exist. */
const NONE = 'SUB_BRANDS_NOT_FOUND';

/** Longer nobody is kept waiting for a second try: somebody looks at an empty modal. */
const QUICK_MS = 5_000;

/** Asks once more where that may help. */
export async function listSubBrands(
  service: OrderService,
  token: string,
  monotonic: Runtime['monotonic'] = RUNTIME.monotonic,
): Promise<SubBrandList> {
  const since = monotonic();
  try {
    const brands = await service.getSubBrands(token).catch((error) => {
      if (isPassing(error) && monotonic() - since < QUICK_MS) return service.getSubBrands(token);
      throw error;
    });
    return brands.length === 0 ? { type: 'none' } : { type: 'found', brands };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    return fromError(error);
  }
}

const PASSING: ReadonlySet<NoAnswerReason> = new Set(['cut', 'server_error']);

function isPassing(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof NoAnswerError && PASSING.has(error.reason));
}

function fromError(error: OrderServiceError): SubBrandList {
  const { status, code, message } = error;
  if (code === NONE) return { type: 'none' };
  if (error instanceof RefusedError) return { type: 'refused', status, code, message };
  if (error instanceof RateLimitedError) {
    const { retryAfterMs } = error;
    return { type: 'rate_limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { type: error instanceof UnreachableError ? 'unreachable' : 'failed', error };
}
