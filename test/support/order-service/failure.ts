import { expect } from 'vitest';
import type { Failure, Outcome } from '../../../src/order-service/call-service.ts';

/** The failure of a call that must not succeed. */
export async function failure(call: Promise<Outcome<unknown>>): Promise<Failure> {
  const outcome = await call;
  return outcome.type === 'answered' ? expect.unreachable('it should have failed') : outcome;
}

/** The value of a call that must succeed. */
export async function value<T>(call: Promise<Outcome<T>>): Promise<T> {
  const outcome = await call;
  return outcome.type === 'answered' ? outcome.value : expect.unreachable(JSON.stringify(outcome));
}
