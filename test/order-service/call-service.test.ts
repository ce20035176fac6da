import { describe, expect, test } from 'vitest';
import { codeOf, errorOf, retryAfterMs } from '../../src/order-service/call-service.ts';

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

test('an answer without a code is named by its status, and what is no answer by what went wrong', () => {
  for (const why of ['server_error', 'gave_up', 'contradictory'] as const)
    expect(codeOf({ type: 'no_answer', why, httpStatus: 503 })).toBe('HTTP_503');
  expect(codeOf({ type: 'no_answer', why: 'redirected', httpStatus: 302 })).toBe('REDIRECTED');
  expect(codeOf({ type: 'no_answer', why: 'timeout' })).toBe('TIMEOUT');
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
