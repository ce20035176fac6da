/** What a person reads whose act on a request came too late, or met another request. */
import { describe, expect, test } from 'vitest';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import {
  manualResultText,
  slotTakenText,
  tooLateText,
} from '../../../src/slack/messages/sentences/result-texts.ts';
import { answered, calling, queued } from '../../support/requests/records.ts';

const { record } = calling();
const AGAIN = 'the card shows Withdraw again';

test('says when to withdraw again, if the call was just under way', () => {
  expect(tooLateText(record, { action: 'withdraw', state: 'calling' })).toContain(AGAIN);
});

test.each([
  { action: 'withdraw', state: 'canceled' },
  { action: 'retry', state: 'calling' },
] as const)('says nothing of it to $action in state $state', (late) => {
  expect(tooLateText(record, late)).not.toContain(AGAIN);
});

test('says nothing of the words of the order service, which may quote the reason', () => {
  const details = { httpStatus: 400, code: 'VALIDATION_ERROR', message: 'not “Lost by Bob”', details: [] };
  const refused = answered({ type: 'refused', ...details });
  expect(tooLateText(refused, { action: 'withdraw', state: 'failed' })).not.toContain('Lost by Bob');
});

test('does not say that a request whose card has no link is in its channel: it may not be posted yet', () => {
  const text = slotTakenText(queued(), 'A-1001', undefined);
  expect(text).toContain('\nThe other request was made in <#C1>.\n');
  expect(text).toMatch(/Nothing is sent until the card of this request is posted in <#C1>\.$/);
});

describe('a Retry that is refused', () => {
  const refused = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });
  const neverSent = answered({ type: 'refused', httpStatus: 0, code: 'INVALID_ID', details: [] });

  test('is no second sending where nothing was sent before', () => {
    const told = (of: RequestRecord) => [
      manualResultText({ type: 'slot_taken', by: queued(), action: 'retry', record: of }),
      manualResultText({ type: 'over_limit', usage: { made: 60, limit: 60, again: 0 }, record: of }),
      manualResultText({ type: 'too_few_approvers', record: of }),
      manualResultText({ type: 'settings_changed', record: of }),
    ];
    for (const text of told(refused))
      expect(text).toMatch(/(this one|request|nothing) was (not )?sent again\./);
    for (const text of told(neverSent)) expect(text).toMatch(/(this one|request|nothing) was (not )?sent\./);
  });

  test.each([
    ['the requester', refused.requester, 'besides you,'],
    ['somebody else', 'UCARA', 'besides the requester and you,'],
    ['the operator', undefined, 'besides the requester,'],
  ])('for want of approvers names whom %s cannot ask', (_who, reader, besides) => {
    const text = manualResultText({ type: 'too_few_approvers', record: refused }, undefined, reader);
    expect(text).toContain(`not enough approvers ${besides}`);
  });
});
