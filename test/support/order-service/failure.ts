import { expect } from 'vitest';
import type { OrderServiceError } from '../../../src/order-service/errors.ts';

/** The error of a promise that must fail. */
export const failure = (promise: Promise<unknown>): Promise<OrderServiceError> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error) => error,
  );
