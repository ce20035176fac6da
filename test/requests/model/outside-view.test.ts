/** What people of another company see of a request in a shared channel. */
import { expect, test } from 'vitest';
import type { EarlierRequest } from '../../../src/requests/model/approval.ts';
import { asChannelReads, asOthersRead, withoutReasons } from '../../../src/requests/model/channels.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, REQUEST } from '../../support/requests/records.ts';

const REFUSED = answered({
  type: 'refused',
  httpStatus: 400,
  code: 'INVALID',
  message: 'Jane is ill',
  details: [{ field: 'reason', error: 'quotes Jane' }],
});
const EARLIER: EarlierRequest = {
  id: 'earlier',
  kind: 'cancel_order',
  target: REQUEST.target,
  requester: 'UBEN',
  createdAt: REFUSED.createdAt,
  state: 'failed',
};

function confidential(): RequestRecord {
  const { approval } = waitingRecord();
  if (!approval) throw new Error('It needs no approval.');
  const decision = { choice: 'no' as const, by: ['UANA'], at: 0, source: 'x', reason: 'Too dear' };
  return {
    ...REFUSED,
    approval: { ...approval, decision, earlier: [EARLIER] },
    message: 'https://acme.slack.com/archives/C9/p8',
    repeats: { kind: 'send_offer', link: 'https://acme.slack.com/archives/C9/p9' },
  };
}

test('no reason, and no word of the order service, which may quote one', () => {
  const shown = JSON.stringify(withoutReasons(confidential()));
  for (const text of [REQUEST.reason, 'Too dear', 'Jane']) expect(shown).not.toContain(text);
  // Its code stays, which says what to do.
  expect(shown).toContain('INVALID');
});

test('nothing that stands in other channels: no earlier request, no message of a customer, no link', () => {
  const shown = asOthersRead(confidential());
  expect(shown.approval?.earlier).toEqual([]);
  expect(shown.repeats).toEqual({ kind: 'send_offer' });
  expect(shown).not.toHaveProperty('message');
});

test('the channel of a request reads all of it, unless that is shared with another company', () => {
  const record = confidential();
  expect(asChannelReads(record)).toBe(record);
  expect(asChannelReads({ ...record, inSharedChannel: true })).toMatchObject({
    reason: '',
    repeats: { kind: 'send_offer' },
  });
});
