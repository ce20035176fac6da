/** The status of a request, for people who may read its reasons and for others. */
import { expect, test } from 'vitest';
import { statusMessage } from '../../../src/slack/features/status.ts';
import { answered } from '../../support/requests/records.ts';

test('the reason, and the words of the order service that may quote it, are only for those who may read the reason', () => {
  const refused = { httpStatus: 400, code: 'VALIDATION_ERROR', message: 'not “Lost by Bob”', details: [] };
  const record = answered({ type: 'refused', ...refused }, { reason: 'Lost by Bob' });
  const shown = (showsReason: boolean) =>
    JSON.stringify(statusMessage({ record, showsReason, link: undefined }));
  expect(shown(true).match(/Lost by Bob/g)?.length).toBeGreaterThan(2);
  expect(shown(false)).not.toContain('Lost by Bob');
});
