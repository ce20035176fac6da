/** A failure of the order service, as the log has it. */
import { expect, test } from 'vitest';
import { errorOf } from '../../src/order-service/call-service.ts';

test('a failure of the network has its cause, and an answer of the service has none', () => {
  const unreachable = errorOf({
    type: 'not_received',
    why: 'unreachable',
    problem: 'ECONNREFUSED 127.0.0.1',
  });
  expect(unreachable).toMatchObject({ message: 'ECONNREFUSED 127.0.0.1', name: 'OrderServiceError' });
  expect(unreachable.cause).toMatchObject({ message: 'ECONNREFUSED 127.0.0.1' });
  const failed = errorOf({ type: 'no_answer', why: 'server_error', httpStatus: 500, message: 'Try later' });
  expect(failed.message).toBe('Try later');
  expect(failed).not.toHaveProperty('cause');
});
