/** Lists the sub-brands of a token's organization. Reads can be repeated freely. */

import type { Runtime, SubBrandList } from '../requests/ports/ports.ts';
import { RUNTIME } from '../runtime.ts';
import { NO_SUB_BRANDS } from './check-token.ts';
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

/** The longest first try before a second one: a person is looking at an empty modal. */
const QUICK_MS = 5_000;

/** Lists the sub-brands, with one retry after a transient failure. */
export async function listSubBrands(
  service: OrderService,
  token: string,
  monotonic: Runtime['monotonic'] = RUNTIME.monotonic,
): Promise<SubBrandList> {
  const since = monotonic();
  const first = await service.getSubBrands(token);
  const isRepeated = isPassing(first) && monotonic() - since < QUICK_MS;
  const outcome = isRepeated ? await service.getSubBrands(token) : first;
  if (outcome.type !== 'answered') return toList(outcome);
  return outcome.value.length === 0 ? { type: 'none' } : { type: 'found', brands: outcome.value };
}

const PASSING: ReadonlySet<NoAnswerReason> = new Set(['cut', 'server_error']);

const isPassing = (outcome: Outcome<unknown>): boolean =>
  isUnreachable(outcome) || (outcome.type === 'no_answer' && PASSING.has(outcome.why));

function toList(failure: Failure): SubBrandList {
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
