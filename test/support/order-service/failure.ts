import { expect } from 'vitest';
import type { CallOutcome, Failure } from '../../../src/order-service/call-service.ts';

/** The failure of a call that must not succeed. */
export async function failure(call: Promise<CallOutcome<unknown>>): Promise<Failure> {
  const outcome = await call;
  return outcome.type === 'answered' ? expect.unreachable('it should have failed') : outcome;
}

/** The value of a call that must succeed. */
export async function value<T>(call: Promise<CallOutcome<T>>): Promise<T> {
  const outcome = await call;
  return outcome.type === 'answered' ? outcome.value : expect.unreachable(JSON.stringify(outcome));
}
