/** The loop of the outbox, for one request. */
import { advance } from '../../../src/outbox/advance.ts';
import type { ClaimDeps } from '../../../src/outbox/claim.ts';
import type { RecordRef } from '../../../src/outbox/record-store.ts';
import { earliest } from '../../../src/outbox/record-type.ts';
import { createRequestType, type RequestTypeDeps } from '../../../src/requests/engine/request-type.ts';
import { type Effect, pendingEffects } from '../../../src/requests/model/pending-effects.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';

export type AdvanceDeps = RequestTypeDeps & ClaimDeps;

/** Advances one request. */
export const advanceRequest = (deps: AdvanceDeps, ref: RecordRef) =>
  advance(createRequestType(deps), deps, ref);

/** Returns the effect of a request that is due, or when the next one falls due, or `nothing` if none is pending. */
export function nextEffect(record: RequestRecord, now: number, isWanted = (_effect: Effect) => true) {
  const all = pendingEffects(record, TIMINGS);
  const wanted = all.filter(({ effect }) => isWanted(effect));
  const due = wanted.find(({ at }) => at <= now);
  if (due) return { type: 'effect' as const, effect: due.effect };
  return all.length === 0 ? { type: 'nothing' as const } : { type: 'wait' as const, until: earliest(wanted) };
}
