import { expect, test } from 'vitest';
import { KIND_NAMES, KINDS } from '../../../src/requests/model/kinds.ts';

test.each(KIND_NAMES)('%s: the call carries a reason unless the kind says that it is not sent', (kind) => {
  const { reason, call } = KINDS[kind];
  expect(JSON.stringify(call.body?.({ reason: 'Ordered twice' }) ?? {}).includes('Ordered twice')).toBe(
    reason !== 'not_sent',
  );
});
