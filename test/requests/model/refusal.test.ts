import { describe, expect, test } from 'vitest';
import { canSucceedAgain, refusalAt } from '../../../src/requests/model/refusal.ts';
import { answered } from '../../support/requests/records.ts';

const refused = (httpStatus: number, code?: string) =>
  answered({ type: 'refused', httpStatus, details: [], ...(code ? { code } : {}) });

describe('after a refusal the same call can succeed', () => {
  test.each([
    [401, 'UNAUTHORIZED', true],
    [403, 'FORBIDDEN', true],
    [400, 'FORBIDDEN', true],
    [404, 'FORBIDDEN', true],
    [401, 'VALIDATION_ERROR', true],
    [409, undefined, true],
    [423, 'ORDER_LOCKED', true],
    [200, undefined, true],
    [400, 'VALIDATION_ERROR', false],
    [409, 'OFFER_CANCELLATION_ERROR', false],
    [404, 'OFFER_NOT_FOUND', false],
    [404, undefined, false],
    [422, 'SOMETHING_NEW', false],
    [0, 'INVALID_ID', false],
  ])('%s %s: %s', (status, code, can) => {
    const record = refused(status, code);
    const refusal = refusalAt(record, record.steps.length);
    expect(refusal && canSucceedAgain(refusal)).toBe(can);
  });
});
